import DBusTypes
import DefaultsInterface
import LibDBus
import Support

/// A connection of its own to the daemon's bus, with all signals it received, in order.
final class Client {
    /// A signal as tests compare it.
    struct Signal: Hashable, CustomStringConvertible {
        let path: ObjectPath
        let member: MemberName
        let arguments: [Value]

        var description: String { "\(path) \(member) \(arguments)" }
    }

    let connection: BusConnection
    let loop = PollLoop()
    private(set) var signals: [Signal] = []

    init(on bus: PrivateBus) throws {
        connection = try BusConnection(address: bus.address)
        connection.attach(to: loop)
        try connection.subscribe(MatchRule(sender: WellKnown.busName)) { [unowned self] signal in
            signals.append(Signal(path: signal.path, member: signal.member, arguments: signal.arguments))
        }
    }

    deinit { connection.close() }

    // MARK: Calls

    /// Calls a method of the root object, or of another.
    @discardableResult
    func call(
        _ interface: InterfaceName, _ member: MemberName, _ arguments: Value..., at path: ObjectPath = WellKnown.rootPath
    ) throws -> [Value] {
        try connection.call(WellKnown.busName, path, interface, member, arguments, timeout: 10_000)
    }

    /// Calls `Preferences`.
    @discardableResult
    func preferences(_ member: MemberName, _ arguments: Value...) throws -> [Value] {
        try connection.call(WellKnown.busName, WellKnown.rootPath, PreferencesInterface.name, member, arguments, timeout: 10_000)
    }

    /// Calls `Launches`.
    @discardableResult
    func launches(_ member: MemberName, _ arguments: Value...) throws -> [Value] {
        try connection.call(WellKnown.busName, WellKnown.rootPath, LaunchesInterface.name, member, arguments, timeout: 10_000)
    }

    /// Reads a preference; nil where it is absent.
    func get(_ domain: String, _ key: String) throws -> Value? {
        do throws(DBusError) {
            let reply = try connection.call(
                WellKnown.busName, WellKnown.rootPath, PreferencesInterface.name, PreferencesInterface.get,
                [.string(domain), .string(key)], timeout: 10_000)
            return reply.first?.get(as: Value.self)
        } catch {
            if error.name == ErrorNames.noSuchKey { return nil }
            throw error
        }
    }

    /// Sets a preference; returns the domain's revision.
    @discardableResult
    func set(_ domain: String, _ key: String, _ value: Value) throws -> UInt64? {
        try preferences(PreferencesInterface.set, .string(domain), .string(key), .variant(value)).first?.get()
    }

    /// Starts a countdown; returns its path and state.
    @discardableResult
    func start(_ token: String, _ spec: [(String, Value)] = []) throws -> (path: ObjectPath, state: DictionaryValue) {
        let reply = try call(CountdownsInterface.name, CountdownsInterface.start, .string(token), .vardict(spec))
        guard reply.count == 2, let path = reply[0].get(as: ObjectPath.self), let state = reply[1].dictionary else {
            throw TestFailure("Start answered \(reply)")
        }
        return (path, state)
    }

    /// The error that a call answers; nil where it succeeds.
    func error(_ body: () throws -> some Any) throws -> DBusError? {
        do {
            _ = try body()
            return nil
        } catch let error as DBusError {
            return error
        }
    }

    // MARK: Signals

    /// Waits until `count` signals that `isWanted` have come; returns all of them, also more.
    @discardableResult
    func wait(for count: Int = 1, _ what: String, where isWanted: (Signal) -> Bool = { _ in true }) throws -> [Signal] {
        try Await.until(what, on: loop) { signals.filter(isWanted).count >= count }
        return signals.filter(isWanted)
    }

    /// Takes in all that was sent to this connection before now: the bus keeps order, and so does the daemon.
    func drain() throws {
        try call("org.freedesktop.DBus.Peer", "Ping")
        loop.iterate(deadline: .now)
    }

    /// Forgets the signals so far.
    func forgetSignals() { signals = [] }
}
