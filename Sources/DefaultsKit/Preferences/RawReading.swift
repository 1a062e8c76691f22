import DBusTypes

/// What a domain's reader found, before it is a Swift value.
struct RawReading: Hashable, Sendable {
    /// The effective value; nil where there is none.
    var value: Value?
    /// Whether a later change may already be answered elsewhere.
    var isStale = false
    /// Whether anything was ever known.
    var isKnown = true
}
