import DBusTypes

/// One step of a tour, as defined.
public struct TourStep: Hashable, Sendable {
    /// Where the bubble stands beside its target.
    private enum Direction: String, CaseIterable {
        case auto
        case top
        case bottom
        case left
        case right
    }

    /// The words that the daemon says of a step that is presented, which no step can have for itself.
    static let reserved = ["index", "count", "sequence", "is_first", "is_last", "state", "outcome", "stale", "changed"]

    /// Its name in the tour, by which the place is kept (T1).
    public let id: Identifier
    /// The revision of the tour that brought it.
    public let sinceRevision: UInt32
    /// The step as given, an `a{sv}`.
    public let entries: DictionaryValue

    /// Reads and checks one; throws `InvalidArgument` naming the entry by its path.
    init(_ reader: OptionReader, _ step: DictionaryValue) throws(ModelError) {
        guard reader.value(of: "id") != nil else {
            throw reader.problem("id", "is missing; each step has an id of 1 to \(Identifier.maximumLength) bytes")
        }
        let text = try reader.string("id")
        guard let id = Identifier(text) else {
            throw reader.problem(
                "id",
                "is \(Value.string(text).shortDescription); it must have 1 to \(Identifier.maximumLength) bytes of UTF-8 without control characters"
            )
        }
        for name in ["content", "image", "target"] { _ = try reader.string(name) }
        _ = try reader.choice("direction", Direction.self, default: .auto)
        for name in Self.reserved where reader.value(of: name) != nil {
            throw reader.problem(
                name, "is what the daemon says of a step that is presented; an entry of the step needs another name")
        }
        self.id = id
        sinceRevision = UInt32(try reader.integer("since_revision", in: 0...UInt64(UInt32.max), default: 0, unit: ""))
        entries = step
    }
}
