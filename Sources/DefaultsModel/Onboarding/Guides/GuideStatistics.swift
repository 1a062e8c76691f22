import DBusTypes

/// What is counted of a guide, for `Admin.Statistics`.
public struct GuideStatistics: Hashable, Sendable {
    /// How often it was shown.
    private(set) var shown: UInt64 = 0
    /// How often each outcome occurred.
    private(set) var outcomes: [GuideOutcome: UInt64] = [:]
    /// The furthest page reached, from 0.
    private(set) var furthest = 0

    /// Nothing yet.
    init() {}

    /// Counts a presentation that begins at a page.
    mutating func countShown(at page: Int) {
        shown.countOne()
        reach(page)
    }

    /// Takes note of a page.
    mutating func reach(_ page: Int) { furthest = max(furthest, page) }

    /// Counts the end of a presentation.
    mutating func count(_ outcome: GuideOutcome) { outcomes[outcome, default: 0].countOne() }

    /// The `a{sv}` of the interface and of the record: shown and furthest always, an outcome once it has occurred.
    public var dictionary: Value {
        .vardict(
            [("shown", .uint64(shown)), ("furthest", .uint32(UInt32(clamping: furthest)))]
                + GuideOutcome.allCases.compactMap { outcome in
                    outcomes[outcome].map { (outcome.rawValue, .uint64($0)) }
                })
    }

    /// Reads what `dictionary` gave; nil for anything else.
    init?(stored: Value) {
        guard let entries = stored.dictionary, let shown = entries["shown"]?.get(as: UInt64.self),
            let furthest = entries["furthest"]?.get(as: UInt32.self)
        else { return nil }
        self.shown = shown
        self.furthest = Int(furthest)
        for outcome in GuideOutcome.allCases {
            guard let value = entries[outcome.rawValue] else { continue }
            guard let count = value.get(as: UInt64.self) else { return nil }
            outcomes[outcome] = count
        }
    }
}
