import DBusTypes
import DefaultsInterface
import LibDBus

/// Drives a `CountdownSession`: its events come from the bus, the keyboard and signals, its actions go to the bus and the screen.
///
/// One thread only, the one that runs the loop.
final class CountdownDriver {
    /// The countdown's name among those of this connection, which has no other.
    private static let token = "countdown"
    /// How long an answer to Cancel is awaited after an interruption; the connection's end cancels it anyway.
    private static let cancelPatience = 1000
    /// How long after its time a tick counts as missing, so that the daemon is asked what became of the countdown: it may stand still.
    private static let tickPatience = 100

    private let daemon: Daemon
    private let output: Output
    private let terminal: Terminal
    private let loop = PollLoop()
    private let path: ObjectPath
    private var session: CountdownSession?
    private var isAsking = false
    /// Fires when a tick hasn't come.
    private lazy var overdue = loop.addTimer { [self] in ask() }
    /// Fires when the daemon has been away for long.
    private lazy var absence = loop.addTimer { [self] in handle(.patienceOver) }
    /// How it ends; nil while it goes on.
    private var end: Result<ExitStatus, Failure>?

    init(daemon: Daemon, output: Output) {
        self.daemon = daemon
        self.output = output
        terminal = Terminal(output)
        guard let path = WellKnown.countdownPath(owner: daemon.connection.uniqueName, token: Self.token) else {
            preconditionFailure("\(daemon.connection.uniqueName) and \(Self.token) make no path")
        }
        self.path = path
    }

    /// Starts the countdown and stays until it ends.
    func run(_ spec: DictionaryValue) throws(Failure) -> ExitStatus {
        let connection = daemon.connection
        connection.attach(to: loop)
        connection.onDisconnect = { [self] in
            finish(.failure(Failure("the connection to the bus was lost before the countdown ended", status: .unavailable)))
        }
        try subscribe(connection)
        let reply = try daemon.call(
            CountdownsInterface.name, CountdownsInterface.start, [.string(Self.token), .dictionary(spec)])
        session = try session(reply.dictionary(1), spec)
        expectTick()
        // Until here a signal ends the process, and with it the countdown: that is right while nothing is to be put back.
        let events = try TerminalEvents(terminal, output: output, loop: loop)
        events.onKeys = { [self] in handle(.keys($0)) }
        events.onExposed = { [self] in handle(.exposed) }
        events.onInterrupt = { [self] in handle(.interrupted) }
        events.onFailure = { [self] in finish(.failure($0)) }
        _ = loop.run(until: { [self] in end != nil })
        terminal.leave()
        try output.flush()
        guard let end else { preconditionFailure("the loop ended before the countdown did") }
        return try end.get()
    }

    /// Before Start, so that nothing is missed.
    private func subscribe(_ connection: BusConnection) throws(Failure) {
        let own = MatchRule(sender: WellKnown.busName, path: path, interface: CountdownInterface.name)
        do throws(DBusError) {
            _ = try connection.subscribe(own) { [self] in receive($0) }
            _ = try connection.subscribe(daemon.ownerChanges) { [self] signal in
                guard signal.arguments.count == 3 else { return }
                // One that takes the name over from another is both.
                if signal.arguments[1] != .string("") { handle(.daemonGone) }
                if signal.arguments[2] != .string("") { handle(.daemonCame) }
            }
        } catch {
            throw Failure(error)
        }
    }

    private func session(_ state: DictionaryValue, _ spec: DictionaryValue) throws(Failure) -> CountdownSession {
        guard let duration = state[CountdownStateEntries.duration.name]?.integer(as: UInt64.self),
            let tick = state[CountdownStateEntries.tick.name]?.integer(as: UInt64.self),
            let remaining = state[CountdownStateEntries.remaining.name]?.integer(as: UInt64.self),
            let isSkippable = state[CountdownStateEntries.skippable.name]?.get(as: Bool.self)
        else { throw Failure("defaultsd answered Start with a state that lacks entries", status: .unavailable) }
        return CountdownSession(
            duration: duration, tick: tick, remaining: remaining, isSkippable: isSkippable,
            skippableAfter: spec[CountdownSpecEntries.skippableAfter.name]?.integer() ?? 0,
            purpose: state[CountdownStateEntries.purpose.name]?.get() ?? "", hasKeys: terminal.hasKeys)
    }

    // MARK: Events

    private func receive(_ signal: SignalMessage) {
        switch signal.member {
        case CountdownInterface.tickSignal:
            guard signal.arguments.count == 3, let remaining: UInt64 = signal.arguments[1].integer() else { return }
            printEvent("tick", ["remaining_ticks", "remaining", "missed"], signal)
            handle(.tick(remaining: remaining))
            expectTick()
        case CountdownInterface.skipAvailable:
            printEvent("skip-available", [], signal)
            handle(.skipAvailable)
        case CountdownInterface.finished:
            guard signal.arguments.count == 2, let reason = signal.arguments[0].get(as: String.self) else { return }
            printEvent("finished", ["reason", "late"], signal)
            handle(.finished(reason: reason))
        default: break
        }
    }

    /// With `--json`, each signal is a line.
    private func printEvent(_ event: String, _ names: [String], _ signal: SignalMessage) {
        guard let json = output.json else { return }
        let entries = [("event", Value.string(event))] + Array(zip(names, signal.arguments))
        attempt { () throws(Failure) in
            try output.line(json.text(.vardict(entries)))
            try output.flush()
        }
    }

    private func handle(_ event: CountdownSession.Event) {
        guard let actions = session?.handle(event) else { return }
        for action in actions {
            switch action {
            case .show(let view): attempt { () throws(Failure) in try show(view, isTick: event.isTick) }
            case .skip: send(CountdownInterface.skip) { $0.map { .skipRefused($0) } }
            case .cancel:
                send(CountdownInterface.cancel) { _ in .cancelled }
                loop.addTimer { [self] in handle(.cancelled) }.arm(afterMilliseconds: Self.cancelPatience)
            case .note(let words): attempt { () throws(Failure) in try note(words) }
            case .say(let words): attempt { () throws(Failure) in try say(words) }
            case .awaitDaemon:
                absence.arm(afterMilliseconds: CountdownSession.patience)
                // A bus that can start the daemon does so for a call.
                ask()
                expectTick()
            case .ask: ask()
            case .end(let status, let words):
                attempt { () throws(Failure) in try close(words) }
                finish(.success(status))
            case .fail(let failure):
                attempt { () throws(Failure) in if terminal.hasScreen { try terminal.erase() } }
                finish(.failure(failure))
            }
        }
    }

    // MARK: Actions

    /// Redraws the line; where there is no screen, each tick is a line.
    private func show(_ view: CountdownView, isTick: Bool) throws(Failure) {
        guard !output.isQuiet, output.json == nil else { return }
        if terminal.hasScreen {
            try terminal.draw { width in view.line(width: width, style: terminal.style) }
        } else if isTick {
            try output.line("\(view.timeLeft) left")
            try output.flush()
        }
    }

    private func close(_ words: String) throws(Failure) {
        guard !output.isQuiet, output.json == nil else { return }
        if terminal.hasScreen { try terminal.close(words) } else { try output.line(words) }
    }

    /// Says something that concerns more than the line, which begins anew below it.
    private func say(_ words: String) throws(Failure) {
        if terminal.hasScreen { try terminal.close(words) } else { output.inform(words) }
    }

    private func note(_ words: String) throws(Failure) {
        guard !output.isQuiet, output.json == nil, !terminal.hasScreen else { return }
        try output.line(words)
        try output.flush()
    }

    /// Has the daemon asked when the next tick is missing: no signal tells that another process has paused the countdown.
    private func expectTick() {
        guard let session, session.expectsTicks else { return overdue.disarm() }
        overdue.arm(afterMilliseconds: Int(clamping: session.view.tick) + Self.tickPatience)
    }

    /// Asks how the countdown stands; Watch says so, and brings the owner no signal twice.
    private func ask() {
        guard !isAsking else { return }
        isAsking = true
        daemon.connection.send(
            WellKnown.busName, path, CountdownInterface.name, CountdownInterface.watch, timeout: CountdownSession.patience
        ) { [self] result in
            isAsking = false
            defer { expectTick() }
            switch result.map({ $0.first?.dictionary }) {
            case .success(let state?):
                handle(
                    .state(
                        remaining: state[CountdownStateEntries.remaining.name]?.integer() ?? 0,
                        isSkippable: state[CountdownStateEntries.skippable.name]?.get() ?? false,
                        isPaused: state[CountdownStateEntries.state.name] == .string("paused")))
            case .success(nil):
                finish(.failure(Failure("defaultsd answered Watch with something else than a state", status: .unavailable)))
            case .failure(let error): handle(.stateUnknown(Failure(error)))
            }
        }
    }

    private func send(_ member: MemberName, event: @escaping (Failure?) -> CountdownSession.Event?) {
        daemon.connection.send(WellKnown.busName, path, CountdownInterface.name, member) { [self] result in
            let failure: Failure? = if case .failure(let error) = result { Failure(error) } else { nil }
            if let event = event(failure) { handle(event) }
        }
    }

    private func attempt(_ body: () throws(Failure) -> Void) {
        do throws(Failure) {
            try body()
        } catch {
            finish(.failure(error))
        }
    }

    /// The first end counts.
    private func finish(_ result: Result<ExitStatus, Failure>) { end = end ?? result }
}

extension CountdownSession.Event {
    fileprivate var isTick: Bool { if case .tick = self { true } else { false } }
}
