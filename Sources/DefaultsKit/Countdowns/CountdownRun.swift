import DBusTypes
import DefaultsInterface
import Glibc
import LibDBus

/// One countdown of this process: followed while the daemon keeps it, kept here while the daemon is away.
///
/// On the runtime's thread, but for `events`.
final class CountdownRun: @unchecked Sendable {
    // Used on the runtime's thread; `events` has a lock of its own, and the rest is constant.

    /// Who keeps the countdown.
    enum Keeper {
        /// The daemon has been asked to start it.
        case undecided
        case daemon
        case process
        /// It was changed here while the daemon was away: the daemon's word counts no more.
        case processForGood
    }

    let events = CountdownEvents()
    let runtime: Runtime
    private let domain: Domain
    private let duration: Duration
    private let options: Countdown.Options
    var link: Link { domain.link }
    var keeper = Keeper.undecided
    /// Its object, once this process has a name on the bus.
    private(set) var path: ObjectPath?
    /// Under which name it was started.
    private(set) var owner: BusName?
    var local: LocalCountdown
    private var timer: (any TimerSource)?
    /// What is asked for before it is known who keeps the countdown.
    var waiting: [() -> Void] = []
    var isAbandoned = false
    /// When it was asked for.
    private var requested: Int64 = 0

    /// How late what is due may be before the daemon is asked whether it still keeps the countdown, in milliseconds.
    private static let patience = Link.deadline
    private static let scaleKey: MirrorKey = "onboarding.countdown-scale"
    /// Called with why it ended, after it was told.
    var onEnd: ((Countdown.Reason) -> Void)?
    /// The numbers of tokens: the runtime's thread counts.
    nonisolated(unsafe) private static var count = 0

    init(_ domain: Domain, _ duration: Duration, _ options: Countdown.Options) {
        self.domain = domain
        self.duration = duration
        self.options = options
        runtime = domain.link.runtime
        local = LocalCountdown(
            duration: max(duration.inNanoseconds, 0), tick: options.tick.inNanoseconds,
            skippableAfter: max(options.skippableAfter.inNanoseconds, 0), scale: 1)
    }

    /// The clock that the countdown runs on (C2).
    var now: Int64 {
        var time = timespec()
        clock_gettime(options.pausesOnSuspend ? CLOCK_MONOTONIC : CLOCK_BOOTTIME, &time)
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }

    // MARK: The start

    func start() {
        requested = now
        Self.count += 1
        let token = options.token ?? "kit_\(Self.count)"
        link.add(self)
        link.withName { [self] name in
            guard let name, let path = WellKnown.countdownPath(owner: name, token: token) else {
                return name == nil ? startHere() : refuse(Self.invalid(token))
            }
            self.path = path
            owner = name
            link.call(CountdownsInterface.name, CountdownsInterface.start, [.string(token), spec]) { [self] result in
                started(result)
            }
        }
    }

    /// Follows one that the daemon has begun for this process, instead of starting one.
    func adopt(_ path: ObjectPath) {
        self.path = path
        owner = link.name
        keeper = .daemon
        link.add(self)
        link.call(CountdownInterface.name, CountdownInterface.watch, [], at: path) { [self] result in
            guard !local.isFinished, case .success(let reply) = result, let state = reply.first,
                let entries = state.dictionary,
                let duration = entries[CountdownStateEntries.duration.name]?.integer(as: Int64.self),
                let tick = entries[CountdownStateEntries.tick.name]?.integer(as: Int64.self)
            else { return }
            local = LocalCountdown(
                duration: duration * LocalCountdown.millisecond, tick: tick * LocalCountdown.millisecond,
                // When it will be is only known by its signal.
                skippableAfter: entries.flag(CountdownStateEntries.skippable.name) ? 0 : duration * LocalCountdown.millisecond,
                scale: 1)
            if let tick = events.tick { _ = local.follow(tick, at: now, isDuplicate: false) }
            follow(state)
            if case .process = keeper { work() } else { awaitDaemon() }
        }
    }

    private static func invalid(_ token: String) -> DefaultsError {
        DefaultsError(.invalidName, "The token \"\(token.prefix(80))\" must be 1 to 64 characters of A-Z, a-z, 0-9 and _.")
    }

    private var spec: Value {
        // Less than nothing is sent as it is, for the daemon to refuse.
        .vardict([
            (CountdownSpecEntries.duration.name, .int64(duration.inMilliseconds)),
            (CountdownSpecEntries.tick.name, .int64(options.tick.inMilliseconds)),
            (CountdownSpecEntries.start.name, .string(options.startsWhenReady ? "when_ready" : "now")),
            (CountdownSpecEntries.skippableAfter.name, .int64(options.skippableAfter.inMilliseconds)),
            (CountdownSpecEntries.onSuspend.name, .string(options.pausesOnSuspend ? "pause" : "continue")),
            (CountdownSpecEntries.purpose.name, .string(options.purpose)),
        ])
    }

    private func started(_ result: Result<[Value], DefaultsError>) {
        guard !local.isFinished else { return }
        switch result {
        case .success(let reply):
            if case .undecided = keeper { keeper = .daemon }
            if reply.count == 2 { follow(reply[1]) }
            awaitDaemon()
            proceed()
        case .failure(let error) where error.code == .unreachable:
            if case .undecided = keeper { startHere() }
        case .failure(let error): refuse(error)
        }
    }

    private func startHere() {
        keeper = .process
        local = LocalCountdown(
            duration: max(duration.inNanoseconds, 0), tick: options.tick.inNanoseconds,
            skippableAfter: max(options.skippableAfter.inNanoseconds, 0), scale: scale)
        if !options.startsWhenReady { tell((try? local.act(.ready, at: requested)) ?? []) }
        work()
        proceed()
    }

    /// How the user stretches countdowns, as far as this process knows it (C10).
    private var scale: Double {
        let value = domain.peek(Self.scaleKey)
        let number: Double? =
            if case .double(let number)? = value { number } else { value?.integer(as: Int64.self).map { Double($0) } }
        guard let number, !number.isNaN else { return 1 }
        return number == 0 ? 0 : min(max(number, 1), 10)
    }

    private func refuse(_ error: DefaultsError) {
        keeper = .processForGood
        end(.refused, error)
        proceed()
    }

    private func proceed() {
        let due = waiting
        waiting = []
        for job in due { job() }
        if isAbandoned { abandon() }
    }

    // MARK: Who keeps it

    /// The daemon has left: its countdown goes on here.
    func daemonLeft() {
        guard case .daemon = keeper else { return }
        keeper = .process
        work()
    }

    /// A daemon has come: the one that knows this countdown sends its ticks again (C9).
    func daemonCame() {
        guard case .process = keeper, let path, owner == link.name else { return }
        link.call(CountdownInterface.name, CountdownInterface.watch, [], at: path) { [self] result in
            guard case .process = keeper, !local.isFinished, case .success(let reply) = result, let state = reply.first else {
                return
            }
            keeper = .daemon
            follow(state)
            awaitDaemon()
        }
    }

    /// Has the daemon asked where what is due doesn't come: of one that hangs the bus says nothing.
    func awaitDaemon() {
        guard case .daemon = keeper, !local.isFinished else { return }
        guard let due = local.nextDue else {
            timer?.disarm()
            return
        }
        let patience = Int64(Self.patience) * LocalCountdown.millisecond
        wake(at: max(due, now) + patience)
    }

    private func askDaemon() {
        guard let path else { return }
        link.call(CountdownInterface.name, CountdownInterface.watch, [], at: path) { [self] result in
            guard case .daemon = keeper, !local.isFinished else { return }
            switch result {
            case .success(let reply):
                if let state = reply.first { follow(state) }
                awaitDaemon()
            case .failure(let error) where error.code == .unreachable: daemonLeft()
            // It has ended there, which a signal tells.
            case .failure: break
            }
        }
    }

    /// Takes over what a state says.
    func follow(_ state: Value) {
        guard let entries = state.dictionary,
            let remaining = entries[CountdownStateEntries.remaining.name]?.integer(as: Int64.self)
        else { return }
        let left = remaining * LocalCountdown.millisecond
        switch entries.text(CountdownStateEntries.state) {
        case "waiting": local.follow(.waiting(left: left), at: now)
        case "paused": local.follow(.paused(left: left), at: now)
        case "running": local.follow(.running(deadline: now + left), at: now)
        default: break
        }
    }

    // MARK: Signals

    /// Takes a signal of the daemon's countdown.
    func take(_ member: MemberName, _ arguments: [Value]) {
        guard !local.isFinished else { return }
        var isDuplicate = false
        switch keeper {
        // Before the answer to Start come only signals of another countdown of the same token.
        case .undecided, .processForGood: return
        case .daemon: break
        // The daemon lives, whatever was thought of it, and begins with what may have been told already.
        case .process: isDuplicate = true
        }
        keeper = .daemon
        defer { awaitDaemon() }
        switch member {
        case CountdownInterface.tickSignal:
            guard arguments.count == 3, let ticks: Int = arguments[0].integer(), let remaining: Int = arguments[1].integer(),
                let missed: Int = arguments[2].integer()
            else { return }
            let tick = Countdown.Tick(remainingTicks: ticks, remaining: .milliseconds(remaining), missed: missed)
            if local.follow(tick, at: now, isDuplicate: isDuplicate) { events.tell(.tick(tick)) }
        case CountdownInterface.skipAvailable:
            if local.followSkip() { events.tell(.skipAvailable) }
        case CountdownInterface.finished:
            end(Countdown.Reason(rawValue: arguments.first?.get(as: String.self) ?? "") ?? .cancelled)
        default: break
        }
    }

    private func end(_ reason: Countdown.Reason, _ failure: DefaultsError? = nil) {
        local.follow(.finished(reason), at: now)
        events.tell(.finished(reason), failure: failure)
        timer?.cancel()
        timer = nil
        link.remove(self)
        onEnd?(reason)
        onEnd = nil
    }

    // MARK: In this process

    /// Tells what is due here, and comes back for what is due next.
    func work() {
        tell(local.advance(to: now))
        if let due = local.nextDue { wake(at: due) }
    }

    private func wake(at moment: Int64) {
        if timer == nil { timer = runtime.loop.addTimer { [weak self] in self?.timePassed() } }
        timer?.arm(afterMilliseconds: Int(max(moment - now, 0).dividedRoundingUp(by: LocalCountdown.millisecond)))
    }

    private func timePassed() {
        switch keeper {
        case .daemon: askDaemon()
        case .process, .processForGood: work()
        case .undecided: break
        }
    }

    func tell(_ due: [Countdown.Event]) {
        for event in due {
            if case .finished(let reason) = event { end(reason) } else { events.tell(event) }
        }
    }
}
