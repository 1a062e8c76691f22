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
    /// The value.
    public let value: Value
    /// The layer that has it.
    public let layer: Layer
    /// The domain that has it there: the one asked for, or `global`.
    public let domain: DomainName
    /// Who wrote it and when; nil for what comes from a file.
    public let record: PreferenceRecord?

    /// Names a value with its place.
    public init(_ value: Value, _ layer: Layer, _ domain: DomainName, record: PreferenceRecord? = nil) {
        self.value = value
        self.layer = layer
        self.domain = domain
        self.record = record
    }
}
