import DBusTypes
import DefaultsInterface
import LibDBus
import Support

/// A call under way, and where among the signals its answer came.
final class Reply {
    /// The answer, once it is in.
    fileprivate(set) var result: Result<[Value], DBusError>?
    /// How many signals the connection had received before the answer.
    fileprivate(set) var position = 0
    /// When the answer came.
    fileprivate(set) var instant = ContinuousClock.now
}

/// A daemon on a bus of its own, and the time that passes in it only when a test says so.
struct TimedDaemon {
    let bus: PrivateBus
    let daemon: Daemon
    /// The connection that most tests need no second one beside.
    let client: Client

    init(arguments: [String] = []) throws {
        bus = try PrivateBus()
        daemon = try Daemon(on: bus, arguments: ["--test-clock"] + arguments)
        client = try Client(on: bus)
    }

    /// Moves the daemon's clock, and has `client` take in all that came of it.
    func advance(_ milliseconds: UInt64) throws {
        try TestClock(client.connection).advance(milliseconds: milliseconds)
        try client.drain()
    }
}

extension Client {
    // MARK: Calls

    /// Sends a call without waiting for the answer.
    func begin(
        _ interface: InterfaceName, _ member: MemberName, _ arguments: Value..., at path: ObjectPath = WellKnown.rootPath
    ) -> Reply {
        let reply = Reply()
        connection.send(WellKnown.busName, path, interface, member, arguments, timeout: 20_000) { [unowned self] result in
            reply.result = result
            reply.position = signals.count
            reply.instant = .now
        }
        return reply
    }

    /// Sends `Countdowns.Start` without waiting for the answer.
    func beginStart(_ token: String, _ spec: [(String, Value)] = []) -> Reply {
        begin(CountdownsInterface.name, CountdownsInterface.start, .string(token), .vardict(spec))
    }

    /// Waits for the answers of calls under way.
    func finish(_ replies: Reply..., until deadline: Deadline = .inTenSeconds) throws {
        try Await.until("the answers", on: loop, deadline: deadline) { replies.allSatisfy { $0.result != nil } }
    }

    /// Calls a method of a countdown; returns its state.
    @discardableResult
    func countdown(_ member: MemberName, _ arguments: Value..., at path: ObjectPath) throws -> DictionaryValue {
        let reply = try connection.call(
            WellKnown.busName, path, CountdownInterface.name, member, arguments, timeout: 10_000)
        guard let state = reply.first?.dictionary else { throw TestFailure("\(member) answered \(reply)") }
        return state
    }

    /// All properties of a countdown.
    func properties(of path: ObjectPath) throws -> DictionaryValue {
        let reply = try call("org.freedesktop.DBus.Properties", "GetAll", .string(CountdownInterface.name.text), at: path)
        guard let values = reply.first?.dictionary else { throw TestFailure("GetAll answered \(reply)") }
        return values
    }

    /// The caller's user's countdowns that live: path and state.
    func listCountdowns() throws -> [(path: ObjectPath, state: DictionaryValue)] {
        let reply = try call(CountdownsInterface.name, CountdownsInterface.list)
        guard case .array(let rows)? = reply.first else { throw TestFailure("List answered \(reply)") }
        return try rows.values.map { row in
            guard case .structure(let fields) = row, let path = fields[0].get(as: ObjectPath.self),
                let state = fields[1].dictionary
            else { throw TestFailure("a row of List is \(row)") }
            return (path, state)
        }
    }

    /// The path that a countdown of this connection has or will have.
    func predictedPath(_ token: String) throws -> ObjectPath {
        let sender = connection.uniqueName.text.drop { $0 == ":" }.map { $0 == "." ? "_" : $0 }
        guard let path = ObjectPath("/org/defaultsd1/countdown/\(String(sender))/\(token)") else {
            throw TestFailure("\(token) makes no path")
        }
        return path
    }

    // MARK: Signals

    /// The signals about countdowns as words: "Tick 10 10000 0", "SkipAvailable", "Finished elapsed 0"; of one, or of all.
    func events(of path: ObjectPath? = nil) -> [String] {
        signals.filter { path == nil || $0.path == path }.map(\.words)
    }

    /// Waits for the end of a countdown; returns its signals.
    @discardableResult
    func waitForEnd(of path: ObjectPath, count: Int = 1, until deadline: Deadline = .inTenSeconds) throws -> [String] {
        try Await.until("the end of \(path)", on: loop, deadline: deadline) {
            events(of: path).count { $0.hasPrefix("Finished") } >= count
        }
        return events(of: path)
    }
}

extension Client.Signal {
    /// The member and its arguments, without their types.
    var words: String {
        ([member.text]
            + arguments.map { argument in
                switch argument {
                case .string(let text): text
                case .uint32(let number): String(number)
                case .uint64(let number): String(number)
                default: "\(argument)"
                }
            }).joined(separator: " ")
    }
}

extension DictionaryValue {
    func text(_ key: String) -> String? { self[key]?.get(as: String.self) }
    func number(_ key: String) -> UInt64? { self[key]?.get(as: UInt64.self) }
    func count(_ key: String) -> UInt32? { self[key]?.get(as: UInt32.self) }
    func flag(_ key: String) -> Bool? { self[key]?.get(as: Bool.self) }
}
