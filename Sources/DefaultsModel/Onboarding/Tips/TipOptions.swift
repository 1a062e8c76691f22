import DBusTypes

/// The options of `Tips.Present`, checked.
public struct TipOptions: Hashable, Sendable {
    private enum OwnerLoss: String, CaseIterable {
        case release
        case keep
    }

    /// Whether nothing is recorded of it (G9).
    public let isReplay: Bool
    /// Whether it goes on when its owner leaves.
    public let outlivesOwner: Bool

    /// Reads an `a{sv}`; throws `InvalidArgument` naming the entry.
    public init(_ options: DictionaryValue) throws(ModelError) {
        let reader = try OptionReader(options, argument: "options", known: ["replay", "on_owner_lost"])
        isReplay = try reader.boolean("replay")
        outlivesOwner = try reader.choice("on_owner_lost", default: OwnerLoss.release) == .keep
    }
}

/// How a presenter says that a run of a tip ended; the raw value is the word on the wire.
public enum TipOutcome: String, Hashable, Sendable, CaseIterable {
    /// The user did what the tip is about.
    case action
    /// The user closed it.
    case closed
    /// It went from view.
    case hidden

    /// Reads the argument of `Tips.Finish`; throws `InvalidArgument` for any other word.
    public init(argument text: String) throws(ModelError) {
        guard let outcome = TipOutcome(rawValue: text) else {
            let words = Self.allCases.map { "\"\($0.rawValue)\"" }.joined(separator: ", ")
            throw .invalidArgument("outcome is \(Value.string(text).shortDescription); it must be one of \(words)")
        }
        self = outcome
    }

    /// What it makes the tip invalid with; nil where the tip may come again (I3).
    var invalidity: TipProgress.Invalidity? {
        switch self {
        case .action: .action
        case .closed: .closed
        case .hidden: nil
        }
    }
}
