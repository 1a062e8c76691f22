import DBusTypes
import DefaultsInterface
import LibDBus

/// One run of this process: followed while the daemon keeps it, gone on with here while the daemon is away.
///
/// On the runtime's thread, but for `board`.
final class RunFollower<Local: LocalRun>: FollowedRun, @unchecked Sendable {
    // Used on the runtime's thread; `board` has a lock of its own, and the rest is constant.

    private enum Keeper {
        case daemon
        case process
        /// The daemon knows nothing of it any more.
        case processForGood
    }

    /// What became of the wish to begin a run.
    enum Begun {
        case run(RunFollower)
        case skip(SkipReason)
    }

    let board: StateBoard<Local.State>
    let link: Link
    private(set) var run: UInt64
    var local: Local
    private var keeper = Keeper.daemon
    /// On which of the link's connections it was begun: another bus hands out the same names (S1).
    private var connection: Int
    /// The arguments that it was begun with.
    private let beginning: [Value]
    /// Whether something was done here that the daemon hasn't heard of.
    private var isAhead = false
    private var isSynchronizing = false
    /// Whether a daemon came while a call to synchronize was on its way, which may have missed it.
    private var hasDaemonCome = false
    private var countdown: CountdownRun?

    init(_ link: Link, _ local: Local, run: UInt64, beginning: [Value]) {
        self.link = link
        self.local = local
        self.run = run
        self.beginning = beginning
        connection = link.connection
        board = StateBoard(local.state)
    }

    var isEnded: Bool { local.state.isFinal }
    var state: Local.State { local.state }

    // MARK: The start

    /// Asks to begin a run: done by 500 ms, also where the daemon hangs; a run that begins later is given back.
    ///
    /// On the runtime's thread.
    static func begin(
        _ domain: Domain, _ item: String, _ options: Value,
        _ completion: @escaping (Begun) -> Void
    ) {
        let link = domain.link
        let arguments: [Value] = [.string(domain.name), .string(item), options]
        var completion: ((Begun) -> Void)? = completion
        var timer: (any TimerSource)?
        let answer = { (result: Begun) in
            timer?.cancel()
            timer = nil
            completion?(result)
            completion = nil
        }
        timer = link.runtime.after(milliseconds: Link.deadline) { answer(.skip(.unavailable)) }
        // Tips have rules on preferences: what was written before counts.
        link.writes.afterWrites { isTurn in
            guard isTurn, completion != nil else { return answer(.skip(.unavailable)) }
            link.call(Local.interface, Local.begin, arguments, timeout: Link.deadline * 40) { result in
                switch result {
                case .failure(let error): answer(.skip(SkipReason(error)))
                case .success(let reply):
                    switch begun(reply, link, arguments) {
                    case .skip(let reason): answer(.skip(reason))
                    case .run(let follower):
                        link.add(follower)
                        // No one waits for it any more: the stage is for others.
                        if completion == nil { follower.abandon() } else { answer(.run(follower)) }
                    }
                }
            }
        }
    }

    private static func begun(_ reply: [Value], _ link: Link, _ arguments: [Value]) -> Begun {
        guard reply.count == 4, let isShown = reply[0].get(as: Bool.self), let reason = reply[1].get(as: String.self),
            let run = reply[2].get(as: UInt64.self)
        else { return .skip(.unavailable) }
        guard isShown else { return .skip(SkipReason(rawValue: reason)) }
        guard let entries = reply[3].dictionary, let local = Local(entries) else { return .skip(.unavailable) }
        return .run(RunFollower(link, local, run: run, beginning: arguments))
    }

    /// Takes the countdown that runs with it: its end ends this where the daemon is away (G8).
    func take(_ countdown: CountdownRun) {
        self.countdown = countdown
        countdown.onEnd = { [weak self] reason in self?.countdownEnded(reason) }
    }

    private func countdownEnded(_ reason: Countdown.Reason) {
        if case .daemon = keeper { return }
        switch reason {
        case .elapsed: local.end("timed_out")
        case .skipped: local.end("skipped")
        case .cancelled, .ownerLost, .policy, .refused: return
        }
        isAhead = true
        publish()
        reachDaemon()
    }

    // MARK: Acting

    func act(_ action: Local.Action, _ done: @escaping @Sendable (Result<Local.State, DefaultsError>) -> Void) {
        guard case .daemon = keeper, !isEnded else { return actHere(action, done) }
        let (member, arguments) = local.call(action, run)
        link.call(Local.interface, member, arguments) { [self] result in
            switch result {
            case .success(let reply):
                take(reply)
                done(.success(local.state))
            case .failure(let error) where error.code == .unreachable:
                if case .daemon = keeper { keeper = .process }
                actHere(action, done)
            case .failure(let error): done(.failure(error))
            }
        }
    }

    private func actHere(_ action: Local.Action, _ done: (Result<Local.State, DefaultsError>) -> Void) {
        // The first outcome wins (G8).
        guard !isEnded else { return done(.success(local.state)) }
        do throws(DefaultsError) {
            try local.act(action)
            isAhead = true
            publish()
            done(.success(local.state))
            reachDaemon()
        } catch {
            done(.failure(error))
        }
    }

    private func take(_ reply: [Value]) {
        guard !isEnded, let entries = reply.first?.dictionary else { return }
        local.follow(entries)
        publish()
    }

    /// Tells where it is, and lets go of what has ended and is known to have.
    private func publish() {
        board.tell(local.state)
        guard isEnded else { return }
        if let countdown, !isDaemonKeeping { countdown.abandon() }
        if isDaemonKeeping || isForGood { link.remove(self) }
    }

    private var isDaemonKeeping: Bool { if case .daemon = keeper { true } else { false } }
    private var isForGood: Bool { if case .processForGood = keeper { true } else { false } }

    /// No one wants it any more.
    func abandon() {
        guard !isEnded else { return }
        act(Local.release) { _ in }
    }

    // MARK: Signals

    func take(_ signal: MemberName, _ arguments: [Value]) {
        guard !isEnded, arguments.count > 3, !isForGood else { return }
        if signal == Local.finished {
            keeper = .daemon
            local.end(arguments[3].get(as: String.self) ?? "")
            return publish()
        }
        // What was done here meanwhile goes before what the daemon says of the time before.
        guard isDaemonKeeping else { return synchronize() }
        if local.follow(signal, Array(arguments.dropFirst(3))), let question = local.question(run) {
            link.call(Local.interface, question.member, question.arguments) { [self] result in
                if case .success(let reply) = result { take(reply) }
            }
        }
        publish()
    }

    // MARK: The daemon away and back

    func daemonLeft() {
        if isDaemonKeeping { keeper = .process }
    }

    func daemonCame() {
        guard !isForGood else { return }
        keeper = .process
        // On a bus just joined: it is told again when there is one.
        guard link.owner != nil else { return }
        guard !isSynchronizing else {
            hasDaemonCome = true
            return
        }
        reachDaemon()
    }

    /// Tells the daemon where this is, if there is one that hasn't heard of it.
    private func reachDaemon() {
        guard case .process = keeper, !isSynchronizing, link.owner != nil else { return }
        if connection == link.connection { synchronize() } else { beginAgain() }
    }

    /// Brings the daemon to where this is, or this to where the daemon is.
    private func synchronize() {
        guard case .process = keeper, !isSynchronizing, connection == link.connection, link.owner != nil else { return }
        let wasAhead = isAhead
        guard let call = wasAhead ? local.catchUp(run) ?? local.question(run) : local.question(run) else {
            return settle()
        }
        isSynchronizing = true
        hasDaemonCome = false
        isAhead = false
        link.call(Local.interface, call.member, call.arguments) { [self] result in
            isSynchronizing = false
            switch result {
            case .success(let reply):
                guard !isAhead else { return synchronize() }
                keeper = .daemon
                take(reply)
                settle()
            case .failure(let error) where error.code == .unreachable:
                isAhead = isAhead || wasAhead
                tryAgain()
            case .failure: goOnAlone()
            }
        }
    }

    private func settle() {
        if case .process = keeper { keeper = .daemon }
        if isEnded { link.remove(self) }
    }

    private func goOnAlone() {
        keeper = .processForGood
        if isEnded { link.remove(self) }
    }

    /// Begins it anew for a daemon that has ended it, with the connection that it was begun on.
    private func beginAgain() {
        // One with a countdown would count from its start again.
        guard countdown == nil, !(isEnded && local.isGivenBack) else { return goOnAlone() }
        isSynchronizing = true
        hasDaemonCome = false
        let current = link.connection
        link.call(Local.interface, Local.begin, beginning) { [self] result in
            isSynchronizing = false
            switch result {
            case .success(let reply):
                switch Self.begun(reply, link, beginning) {
                case .run(let again):
                    run = again.run
                    connection = current
                    isAhead = true
                    synchronize()
                // Try again (S2): with the next thing that is done here, or when a daemon comes again.
                case .skip(.busy), .skip(.inhibited): break
                case .skip: goOnAlone()
                }
            case .failure(let error) where error.code == .unreachable: tryAgain()
            case .failure: goOnAlone()
            }
        }
    }

    private func tryAgain() {
        guard hasDaemonCome else { return }
        hasDaemonCome = false
        daemonCame()
    }
}
