import DBusTypes
import DefaultsInterface
import LibDBus
import Support
import Testing

@Suite("Countdowns: ten thousand calls against ticks")
struct CountdownHammerTests {
    @Test(
        "Scenario 32, C4: 10,000 of Skip, Cancel and Pause against 50 ms ticks: no tick after the answer, one end, the right reason"
    )
    func hammer() throws {
        let bus = try PrivateBus()
        let daemon = try Daemon(on: bus, arguments: ["--limits=none"])
        let loop = PollLoop()
        let connections = try (0..<20).map { _ in try HammerConnection(bus, loop) }
        var outcomes: [String: Int] = [:]
        var number = 0
        var ticks = 5
        while number < 10_000 {
            var runs: [HammerRun] = []
            for _ in 0..<25 {
                // Started a little apart, so that the calls hit every phase of a tick.
                for connection in connections {
                    runs.append(try connection.start(number, ticks: ticks))
                    number += 1
                }
                loop.iterate(deadline: .now + .milliseconds(2))
            }
            try finish(runs, connections, loop, daemon)
            for run in runs { outcomes[run.outcome, default: 0] += 1 }
            // On a busy machine most calls would come too late: they get more time.
            if runs.count(where: { $0.outcome == "elapsed" }) > runs.count / 2 { ticks *= 2 }
            for connection in connections { connection.runs = [:] }
        }
        #expect(number == 10_000)
        #expect(outcomes.keys.allSatisfy { ["skipped", "cancelled", "elapsed"].contains($0) }, "\(outcomes)")
        #expect((outcomes["skipped"] ?? 0) > 1_000 && (outcomes["cancelled"] ?? 0) > 1_000, "\(outcomes)")
        #expect(daemon.process.poll() == nil)
    }

    /// Waits for the end of all runs: as long as anything comes, however slow the machine is.
    private func finish(
        _ runs: [HammerRun], _ connections: [HammerConnection], _ loop: PollLoop, _ daemon: Daemon
    ) throws {
        var received = 0
        var patience = Deadline.after(.seconds(30))
        while let open = runs.first(where: { !$0.isOver }) {
            let now = connections.reduce(0) { $0 + $1.received }
            if now != received {
                received = now
                patience = .after(.seconds(30))
            }
            guard !patience.isPast else {
                throw TestFailure("nothing came any more, and this had not ended: \(open); the daemon's log:\n\(daemon.log)")
            }
            loop.iterate(deadline: .now + .milliseconds(100))
        }
        // A tick that came after the end would be on its way before this answer.
        for connection in connections { try connection.ping() }
    }
}

/// One connection of the hammer: it counts what it receives, so that answers and signals have their places in one order.
private final class HammerConnection {
    let connection: BusConnection
    let loop: PollLoop
    private(set) var received = 0
    var runs: [ObjectPath: HammerRun] = [:]

    init(_ bus: PrivateBus, _ loop: PollLoop) throws {
        self.loop = loop
        connection = try BusConnection(address: bus.address)
        connection.attach(to: loop)
        let rule = MatchRule(sender: WellKnown.busName, interface: CountdownInterface.name)
        try connection.subscribe(rule) { [unowned self] signal in
            received += 1
            runs[signal.path]?.receive(signal, received)
        }
    }

    deinit { connection.close() }

    func start(_ number: Int, ticks: Int) throws -> HammerRun {
        let token = "r\(number)"
        guard let path = WellKnown.countdownPath(owner: connection.uniqueName, token: token) else {
            throw TestFailure("\(token) makes no path")
        }
        let run = HammerRun(self, path, number, ticks: ticks)
        runs[path] = run
        let spec = Value.vardict([("duration", .uint64(UInt64(ticks) * 50)), ("tick", .uint64(50))])
        call(CountdownsInterface.name, CountdownsInterface.start, [.string(token), spec], at: WellKnown.rootPath) { result, _ in
            run.started(result)
        }
        return run
    }

    func call(
        _ interface: InterfaceName, _ member: MemberName, _ arguments: [Value] = [], at path: ObjectPath,
        answer: @escaping (Result<[Value], DBusError>, Int) -> Void
    ) {
        connection.send(WellKnown.busName, path, interface, member, arguments, timeout: 300_000) { [unowned self] result in
            received += 1
            answer(result, received)
        }
    }

    func ping() throws {
        _ = try connection.call(WellKnown.busName, WellKnown.rootPath, "org.freedesktop.DBus.Peer", "Ping", timeout: 300_000)
        loop.iterate(deadline: .now)
    }
}

/// One countdown of the hammer, with a tick each 50 ms: ended or paused by a call that is sent after some of its ticks.
private final class HammerRun: CustomStringConvertible {
    private unowned let connection: HammerConnection
    private let path: ObjectPath
    private let member: MemberName
    private let ticks: Int
    private let ticksBefore: Int
    private var startError: DBusError?
    private var isCalled = false
    private var answer: (result: Result<[Value], DBusError>, position: Int)?
    private var isCancelled: Bool
    private var events: [(member: MemberName, arguments: [Value], position: Int)] = []

    init(_ connection: HammerConnection, _ path: ObjectPath, _ number: Int, ticks: Int) {
        self.connection = connection
        self.path = path
        self.ticks = ticks
        member = [CountdownInterface.skip, CountdownInterface.cancel, CountdownInterface.pause][number % 3]
        // The last of these are calls against the very end.
        ticksBefore = 1 + number / 3 % 6
        isCancelled = member != CountdownInterface.pause
    }

    /// Whether all its calls are answered and its end has come, or it never began.
    var isOver: Bool { startError != nil || answer != nil && isCancelled && hasEnded }

    private var hasEnded: Bool { events.contains { $0.member == CountdownInterface.finished } }

    func started(_ result: Result<[Value], DBusError>) {
        if case .failure(let error) = result { startError = error }
    }

    func receive(_ signal: SignalMessage, _ position: Int) {
        events.append((signal.member, signal.arguments, position))
        // On a busy machine it may have ended with fewer ticks.
        guard !isCalled, events.count >= ticksBefore || hasEnded else { return }
        isCalled = true
        connection.call(CountdownInterface.name, member, at: path) { [self] result, position in
            answer = (result, position)
            guard !isCancelled else { return }
            connection.call(CountdownInterface.name, CountdownInterface.cancel, at: path) { [self] _, _ in isCancelled = true }
        }
    }

    var description: String { "\(path) \(member) after \(ticksBefore): \(String(describing: answer)) \(isCancelled) \(events)" }

    /// How it ended, or what was wrong.
    var outcome: String {
        if let startError { return "Start failed: \(startError)" }
        let ends = events.filter { $0.member == CountdownInterface.finished }
        guard ends.count == 1, let end = ends.first, events.last?.position == end.position,
            let reason = end.arguments.first?.get(as: String.self)
        else { return "ends: \(events)" }
        let counts = events.filter { $0.member == CountdownInterface.tickSignal }
            .compactMap { $0.arguments.first?.get(as: UInt32.self) }
        guard counts.first == UInt32(ticks), zip(counts, counts.dropFirst()).allSatisfy({ $0 > $1 }) else {
            return "ticks: \(counts)"
        }
        switch answer?.result {
        case .success?:
            // Nothing but the end after an answer that ended or paused it.
            let position = answer?.position ?? 0
            let after = events.filter { $0.position > position }
            guard after.count == 1, after.first?.position == end.position else {
                return "after the answer of \(member): \(after)"
            }
            let wanted = member == CountdownInterface.skip ? "skipped" : "cancelled"
            return reason == wanted ? reason : "\(member) ended it as \(reason)"
        case .failure(let error)?:
            // The deadline was first.
            guard error.name == ErrorNames.alreadyFinished else { return "\(member): \(error)" }
            return counts.last == 0 && reason == "elapsed" ? reason : "\(member) came too late, and it ended as \(reason)"
        case nil:
            return "\(member) had no answer"
        }
    }
}
