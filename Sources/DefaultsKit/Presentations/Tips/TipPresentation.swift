import DBusTypes
import DefaultsInterface

/// A tip on the screen.
///
/// Letting go of it says that it went from view.
public final class TipPresentation: Sendable {
    /// How a program ends a tip.
    public enum Ending: String, Hashable, Sendable, CaseIterable {
        /// The user did what the tip is about: it is used up.
        case action
        /// The user closed it: it is used up.
        case closed
        /// It went from view, and may come again.
        case hidden
    }

    /// What a tip shows, and how it ended.
    public struct State: Hashable, Sendable, FollowedState {
        /// Which tip.
        public let id: String
        /// The title.
        public let title: String
        /// The text.
        public let message: String
        /// The image, as the application names it.
        public let image: String
        /// What it points at, as the application names it.
        public let target: String
        /// Whatever else the presenter needs.
        public let attributes: Attributes
        /// How often it was presented, this time included.
        public let displayCount: Int
        /// How it ended; nil while it is presented, or where it was given back without an ending of this program's.
        public internal(set) var ending: Ending?
        var isFinal: Bool { ending != nil }
    }

    private let run: HeldRun<LocalTip>

    init(_ follower: RunFollower<LocalTip>, _ handle: LinkHandle, _ initial: State) {
        run = HeldRun(follower, handle, initial)
    }

    /// What it shows now.
    public var state: State { run.state }

    /// Ends it; the first ending wins, and is in what this returns.
    @discardableResult
    public func finish(_ ending: Ending) async throws(DefaultsError) -> State { try await run.act(.finish(ending)) }
}

/// Whether to show a tip now.
public enum TipDecision: Sendable {
    /// Show it: this program is its presenter.
    case show(TipPresentation)
    /// Show nothing.
    case skip(SkipReason)
}

/// A tip's run by the daemon's rules.
struct LocalTip: LocalRun {
    enum Action: Sendable { case finish(TipPresentation.Ending) }

    static let interface = TipsInterface.name
    static let finished: MemberName? = nil
    static let begin = TipsInterface.present
    static let release = Action.finish(.hidden)

    private(set) var state: TipPresentation.State
    var isGivenBack: Bool { state.ending == .hidden }

    init?(_ entries: DictionaryValue) {
        guard let id = entries[TipEntries.id.name]?.get(as: String.self) else { return nil }
        state = TipPresentation.State(
            id: id, title: entries.string(TipDefinitionEntries.title.name),
            message: entries.string(TipDefinitionEntries.message.name), image: entries.string(TipDefinitionEntries.image.name),
            target: entries.string(TipDefinitionEntries.target.name),
            attributes: entries.attributes(TipDefinitionEntries.attributes.name),
            displayCount: entries.number(TipEntries.displayCount.name))
    }

    mutating func follow(_ entries: DictionaryValue) {
        let outcome = entries.string(TipEntries.outcome.name)
        if !outcome.isEmpty { end(outcome) }
    }

    mutating func follow(_ signal: MemberName, _ arguments: [Value]) -> Bool { false }

    /// What the daemon ended by itself went from view.
    mutating func end(_ outcome: String) { state.ending = TipPresentation.Ending(rawValue: outcome) ?? .hidden }

    mutating func act(_ action: Action) {
        switch action {
        case .finish(let ending): state.ending = ending
        }
    }

    func call(_ action: Action, _ run: UInt64) -> Call {
        switch action {
        case .finish(let ending): (TipsInterface.finish, [.uint64(run), .string(ending.rawValue)])
        }
    }

    func question(_ run: UInt64) -> Call? { nil }

    func catchUp(_ run: UInt64) -> Call? { state.ending.map { call(.finish($0), run) } }
}
