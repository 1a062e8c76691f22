import DBusTypes

/// How a run of a tour ends, and what that does to the tour.
struct TourConclusion {
    /// The state of the run, and of the tour.
    let state: Run.State
    /// The outcome.
    let outcome: String
    /// Whether the user has ended it (G1).
    var isSeen = false
    /// Whether the presentation counts as no attempt (G2).
    var isNoAttempt = false
    /// Whether its presenter died.
    var isCrash = false
    /// Whether the step on the screen counts as shown.
    var showsStep = true
    /// Whether the next run begins at the first step.
    var isOver = false

    /// What a call of Finish says; the raw value is the word on the wire.
    enum Wish: String, CaseIterable {
        case completed
        case skipped
        case dismissed
        case failed
        case released
    }

    /// By Finish.
    static func finish(_ wish: Wish) -> TourConclusion {
        switch wish {
        case .completed, .skipped, .dismissed: TourConclusion(state: .finished, outcome: wish.rawValue, isSeen: true)
        case .failed: TourConclusion(state: .finished, outcome: wish.rawValue, showsStep: false)
        case .released: TourConclusion(state: .released, outcome: wish.rawValue, isNoAttempt: true)
        }
    }

    /// Past the last step, which couldn't be shown, nor any before it (T5).
    static let unavailable = TourConclusion(state: .finished, outcome: "unavailable", showsStep: false, isOver: true)

    /// Past the last step, which couldn't be shown, when another was (T5).
    static let completedWithoutLast = TourConclusion(
        state: .finished, outcome: "completed", isSeen: true, showsStep: false)

    /// Other than by a call about the run, at the given attempt of those that its definition allows.
    static func end(_ end: RunEnd, attempt: UInt32, of maximum: UInt32) -> TourConclusion {
        switch end {
        case .ownerLost where maximum > 0 && attempt >= maximum:
            TourConclusion(state: .finished, outcome: "abandoned", isCrash: true)
        case .ownerLost: TourConclusion(state: .suspended, outcome: "released", isCrash: true)
        case .busLost: TourConclusion(state: .suspended, outcome: "released", isNoAttempt: true)
        case .policy, .removed, .superseded, .countdown: .finish(.released)
        }
    }
}

extension TourProgress {
    /// Leaves a run unfinished, at no cost of an attempt.
    mutating func leave(as state: State, at now: Instant) {
        self.state = state
        outcome = TourConclusion.Wish.released.rawValue
        attempts -= min(attempts, 1)
        since = now.wall
        hasCrashed = false
    }

    /// Takes note that a run begins.
    mutating func begin(_ tour: TourRun, keepsStatistics: Bool, at now: Instant) {
        let isNew = tour.run.revision > revision
        if isNew {
            attempts = 0
            furthest = 0
        }
        revision = max(revision, tour.run.revision)
        state = .presenting
        outcome = ""
        attempts.countOne()
        since = now.wall
        hasCrashed = false
        if keepsStatistics { statistics.shown.countOne() }
        reach(tour, keepsStatistics: keepsStatistics)
    }

    /// Takes note of the step on the screen.
    mutating func reach(_ tour: TourRun, keepsStatistics: Bool) {
        step = tour.step.id
        steps = tour.steps.map(\.id)
        shown = tour.place.shown
        let index = UInt32(clamping: tour.place.step)
        furthest = max(furthest, index)
        if keepsStatistics { statistics.furthest = max(statistics.furthest, index) }
    }

    /// Takes note that a run has ended.
    mutating func conclude(_ tour: TourRun, _ conclusion: TourConclusion, keepsStatistics: Bool, at now: Instant) {
        reach(tour, keepsStatistics: keepsStatistics)
        switch conclusion.state {
        case .presenting: state = .presenting
        case .finished: state = .finished
        case .released: state = .released
        case .suspended: state = .suspended
        }
        outcome = conclusion.outcome
        if conclusion.isSeen { seenRevision = max(seenRevision, tour.run.revision) }
        if conclusion.isNoAttempt { attempts -= min(attempts, 1) }
        if conclusion.isOver {
            step = nil
            shown = []
        }
        since = now.wall
        hasCrashed = conclusion.isCrash
        if keepsStatistics { statistics.outcomes[conclusion.outcome, default: 0].countOne() }
    }
}
