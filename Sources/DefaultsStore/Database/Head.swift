import DefaultsModel

/// Whether a store has lost something; the raw value is the one on disk.
enum Loss: Int64 {
    /// Nothing, or the user knows of it.
    case none = 0
    /// Some was lost and the rest restored.
    case restored = 1
    /// All was lost.
    case lost = 2

    /// How far revisions go on above the last one known.
    static let revisionStep = StoreSummary.revisionStep

    /// The state of a store that can be written.
    var state: StoreState {
        switch self {
        case .none: .healthy
        case .restored: .restored
        case .lost: .lost
        }
    }
}

/// The one row of the table `user`.
struct Head: Hashable {
    /// The revision of a new store.
    static let firstRevision: UInt64 = 1

    var revision = Head.firstRevision
    /// Counts the transactions; the side file follows it.
    var commits: UInt64 = 0
    var loss = Loss.none
    var domains = Tally()
    var countdowns = Tally()
}

/// A row of the table `domains`.
struct DomainRow: Hashable {
    /// What the rows of the other tables name the domain by.
    let id: Int64
    var revision: UInt64 = 0
    /// How many preferences it has.
    var keys: Int64 = 0
    /// The bytes of their keys and marshalled values.
    var bytes: Int64 = 0
    /// The preferences and onboarding records of the domain.
    var rows = Tally()
}
