import DBusTypes
import DefaultsInterface

extension Presentation {
    /// How a presentation ended.
    public enum Outcome: String, Hashable, Sendable, CaseIterable {
        /// The user came to its end.
        case completed
        /// The user skipped it, or its countdown.
        case skipped
        /// The user closed it.
        case dismissed
        /// Its countdown ran out.
        case timedOut = "timed_out"
        /// It couldn't be shown.
        case failed
        /// It was given back: it is still due.
        case released
        /// Its presenters died too often.
        case abandoned
    }

    /// Where a presentation is, and what it shows.
    public struct State: Hashable, Sendable, FollowedState {
        /// The page to show, counted from 0.
        public internal(set) var page: Int
        /// The pages, as they were when the presentation began (G4).
        public let pages: [GuidePage]
        /// How it is completed.
        public let completion: GuideDefinition.Completion
        /// The furthest page reached, counted from 0.
        public internal(set) var furthest: Int
        /// How many presentations of this revision count, this one included.
        public internal(set) var attempts: Int
        /// The attributes as they are now.
        public internal(set) var attributes: Attributes
        /// How it ended; nil while it is presented.
        public internal(set) var outcome: Outcome?

        /// How many pages there are.
        public var count: Int { pages.count }
        /// The page to show.
        public var current: GuidePage { pages[page] }
        /// Whether it is the first page.
        public var isFirst: Bool { page == 0 }
        /// Whether it is the last page.
        public var isLast: Bool { page == count - 1 }
        /// Whether to show the button that completes the guide (G7).
        public var isButtonVisible: Bool { isLast && completion == .button }
        var isFinal: Bool { outcome != nil }
    }
}

/// A guide's run by the daemon's rules (G1, G7, G8).
struct LocalGuide: LocalRun {
    enum Action: Sendable {
        case advance(Int)
        case goTo(Int)
        case finish(RunEnding)
    }

    static let interface = GuidesInterface.name
    static let finished: MemberName? = GuidesInterface.finished
    static let begin = GuidesInterface.present
    static let release = Action.finish(.released)

    private(set) var state: Presentation.State
    /// Where its countdown is; nil where it has none.
    let countdown: ObjectPath?

    var isGivenBack: Bool { state.outcome == .released }

    init?(_ entries: DictionaryValue) {
        guard case .array(let array)? = entries[GuideDefinitionEntries.pages.name], !array.isEmpty else { return nil }
        let pages = array.values.compactMap(\.dictionary).map { GuidePage($0) }
        let path = entries[GuideEntries.countdown.name]?.get(as: ObjectPath.self)
        countdown = path == .root ? nil : path
        state = Presentation.State(
            page: 0, pages: pages,
            completion: GuideDefinition.Completion(rawValue: entries.string(GuideDefinitionEntries.completion.name)) ?? .swipe,
            furthest: 0, attempts: 0, attributes: Attributes())
        follow(entries)
    }

    mutating func follow(_ entries: DictionaryValue) {
        state.page = clamped(entries.number(GuideEntries.page.name))
        state.furthest = clamped(entries.number(GuideEntries.furthest.name))
        state.attempts = entries.number(GuideEntries.attempts.name)
        state.attributes = entries.attributes(GuideDefinitionEntries.attributes.name)
        let outcome = entries.string(GuideEntries.outcome.name)
        if !outcome.isEmpty { end(outcome) }
    }

    mutating func follow(_ signal: MemberName, _ arguments: [Value]) -> Bool {
        switch signal {
        case GuidesInterface.pageChanged: if let page: Int = arguments.first?.integer() { turn(to: page) }
        case GuidesInterface.changed: if let entries = arguments.first?.dictionary { follow(entries) }
        default: break
        }
        return false
    }

    /// A word of a newer daemon ends it too: it is over, and nothing is known of how.
    mutating func end(_ outcome: String) { state.outcome = Presentation.Outcome(rawValue: outcome) ?? .dismissed }

    mutating func act(_ action: Action) throws(DefaultsError) {
        switch action {
        case .advance(1) where state.isLast && state.completion == .swipe: state.outcome = .completed
        case .advance(let pages):
            let (page, overflow) = state.page.addingReportingOverflow(pages)
            turn(to: overflow ? (pages > 0 ? state.count : 0) : page)
        case .goTo(let page):
            guard state.pages.indices.contains(page) else {
                throw DefaultsError(.notFound, "The guide has no page \(page); its pages are 0 to \(state.count - 1).")
            }
            turn(to: page)
        case .finish(let ending): end(ending.rawValue)
        }
    }

    private mutating func turn(to page: Int) {
        state.page = clamped(page)
        state.furthest = max(state.furthest, state.page)
    }

    private func clamped(_ page: Int) -> Int { min(max(page, 0), state.count - 1) }

    func call(_ action: Action, _ run: UInt64) -> Call {
        switch action {
        case .advance(let pages): (GuidesInterface.advance, [.uint64(run), .int32(Int32(clamping: pages))])
        case .goTo(let page):
            // One that no guide can have is for the daemon to refuse.
            (GuidesInterface.goTo, [.uint64(run), .uint32(UInt32(exactly: page) ?? .max)])
        case .finish(let ending): (GuidesInterface.finish, [.uint64(run), .string(ending.rawValue)])
        }
    }

    func question(_ run: UInt64) -> Call? { (GuidesInterface.advance, [.uint64(run), .int32(0)]) }

    func catchUp(_ run: UInt64) -> Call? {
        guard let outcome = state.outcome else { return call(.goTo(state.page), run) }
        // What a program can't say, the daemon finds by itself: the end of the countdown.
        return RunEnding(rawValue: outcome.rawValue).map { call(.finish($0), run) }
    }
}
