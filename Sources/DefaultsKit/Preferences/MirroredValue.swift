public import DBusTypes

/// What a mirror knows of one preference.
public struct MirroredValue: Hashable, Sendable {
    /// The effective value; nil where no layer has one.
    public let value: Value?
    /// Whether a later change may already be answered elsewhere: the daemon could not be asked, and this is what it said last.
    public let isStale: Bool

    /// Says what is known.
    public init(value: Value?, isStale: Bool) {
        self.value = value
        self.isStale = isStale
    }
}

/// What a mirror's user is told when values have changed.
public struct MirroredChange: Hashable, Sendable {
    /// The new effective values by key.
    public internal(set) var changed: [MirrorKey: Value]
    /// The keys that no longer have a value.
    public internal(set) var removed: Set<MirrorKey>
    /// The domain's revision from this change on.
    public internal(set) var revision: UInt64
    /// The unique name of the connection that caused it; empty for a file, and for what was found by fetching.
    public internal(set) var writer: String
}
