import DBusTypes
import DefaultsInterface

extension TourRun {
    /// How a tour ended.
    public enum Outcome: String, Hashable, Sendable, CaseIterable {
        /// The user came to its end.
        case completed
        /// The user skipped it.
        case skipped
        /// The user closed it.
        case dismissed
        /// It couldn't be shown.
        case failed
        /// It was given back: it is still due.
        case released
        /// None of its steps could be shown (T5).
        case unavailable
        /// Its presenters died too often.
        case abandoned
    }

    /// The step that a tour is at.
    public struct State: Hashable, Sendable, FollowedState {
        /// The step to show.
        public internal(set) var step: TourStep
        /// Its place, counted from 0.
        public internal(set) var index: Int
        /// How many steps there are.
        public internal(set) var count: Int
        /// Which showing of a step this is: what was done about an earlier one changes nothing (T2).
        public internal(set) var sequence: UInt64
        /// The tour's attributes as they are now.
        public internal(set) var attributes: Attributes
        /// How it ended; nil while it is presented.
        public internal(set) var outcome: Outcome?

        /// Whether it is the first step.
        public var isFirst: Bool { index == 0 }
        /// Whether it is the last step.
        public var isLast: Bool { index == count - 1 }
        var isFinal: Bool { outcome != nil }
    }
}

/// A tour's run by the daemon's rules (T2, T3, T5), as far as its steps are known here: those that were shown, and those after them where
/// this process has defined the tour.
struct LocalTour: LocalRun {
    enum Action: Sendable {
        case next(step: String, sequence: UInt64)
        case back
        case goTo(String)
        case stepUnavailable(String)
        case finish(RunEnding)
    }

    static let interface = ToursInterface.name
    static let finished: MemberName? = ToursInterface.finished
    static let begin = ToursInterface.start
    static let release = Action.finish(.released)

    private(set) var state: TourRun.State
    private var steps: [Int: TourStep] = [:]
    private var isGoingBack = false
    private var isAnyShown = false

    var isGivenBack: Bool { state.outcome == .released }

    init?(_ entries: DictionaryValue) {
        guard let id = entries[TourEntries.id.name]?.get(as: String.self) else { return nil }
        state = TourRun.State(step: TourStep(id), index: 0, count: 1, sequence: 0, attributes: Attributes())
        follow(entries)
    }

    /// Takes note of the steps that this process has defined, where they are the ones that are shown.
    mutating func know(_ defined: [TourStep]) {
        guard defined.count == state.count, defined[state.index].id == state.step.id else { return }
        for (index, step) in defined.enumerated() where steps[index] == nil { steps[index] = step }
    }

    mutating func follow(_ entries: DictionaryValue) {
        state.step = TourStep(entries)
        state.count = max(entries.number(TourEntries.count.name), 1)
        state.index = min(max(entries.number(TourEntries.index.name), 0), state.count - 1)
        state.sequence = entries[TourEntries.sequence.name]?.integer() ?? 0
        state.attributes = entries.attributes(TourEntries.attributes.name)
        steps[state.index] = state.step
        let outcome = entries.string(TourEntries.outcome.name)
        if !outcome.isEmpty { end(outcome) }
    }

    mutating func follow(_ signal: MemberName, _ arguments: [Value]) -> Bool {
        switch signal {
        case ToursInterface.stepChanged:
            // It names the step alone; an answer of this process's own has told the rest.
            guard arguments.count == 4, let sequence = arguments[3].get(as: UInt64.self) else { return false }
            return sequence > state.sequence
        case ToursInterface.changed: if let entries = arguments.first?.dictionary { follow(entries) }
        default: break
        }
        return false
    }

    /// A word of a newer daemon ends it too: it is over, and nothing is known of how.
    mutating func end(_ outcome: String) { state.outcome = TourRun.Outcome(rawValue: outcome) ?? .dismissed }

    mutating func act(_ action: Action) throws(DefaultsError) {
        switch action {
        case .next(let step, let sequence):
            guard step == state.step.id, sequence == state.sequence else { return }
            if state.isLast { state.outcome = .completed } else { try move(to: state.index + 1, goingBack: false) }
        case .back: if !state.isFirst { try move(to: state.index - 1, goingBack: true) }
        case .goTo(let id):
            guard let index = steps.first(where: { $0.value.id == id })?.key else { throw unknown(id) }
            if index != state.index { try move(to: index, goingBack: index < state.index) }
        case .stepUnavailable(let id):
            guard id == state.step.id else { return }
            if isGoingBack && !state.isFirst {
                try move(to: state.index - 1, goingBack: true, isShown: false)
            } else if state.isLast {
                state.outcome = isAnyShown ? .completed : .unavailable
            } else {
                try move(to: state.index + 1, goingBack: false, isShown: false)
            }
        case .finish(let ending): end(ending.rawValue)
        }
    }

    private func unknown(_ id: String) -> DefaultsError {
        steps.count == state.count ? DefaultsError(.notFound, "The tour has no step \"\(id)\".") : .unreachable
    }

    private mutating func move(to index: Int, goingBack: Bool, isShown: Bool = true) throws(DefaultsError) {
        guard let step = steps[index] else { throw .unreachable }
        isGoingBack = goingBack
        isAnyShown = isAnyShown || isShown
        state.step = step
        state.index = index
        state.sequence += 1
    }

    func call(_ action: Action, _ run: UInt64) -> Call {
        switch action {
        case .next(let step, let sequence):
            (ToursInterface.next, [.uint64(run), .string(step), .uint64(sequence)])
        case .back: (ToursInterface.back, [.uint64(run)])
        case .goTo(let step): (ToursInterface.goTo, [.uint64(run), .string(step)])
        case .stepUnavailable(let step): (ToursInterface.stepUnavailable, [.uint64(run), .string(step)])
        case .finish(let ending): (ToursInterface.finish, [.uint64(run), .string(ending.rawValue)])
        }
    }

    /// A Next that is stale whatever the step shown.
    func question(_ run: UInt64) -> Call? { call(.next(step: state.step.id, sequence: .max), run) }

    func catchUp(_ run: UInt64) -> Call? {
        guard let outcome = state.outcome else { return call(.goTo(state.step.id), run) }
        // That none could be shown is an attempt, as a failure is.
        return call(.finish(RunEnding(rawValue: outcome.rawValue) ?? .failed), run)
    }
}
