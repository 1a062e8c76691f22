import DBusTypes

/// A layer of preferences, from the one that always wins to the one that only fills gaps (P1).
///
/// The raw value is the word on the bus.
public enum Layer: String, Hashable, Sendable, CaseIterable {
    /// What the administrator imposes: a key with a value here is locked (P2).
    case mandatory
    /// What the user set.
    case user
    /// What the administrator suggests.
    case machine
    /// What the application registered, or its manifest says, as its own defaults.
    case registered
}

/// One value that a layer has for a key.
public struct LayeredValue: Hashable, Sendable {
    /// The value, as it is kept.
    public let stored: StoredValue
    /// The layer that has it.
    public let layer: Layer
    /// The domain that has it there: the one asked for, or `global`.
    public let domain: DomainName
    /// Who wrote it and when; nil for what comes from a file.
    public let record: PreferenceRecord?

    /// The value.
    public var value: Value { stored.value }

    /// Names a value with its place.
    init(_ stored: StoredValue, _ layer: Layer, _ domain: DomainName, record: PreferenceRecord? = nil) {
        self.stored = stored
        self.layer = layer
        self.domain = domain
        self.record = record
    }
}
