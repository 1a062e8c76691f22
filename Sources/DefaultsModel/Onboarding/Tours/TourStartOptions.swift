import DBusTypes

/// The options of `Tours.Start`, checked.
public struct TourStartOptions: Hashable, Sendable {
    private enum OnOwnerLost: String, CaseIterable {
        case release
        case keep
    }

    /// Whether it is a rehearsal that writes nothing of the tour (G9).
    public var isReplay: Bool
    /// Whether the run goes on when its owner leaves.
    public var outlivesOwner: Bool

    /// Reads and checks an `a{sv}`; throws `InvalidArgument` naming the entry.
    public init(_ options: DictionaryValue = DictionaryValue([])) throws(ModelError) {
        let reader = try OptionReader(options, argument: "options", known: ["replay", "on_owner_lost"])
        isReplay = try reader.boolean("replay")
        outlivesOwner = try reader.choice("on_owner_lost", OnOwnerLost.self, default: .release) == .keep
    }
}
