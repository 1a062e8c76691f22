/// A countdown in the terminal as a state machine: what happens goes in, what to do comes out.
struct CountdownSession {
    /// Something that happened.
    enum Event: Equatable {
        /// A tick, with the milliseconds left.
        case tick(remaining: UInt64)
        /// It may be skipped from now on.
        case skipAvailable
        /// It has ended.
        case finished(reason: String)
        /// What came from the keyboard.
        case keys([UInt8])
        /// The daemon did not skip it when asked to.
        case skipRefused(Failure)
        /// A signal asks to stop.
        case interrupted
        /// Cancelling was answered, or took too long.
        case cancelled
        /// The screen may show anything now.
        case exposed
        /// The daemon answered how it stands.
        case state(remaining: UInt64, isSkippable: Bool, isPaused: Bool)
        /// The daemon did not say how it stands.
        case stateUnknown(Failure)
        /// The daemon has left the bus.
        case daemonGone
        /// A daemon has come to the bus.
        case daemonCame
        /// The daemon has been away for as long as it is waited for.
        case patienceOver
    }

    /// Something to do.
    enum Action: Equatable {
        /// Show the countdown as it is.
        case show(CountdownView)
        /// Ask the daemon to skip it.
        case skip
        /// Ask the daemon to cancel it.
        case cancel
        /// Say this where each tick is a line.
        case note(String)
        /// Say this, and then go on.
        case say(String)
        /// Have the daemon come back, and wait for it.
        case awaitDaemon
        /// Ask the daemon how it stands.
        case ask
        /// Show these last words, and end.
        case end(ExitStatus, String)
        /// End with an error.
        case fail(Failure)
    }

    private enum State {
        /// Until something ends it.
        case counting
        /// The daemon is away; its next run takes the countdown up where it is then (C9).
        case away
        /// Cancelled here; the answer is awaited.
        case cancelling
        /// Over: nothing more comes out.
        case ended
    }

    /// How long the daemon's return is awaited, in milliseconds: an update takes less, a person would not wait longer.
    static let patience = 10_000

    /// What there is to see.
    private(set) var view: CountdownView
    private var state = State.counting
    private var isSkippable: Bool

    /// Whether the daemon is there, so that its silence means something.
    var expectsTicks: Bool { state == .counting }

    /// Begins with what the daemon answered to Start; `hasKeys` says whether there is a keyboard.
    init(
        duration: UInt64, tick: UInt64, remaining: UInt64, isSkippable: Bool, skippableAfter: UInt64, purpose: String,
        hasKeys: Bool
    ) {
        self.isSkippable = isSkippable
        view = CountdownView(
            duration: duration, tick: tick, remaining: remaining, purpose: purpose, skip: hasKeys ? .now : .unavailable,
            skippableAfter: skippableAfter)
        updateSkip()
    }

    /// Takes in an event.
    mutating func handle(_ event: Event) -> [Action] {
        switch (state, event) {
        case (.ended, _): return []
        case (.cancelling, .finished), (.cancelling, .cancelled), (.cancelling, .interrupted), (.cancelling, .daemonGone),
            (.away, .interrupted):
            // Where the daemon is away it isn't told: it ends what has no owner any more (C8).
            state = .ended
            return [.end(.interrupted, "interrupted with \(view.timeLeft) left")]
        case (.cancelling, _): return []
        case (_, .finished(let reason)):
            state = .ended
            return [end(reason)]
        case (_, .tick(let remaining)):
            state = .counting
            view.remaining = remaining
            view.isPaused = false
            updateSkip()
            return [.show(view)]
        case (_, .skipAvailable):
            isSkippable = true
            updateSkip()
            return [.show(view)]
        case (_, .exposed): return [.show(view)]
        case (_, .state(let remaining, let isSkippable, let isPaused)):
            return take(remaining: remaining, isSkippable: isSkippable, isPaused: isPaused)
        case (_, .stateUnknown(let failure)):
            // Away it will be asked again, and of an end its own signal tells.
            guard failure.status == .no else { return [] }
            state = .ended
            return [.fail(Failure("defaultsd has forgotten the countdown", status: .unavailable))]
        case (_, .daemonCame): return [.ask]
        case (.away, .patienceOver):
            state = .ended
            let words = "defaultsd went away before the countdown ended, and was not back in \(Self.patience / 1000) seconds"
            return [.fail(Failure(words, status: .unavailable))]
        case (.away, .keys), (.away, .skipRefused), (.away, .daemonGone), (_, .cancelled), (_, .patienceOver): return []
        case (.counting, .daemonGone):
            state = .away
            return [.say("defaultsd went away; waiting for it to come back"), .awaitDaemon]
        case (.counting, .interrupted):
            state = .cancelling
            return [.cancel]
        case (.counting, .keys(let bytes)):
            // The daemon decides, even where it can't be skipped yet by what is known here.
            return Self.meansSkip(bytes) && view.skip != .unavailable ? [.skip] : []
        case (.counting, .skipRefused(let failure)):
            // Too early is on the line already; too late will be told by its end, and an absence by the bus.
            if failure.status == .notNow || failure.status == .unavailable { return [.show(view)] }
            state = .ended
            return [.fail(failure)]
        }
    }

    /// Takes in what no signal tells of: that it was paused or resumed, and how it came over an absence of the daemon.
    private mutating func take(remaining: UInt64, isSkippable: Bool, isPaused: Bool) -> [Action] {
        let (wasAway, wasPaused) = (state == .away, view.isPaused)
        state = .counting
        self.isSkippable = isSkippable
        view.isPaused = isPaused
        // Between two ticks the line keeps the count of the first.
        if isPaused || wasAway { view.remaining = remaining }
        updateSkip()
        guard wasAway || wasPaused != isPaused else { return [] }
        return isPaused && !wasPaused ? [.show(view), .note("paused with \(view.timeLeft) left")] : [.show(view)]
    }

    private func end(_ reason: String) -> Action {
        switch reason {
        case "elapsed": .end(.success, "elapsed")
        case "skipped": .end(.skipped, "skipped with \(view.timeLeft) left")
        case "cancelled": .end(.interrupted, "cancelled with \(view.timeLeft) left")
        default: .end(.interrupted, "ended (\(TextEscaping.safe(reason))) with \(view.timeLeft) left")
        }
    }

    /// Elapsed time comes from what is left, so the hint is right on ticks; a SkipAvailable in between makes it so at once.
    private mutating func updateSkip() {
        guard view.skip != .unavailable else { return }
        let elapsed = view.duration - min(view.remaining, view.duration)
        view.skip = isSkippable || elapsed >= view.skippableAfter ? .now : .after(view.skippableAfter - elapsed)
    }

    /// Whether s, space or Enter was pressed; what begins with Escape is another key's sequence, whatever its letters.
    private static func meansSkip(_ bytes: [UInt8]) -> Bool {
        guard bytes.first != 0x1B else { return false }
        return bytes.contains { "sS \r\n".utf8.contains($0) }
    }
}
