import DBusTypes
import DefaultsInterface
import LibDBus

/// Drives a `PlayerSession`: its events come from the bus, the keyboard and signals, its actions go to the bus and the screen.
///
/// One thread only, the one that runs the loop.
final class PlayerDriver {
    /// The name of a guide's countdown among those of this connection, which has no other.
    private static let token = "guide"
    /// How long the answer to a release is awaited after an interruption; the connection's end tells the daemon anyway.
    private static let releasePatience = 1000

    private let presenter: Presenter
    private let output: Output
    private let terminal: Terminal
    private let loop = PollLoop()
    private let countdownPath: ObjectPath
    private var session: PlayerSession?
    private var run: UInt64 = 0
    private var keys = KeyReader()
    /// Fires when an Escape was a key by itself.
    private lazy var loneEscape = loop.addTimer { [self] in keys.giveUp().forEach { handle(.key($0)) } }
    /// Fires when the daemon has been away for long.
    private lazy var absence = loop.addTimer { [self] in handle(.patienceOver) }
    /// Fires when a release was not answered.
    private lazy var overdue = loop.addTimer { [self] in handle(.releaseOverdue) }
    /// How it ends; nil while it goes on.
    private var end: Result<(ExitStatus, String), Failure>?

    private var daemon: Daemon { presenter.daemon }
    private var kind: PresentationKind { presenter.kind }

    init(_ presenter: Presenter, terminal: Terminal, output: Output) {
        self.presenter = presenter
        self.terminal = terminal
        self.output = output
        guard let path = WellKnown.countdownPath(owner: presenter.daemon.connection.uniqueName, token: Self.token) else {
            preconditionFailure("\(presenter.daemon.connection.uniqueName) and \(Self.token) make no path")
        }
        countdownPath = path
    }

    /// Presents it and stays until that has ended.
    func play() throws(Failure) -> ExitStatus {
        let connection = daemon.connection
        connection.attach(to: loop)
        connection.onDisconnect = { [self] in
            finish(.failure(Failure("the connection to the bus was lost", status: .unavailable)))
        }
        try subscribe(connection)
        let begun = try presenter.begin(countdownToken: Self.token)
        run = begun.run
        session = PlayerSession(begun.state)
        let events = try TerminalEvents(terminal, output: output, loop: loop)
        events.onKeys = { [self] bytes in
            keys.take(bytes).forEach { handle(.key($0)) }
            if keys.isUnfinished { loneEscape.arm(afterMilliseconds: KeyReader.patience) } else { loneEscape.disarm() }
        }
        events.onExposed = { [self] in handle(.exposed) }
        events.onInterrupt = { [self] in
            overdue.arm(afterMilliseconds: Self.releasePatience)
            handle(.interrupted)
        }
        events.onFailure = { [self] in finish(.failure($0)) }
        handle(.exposed)
        askForCountdown()
        _ = loop.run(until: { [self] in end != nil })
        terminal.leave()
        try output.flush()
        guard let end else { preconditionFailure("the loop ended before the presentation did") }
        let (status, outcome) = try end.get()
        try output.line(TextEscaping.safe(outcome))
        return status
    }

    /// Before anything is presented, so that nothing is missed.
    private func subscribe(_ connection: BusConnection) throws(Failure) {
        let own = MatchRule(sender: WellKnown.busName, path: WellKnown.rootPath, interface: kind.interface)
        let countdown = MatchRule(sender: WellKnown.busName, path: countdownPath, interface: CountdownInterface.name)
        do throws(DBusError) {
            _ = try connection.subscribe(own) { [self] in receive($0) }
            if kind == .guide { _ = try connection.subscribe(countdown) { [self] in receiveFromCountdown($0) } }
            _ = try connection.subscribe(daemon.ownerChanges) { [self] signal in
                guard signal.arguments.count == 3 else { return }
                // One that takes the name over from another is both.
                if signal.arguments[1] != .string("") { handle(.daemonGone) }
                if signal.arguments[2] != .string("") {
                    absence.disarm()
                    handle(.daemonCame)
                    askForCountdown()
                }
            }
        } catch {
            throw Failure(error)
        }
    }

    // MARK: Events

    private func receive(_ signal: SignalMessage) {
        let arguments = signal.arguments
        guard arguments.count > 3, arguments[2] == .uint64(run) else { return }
        switch (kind, signal.member) {
        case (.guide, GuidesInterface.pageChanged):
            if let page: UInt64 = arguments[3].integer() { handle(.moved(page)) }
        case (.tour, ToursInterface.stepChanged):
            if let sequence: UInt64 = arguments.last?.integer() { handle(.moved(sequence)) }
        case (.guide, GuidesInterface.changed), (.tour, ToursInterface.changed):
            if let entries = arguments[3].dictionary { take(entries) }
        case (.guide, GuidesInterface.finished), (.tour, ToursInterface.finished):
            if let outcome: String = arguments[3].get() { handle(.finished(outcome: outcome)) }
        default: break
        }
    }

    private func receiveFromCountdown(_ signal: SignalMessage) {
        switch signal.member {
        case CountdownInterface.tickSignal:
            guard signal.arguments.count == 3, let remaining: UInt64 = signal.arguments[1].integer() else { return }
            handle(.tick(remaining: remaining))
        case CountdownInterface.skipAvailable: handle(.skipAvailable)
        case CountdownInterface.finished: handle(.countdown(nil))
        default: break
        }
    }

    /// Takes what the daemon says of the run.
    private func take(_ entries: DictionaryValue) {
        do throws(Failure) {
            handle(.state(try PlayerState(kind, entries)))
        } catch {
            finish(.failure(error))
        }
    }

    private func handle(_ event: PlayerSession.Event) {
        guard let actions = session?.handle(event) else { return }
        for action in actions {
            switch action {
            case .show(let view): show(view)
            case .call(let call): send(call)
            case .awaitDaemon:
                absence.arm(afterMilliseconds: PlayerSession.patience)
                // A bus that can start the daemon does so for a call.
                daemon.connection.send(WellKnown.busName, WellKnown.rootPath, "org.freedesktop.DBus.Peer", "Ping") { _ in }
            case .end(let status, let outcome): finish(.success((status, outcome)))
            case .fail(let failure): finish(.failure(failure))
            }
        }
    }

    // MARK: Actions

    private func show(_ view: PlayerView) {
        do throws(Failure) {
            try terminal.drawScreen { width, height in view.lines(width: width, height: height, style: terminal.style) }
        } catch {
            finish(.failure(error))
        }
    }

    private func send(_ call: PlayerCall) {
        guard call != .skipCountdown else { return askCountdown(CountdownInterface.skip) { _ in } }
        let (member, arguments) = presenter.message(call, run: run)
        daemon.connection.send(WellKnown.busName, WellKnown.rootPath, kind.interface, member, arguments) { [self] result in
            switch result {
            case .success(let values):
                if let entries = values.first?.dictionary { take(entries) }
            case .failure(let error): handle(.refused(Failure(error)))
            }
        }
    }

    /// Asks how a guide's countdown stands, and starts one that waits for the guide to be on the screen.
    private func askForCountdown() {
        guard let path = session?.view.state.countdown, path == countdownPath else { return }
        askCountdown(CountdownInterface.watch) { [self] state in
            takeCountdown(state)
            guard state[CountdownStateEntries.state.name] == .string("waiting") else { return }
            askCountdown(CountdownInterface.ready) { [self] in takeCountdown($0) }
        }
    }

    private func takeCountdown(_ state: DictionaryValue) {
        func milliseconds(_ entry: DictionaryEntry) -> UInt64 { state[entry.name]?.integer() ?? 0 }
        handle(
            .countdown(
                CountdownView(
                    duration: milliseconds(CountdownStateEntries.duration), tick: milliseconds(CountdownStateEntries.tick),
                    remaining: milliseconds(CountdownStateEntries.remaining),
                    purpose: state[CountdownStateEntries.purpose.name]?.get() ?? "",
                    skip: state[CountdownStateEntries.skippable.name]?.get() ?? false ? .now : .unavailable,
                    isPaused: state[CountdownStateEntries.state.name] == .string("paused"))))
    }

    private func askCountdown(_ member: MemberName, completion: @escaping (DictionaryValue) -> Void) {
        daemon.connection.send(WellKnown.busName, countdownPath, CountdownInterface.name, member) { [self] result in
            switch result {
            case .success(let values):
                if let state = values.first?.dictionary { completion(state) }
            case .failure(let error):
                // Its end is told by a signal; what is left to say is that it can't be skipped yet.
                if error.name == ErrorNames.notYetSkippable { handle(.refused(Failure(error))) }
            }
        }
    }

    /// The first end counts.
    private func finish(_ result: Result<(ExitStatus, String), Failure>) { end = end ?? result }
}
