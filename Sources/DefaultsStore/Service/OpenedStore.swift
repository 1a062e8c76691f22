import DefaultsModel

/// Who holds a store: what a second process that finds it locked is told.
public struct StoreHolder: Hashable, Sendable {
    /// The bus that the holder serves, in words: "the session bus", or "the bus at" its address.
    public let bus: String

    /// Names the holder; its pid is this process's.
    public init(bus: String) { self.bus = bus }
}

/// How a store stands; the raw value is the word of the D-Bus property StoreState.
public enum StoreState: String, Hashable, Sendable, CaseIterable {
    /// Everything that was ever acknowledged is there.
    case healthy
    /// Some of it was lost and the rest is served: from the backup, or without its last commits (P9).
    case restored
    /// Nothing can be written: a newer schema (P10), or a directory that can't be written (P11).
    case readOnly = "read-only"
    /// All of it was lost, and a new store begun (P9).
    case lost
}

/// A store that has been opened.
public struct OpenedStore {
    /// The store: loads and commits.
    public let store: UserStore
    /// The revision, the domains and the countdowns.
    public let summary: StoreSummary
    /// How it stands; ``UserStore/state`` follows it later.
    public let state: StoreState
    /// The path of the database, also where it couldn't be made.
    public let path: String
    /// Why the state isn't healthy, as a sentence for the journal; nil where it is.
    public let reason: StoreError?
}

/// What changed under a store that was already open; told before the request that met it is answered.
public enum StoreEvent: Hashable, Sendable {
    /// The state changed; the contents are as they were.
    case state(StoreState, StoreError?)
    /// Damage was found: everything loaded is void, and the summary is that of the store now in place (P9).
    case replaced(StoreState, StoreSummary, StoreError)
}
