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
        /// The daemon has left the bus.
        case daemonGone
    }

    /// Something to do.
    enum Action: Equatable {
        /// Show the countdown as it is.
        case show(CountdownView)
        /// Ask the daemon to skip it.
        case skip
        /// Ask the daemon to cancel it.
        case cancel
        /// Show these last words, and end.
        case end(ExitStatus, String)
        /// End with an error.
        case fail(Failure)
    }

    private enum State {
        /// Until something ends it.
        case counting
        /// Cancelled here; the answer is awaited.
        case cancelling
        /// Over: nothing more comes out.
        case ended
    }

    /// What there is to see.
    private(set) var view: CountdownView
    private var state = State.counting
    private var isSkippable: Bool

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
        case (_, .daemonGone):
            state = .ended
            return [.fail(Failure("defaultsd went away before the countdown ended", status: .unavailable))]
        case (.cancelling, .finished), (.cancelling, .cancelled), (.cancelling, .interrupted):
            state = .ended
            return [.end(.interrupted, "interrupted with \(view.timeLeft) left")]
        case (.cancelling, _): return []
        case (.counting, .interrupted):
            state = .cancelling
            return [.cancel]
        case (.counting, .cancelled): return []
        case (.counting, .finished(let reason)):
            state = .ended
            return [end(reason)]
        case (.counting, .tick(let remaining)):
            view.remaining = remaining
            updateSkip()
            return [.show(view)]
        case (.counting, .skipAvailable):
            isSkippable = true
            updateSkip()
            return [.show(view)]
        case (.counting, .exposed): return [.show(view)]
        case (.counting, .keys(let bytes)):
            // The daemon decides, even where it can't be skipped yet by what is known here.
            return Self.meansSkip(bytes) && view.skip != .unavailable ? [.skip] : []
        case (.counting, .skipRefused(let failure)):
            // Too early is on the line already; too late will be told by its end.
            if failure.status == .notNow { return [.show(view)] }
            state = .ended
            return [.fail(failure)]
        }
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
