/// A countdown that the daemon keeps, so that it goes on in phase whatever happens to this process's threads, and ends by itself where
/// there is no daemon.
///
///     let countdown = defaults.countdown(.seconds(10), Countdown.Options(skippableAfter: .seconds(3)))
///     skipButton.onClick { Task { try? await countdown.skip() } }
///     for await event in countdown {
///         switch event {
///         case .tick(let tick): label.text = "\(tick.remainingTicks)s"
///         case .skipAvailable: skipButton.isEnabled = true
///         case .finished: close()
///         }
///     }
///
/// It begins when it is made. Cancelling a task that loops over it cancels it, and so does letting go of it. Each loop has a buffer of
/// its own for the newest tick, and gets the end always.
///
/// A daemon that hangs is found out by what it doesn't send: half a second after a tick was due it is asked, and where it has not answered within
/// another the countdown goes on here, from where it would be. When the daemon goes on, so does its countdown.
public final class Countdown: AsyncSequence, Sendable {
    /// What a countdown tells.
    public enum Event: Hashable, Sendable {
        /// The newest count.
        case tick(Tick)
        /// From now on it can be skipped; once, where `skippableAfter` was given.
        case skipAvailable
        /// It ended: the last element.
        case finished(Reason)
    }

    /// One tick: of 10 s by 1 s there are eleven, 10 to 0, the last at the end (C1).
    public struct Tick: Hashable, Sendable {
        /// How many are still to come; what a person is shown.
        public let remainingTicks: Int
        /// How long it still runs.
        public let remaining: Duration
        /// How many ticks were left out before this one, which stands for them (C3).
        public let missed: Int

        /// Describes a tick.
        public init(remainingTicks: Int, remaining: Duration, missed: Int = 0) {
            self.remainingTicks = remainingTicks
            self.remaining = remaining
            self.missed = missed
        }
    }

    /// Why a countdown ended.
    public enum Reason: String, Hashable, Sendable, CaseIterable {
        /// Its time ran out.
        case elapsed
        /// It was skipped.
        case skipped
        /// It was cancelled, or replaced by another of the same token.
        case cancelled
        /// Its owner's connection ended.
        case ownerLost = "owner_lost"
        /// A policy forbids what it was for.
        case policy
        /// The daemon refused to start it: see ``Countdown/failure``.
        case refused
    }

    /// What a countdown may have besides its duration.
    public struct Options: Hashable, Sendable {
        /// The time from tick to tick, at least 50 ms.
        public var tick: Duration
        /// How long after its start it can't be skipped.
        public var skippableAfter: Duration
        /// Whether it waits for ``Countdown/ready()`` before its time runs, for what must first be drawn.
        public var startsWhenReady: Bool
        /// Whether its time stands still while the machine sleeps.
        public var pausesOnSuspend: Bool
        /// What it is for, for people who list countdowns.
        public var purpose: String
        /// The name under which other processes find it: 1 to 64 of `[A-Za-z0-9_]`; one of its own where it is nil.
        public var token: String?

        /// Ticks every second from now on, and can be skipped at once.
        public init(
            tick: Duration = .seconds(1), skippableAfter: Duration = .zero, startsWhenReady: Bool = false,
            pausesOnSuspend: Bool = false, purpose: String = "", token: String? = nil
        ) {
            self.tick = tick
            self.skippableAfter = skippableAfter
            self.startsWhenReady = startsWhenReady
            self.pausesOnSuspend = pausesOnSuspend
            self.purpose = purpose
            self.token = token
        }
    }

    private let run: CountdownRun
    private let handle: LinkHandle

    init(_ run: CountdownRun, _ handle: LinkHandle) {
        self.run = run
        self.handle = handle
    }

    deinit {
        let run = run
        run.runtime.run { run.abandon() }
    }

    /// Why it ended; nil while it lives.
    public var reason: Reason? { run.events.reason }

    /// Why the daemon refused to start it, as `invalidArgument` for a tick below 50 ms; nil where it didn't.
    public var failure: DefaultsError? { run.events.failure }

    /// The newest tick, what has come since, and the end.
    public func makeAsyncIterator() -> Iterator { Iterator(countdown: self, buffer: run.events.makeBuffer()) }

    /// One loop's place in the events.
    public struct Iterator: AsyncIteratorProtocol {
        fileprivate let countdown: Countdown
        fileprivate let buffer: CountdownBuffer

        /// The next event; nil after the end.
        ///
        /// Where the task is cancelled, the countdown is too.
        public func next() async -> Event? { await next(isolation: nil) }

        /// The next event; nil after the end.
        ///
        /// Where the task is cancelled, the countdown is too.
        public func next(isolation actor: isolated (any Actor)?) async -> Event? {
            let (countdown, buffer) = (countdown, buffer)
            return await withTaskCancellationHandler {
                await buffer.next()
            } onCancel: {
                buffer.stop()
                countdown.cancelLater()
            }
        }
    }

    private func cancelLater() {
        let run = run
        run.runtime.run { run.abandon() }
    }

    // MARK: Acting on it

    /// Ends it as skipped.
    ///
    /// - Throws: `notYetSkippable` before `skippableAfter` or ``ready()``, `alreadyFinished`.
    public func skip() async throws(DefaultsError) { try await act(.skip) }

    /// Ends it as cancelled; nothing where it has ended.
    public func cancel() async {
        do throws(DefaultsError) {
            try await act(.cancel)
        } catch {
            // It has ended, which is all that was wanted.
        }
    }

    /// Starts the time of one that waits; a second time changes nothing.
    ///
    /// - Throws: `alreadyFinished`.
    public func ready() async throws(DefaultsError) { try await act(.ready) }

    /// Stops the time and keeps what is left; a second time changes nothing.
    ///
    /// - Throws: `alreadyFinished`.
    public func pause() async throws(DefaultsError) { try await act(.pause) }

    /// Lets the time run on with what was left; changes nothing where it runs.
    ///
    /// - Throws: `alreadyFinished`.
    public func resume() async throws(DefaultsError) { try await act(.resume) }

    /// Adds to what is left.
    ///
    /// - Throws: `alreadyFinished`; `invalidArgument` for less than nothing, and where more than 30 days would be left.
    public func extend(by duration: Duration) async throws(DefaultsError) { try await act(.extend(duration)) }

    private func act(_ action: CountdownAction) async throws(DefaultsError) {
        let run = run
        let result = await withCheckedContinuation { continuation in
            run.runtime.run { run.act(action) { continuation.resume(returning: $0) } }
        }
        try result.get()
    }
}

/// What can be done to a countdown.
enum CountdownAction: Sendable {
    case skip, cancel, ready, pause, resume
    case extend(Duration)
}

extension Defaults {
    /// Begins a countdown, whatever has become of the daemon; see ``Countdown``.
    public func countdown(_ duration: Duration, _ options: Countdown.Options = Countdown.Options()) -> Countdown {
        let run = CountdownRun(domain, duration, options)
        link.runtime.run { run.start() }
        return Countdown(run, handle)
    }
}
