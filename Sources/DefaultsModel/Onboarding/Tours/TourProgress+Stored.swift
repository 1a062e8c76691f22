import DBusTypes

extension TourProgress {
    /// The version of this format.
    private static let format: UInt32 = 1

    /// The `a{sv}` for the store.
    public var stored: Value {
        .vardict([
            ("format", .uint32(Self.format)), ("state", .string(state.rawValue)), ("outcome", .string(outcome)),
            ("revision", .uint32(revision)), ("seen_revision", .uint32(seenRevision)), ("attempts", .uint32(attempts)),
            ("step", .string(step?.text ?? "")), ("steps", .array(steps.map(\.text))), ("shown", .array(shown.map(\.text))),
            ("furthest", .uint32(furthest)), ("since", .int64(since)), ("crashed", .boolean(hasCrashed)),
            ("times_shown", .uint64(statistics.shown)), ("outcomes", Self.stored(statistics.outcomes)),
            ("furthest_ever", .uint32(statistics.furthest)),
        ])
    }

    /// Sorted, so that the same counts give the same bytes.
    private static func stored(_ outcomes: [String: UInt64]) -> Value {
        let entries = outcomes.sorted { $0.key < $1.key }
            .map { DictionaryValue.Entry(.string($0.key), .uint64($0.value)) }
        return .dictionary(DictionaryValue(unchecked: entries, key: .string, value: .uint64))
    }

    /// Reads what `stored` gave; nil for anything else, which is damage and not a tour that was never shown (P8).
    public init?(stored: Value) {
        guard let entries = stored.dictionary, entries["format"]?.get() == Self.format,
            let state = entries["state"]?.get(as: String.self).flatMap(State.init),
            let outcome = entries["outcome"]?.get(as: String.self), let revision = entries["revision"]?.get(as: UInt32.self),
            let seenRevision = entries["seen_revision"]?.get(as: UInt32.self),
            let attempts = entries["attempts"]?.get(as: UInt32.self), let step = entries["step"]?.get(as: String.self),
            let steps = [Identifier](stored: entries["steps"]), let shown = [Identifier](stored: entries["shown"]),
            let furthest = entries["furthest"]?.get(as: UInt32.self), let since = entries["since"]?.get(as: Int64.self),
            let hasCrashed = entries["crashed"]?.get(as: Bool.self),
            let timesShown = entries["times_shown"]?.get(as: UInt64.self),
            let outcomes = entries["outcomes"]?.get(as: [String: UInt64].self),
            let furthestEver = entries["furthest_ever"]?.get(as: UInt32.self)
        else { return nil }
        self.init()
        guard step.isEmpty || Identifier(step) != nil else { return nil }
        self.state = state
        self.outcome = outcome
        self.revision = revision
        self.seenRevision = seenRevision
        self.attempts = attempts
        self.step = Identifier(step)
        self.steps = steps
        self.shown = shown
        self.furthest = furthest
        self.since = since
        self.hasCrashed = hasCrashed
        statistics.shown = timesShown
        statistics.outcomes = outcomes
        statistics.furthest = furthestEver
    }
}
