import DBusTypes

/// A countdown at one moment, as callers see it.
public struct CountdownState: Hashable, Sendable {
    /// What it is doing; the raw value is the one on the bus.
    public enum Phase: String, Hashable, Sendable, CaseIterable {
        /// Started with `when_ready`, and Ready hasn't come.
        case waiting
        /// Its time runs.
        case running
        /// Its time stands still until Resume.
        case paused
        /// It ended.
        case finished
    }

    /// What it is doing.
    public let phase: Phase
    /// How long it runs in all, with what Extend added, in milliseconds.
    public let duration: UInt64
    /// The time between two ticks, in milliseconds.
    public let tick: UInt64
    /// The time left in milliseconds, rounded up; 0 when finished.
    public let remaining: UInt64
    /// The ticks left, the one at the deadline not counted; 0 when finished.
    public let remainingTicks: UInt32
    /// Whether Skip would end it now.
    public let isSkippable: Bool
    /// The unique name of the connection that started it.
    public let owner: BusName
    /// What it is for.
    public let purpose: String
    /// Why it ended; nil while it lives.
    public let reason: CountdownReason?

    /// The `a{sv}` of the interface, every entry present.
    public var dictionary: Value {
        .vardict([
            ("state", .string(phase.rawValue)), ("duration", .uint64(duration)), ("tick", .uint64(tick)),
            ("remaining", .uint64(remaining)), ("remaining_ticks", .uint32(remainingTicks)), ("skippable", .boolean(isSkippable)),
            ("owner", .string(owner.text)), ("purpose", .string(purpose)), ("reason", .string(reason?.rawValue ?? "")),
        ])
    }
}
