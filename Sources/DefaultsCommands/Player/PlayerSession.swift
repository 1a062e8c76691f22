/// A guide, a tour or a tip in the terminal as a state machine: what happens goes in, what to do comes out.
struct PlayerSession {
    /// Something that happened.
    enum Event: Equatable {
        /// A key.
        case key(PlayerKey)
        /// The daemon answered, or told, how the run stands.
        case state(PlayerState)
        /// The run is at another page or step than before: of a guide its number, of a tour its sequence.
        case moved(UInt64)
        /// The run has ended.
        case finished(outcome: String)
        /// How the guide's countdown stands; nil if it has none any more.
        case countdown(CountdownView?)
        /// The guide's countdown ticks, with the milliseconds left.
        case tick(remaining: UInt64)
        /// The guide's countdown may be skipped from now on.
        case skipAvailable
        /// The daemon refused a call.
        case refused(Failure)
        /// A signal asks to stop.
        case interrupted
        /// What an interruption asked for has taken too long.
        case releaseOverdue
        /// The screen may show anything now.
        case exposed
        /// The daemon has left the bus.
        case daemonGone
        /// A daemon has come to the bus.
        case daemonCame
        /// The daemon has been away for as long as it is waited for.
        case patienceOver
    }

    /// Something to do.
    enum Action: Equatable {
        /// Show this.
        case show(PlayerView)
        /// Ask the daemon for this; what it answers is an event.
        case call(PlayerCall)
        /// Wait for the daemon to come back.
        case awaitDaemon
        /// End, with these last words.
        case end(ExitStatus, String)
        /// End with an error.
        case fail(Failure)
    }

    private enum State {
        /// The user looks at it.
        case presenting
        /// The daemon is away; its next run takes the presentation up where it is (S1).
        case away
        /// Interrupted: the answer to its release is awaited.
        case releasing
        /// Over: nothing more comes out.
        case ended
    }

    /// How long the daemon's return is awaited, in milliseconds.
    static let patience = CountdownSession.patience

    /// What there is to see.
    private(set) var view: PlayerView
    private var state = State.presenting

    /// Begins with what the daemon answered when it was asked to present.
    init(_ state: PlayerState) { view = PlayerView(state: state) }

    /// Takes in an event.
    mutating func handle(_ event: Event) -> [Action] {
        switch (state, event) {
        case (.ended, _): return []
        case (_, .finished(let outcome)): return end(outcome)
        case (_, .state(let new)) where new.outcome != nil: return end(new.outcome ?? "")
        case (.releasing, .refused), (.releasing, .releaseOverdue), (.releasing, .interrupted), (.releasing, .daemonGone),
            (.away, .interrupted), (.away, .key(.escape)), (.away, .key(.letter("q"))):
            // Where the daemon can't be told, it sees that the presenter has gone.
            return end(view.state.kind.unseen, interrupted: true)
        case (.releasing, _), (_, .releaseOverdue): return []
        case (_, .state(let new)): return show(new)
        case (_, .exposed): return [.show(view)]
        case (.presenting, .moved(let place)): return place == self.place ? [] : [.call(.look(view.state))]
        case (_, .countdown(let countdown)):
            view.countdown = countdown
            return [.show(view)]
        case (_, .tick(let remaining)):
            view.countdown?.remaining = remaining
            view.countdown?.isPaused = false
            return [.show(view)]
        case (_, .skipAvailable):
            view.countdown?.skip = .now
            view.notice = ""
            return [.show(view)]
        case (.presenting, .key(let key)): return press(key)
        case (.presenting, .interrupted):
            state = .releasing
            return [.call(.finish(view.state.kind.unseen))]
        case (.presenting, .daemonGone):
            state = .away
            view.notice = "defaultsd went away; waiting for it to come back"
            return [.show(view), .awaitDaemon]
        case (.away, .patienceOver):
            let words = "defaultsd went away, and was not back in \(Self.patience / 1000) seconds"
            return fail(Failure(words, status: .unavailable))
        // A tip stands as it stood; nothing asks for one.
        case (_, .daemonCame): return view.state.kind == .tip ? show(view.state) : [.call(.look(view.state))]
        case (_, .refused(let failure)): return refused(failure)
        case (.away, .key), (.away, .moved), (.away, .daemonGone), (.presenting, .patienceOver): return []
        }
    }

    /// What `moved` counts.
    private var place: UInt64 { view.state.kind == .tour ? view.state.sequence : UInt64(view.state.index) }

    private mutating func show(_ new: PlayerState) -> [Action] {
        state = .presenting
        view.state = new
        view.notice = ""
        return [.show(view)]
    }

    private mutating func refused(_ failure: Failure) -> [Action] {
        switch failure.status {
        case .no: return fail(Failure("defaultsd has forgotten what was presented", status: .unavailable))
        // Its absence is told by the bus.
        case .unavailable: return []
        case .notNow: view.notice = "This can't be skipped yet."
        default: view.notice = failure.message
        }
        return [.show(view)]
    }

    // MARK: Keys

    private func press(_ key: PlayerKey) -> [Action] {
        if view.state.kind == .tip { return pressInTip(key) }
        switch key {
        case .left, .letter("h"): return view.state.isFirst ? [] : [.call(.back)]
        case .right, .letter("l"): return view.state.hasButton ? [] : [.call(.forward(view.state))]
        case .enter, .space: return [.call(view.state.hasButton ? .finish("completed") : .forward(view.state))]
        case .letter("s"): return [.call(view.countdown == nil ? .finish("skipped") : .skipCountdown)]
        case .escape, .letter("q"): return [.call(.finish("dismissed"))]
        case .letter: return []
        }
    }

    private func pressInTip(_ key: PlayerKey) -> [Action] {
        switch key {
        case .enter, .space: [.call(.finish("action"))]
        case .escape, .letter("q"): [.call(.finish("closed"))]
        case .letter("h"): [.call(.finish("hidden"))]
        case .left, .right, .letter: []
        }
    }

    // MARK: Ends

    private mutating func end(_ outcome: String, interrupted: Bool = false) -> [Action] {
        let status: ExitStatus =
            if interrupted || state == .releasing {
                .interrupted
            } else {
                switch outcome {
                case "completed", "dismissed", "timed_out", "action", "closed", "hidden": .success
                case "skipped": .skipped
                // Not by the user: what presents it was told to stop.
                default: .interrupted
                }
            }
        state = .ended
        return [.end(status, outcome)]
    }

    private mutating func fail(_ failure: Failure) -> [Action] {
        state = .ended
        return [.fail(failure)]
    }
}

/// What the daemon is asked for while something is presented.
enum PlayerCall: Equatable {
    /// The next page, or the step after the present one.
    case forward(PlayerState)
    /// The page or step before.
    case back
    /// How the run stands, changing nothing.
    case look(PlayerState)
    /// The end, with an outcome.
    case finish(String)
    /// The end of the guide's countdown, which ends the guide.
    case skipCountdown
}
