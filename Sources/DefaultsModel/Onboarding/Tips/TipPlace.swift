import DBusTypes

/// Since when a run of a tip has been shown, and what that comes to.
public struct TipPlace: Hashable, Sendable {
    /// When it was put on the screen: nanoseconds of CLOCK_BOOTTIME, which its owner can't outlive.
    public let shownSince: Int64
    /// How often the tip was presented, with this run unless it is a replay.
    public var displayCount: UInt32
    /// How long it was on the screen in all, in milliseconds; with this run once that has ended.
    public var displayDuration: UInt64

    /// Names a moment and what was before it.
    public init(shownSince: Int64, displayCount: UInt32 = 0, displayDuration: UInt64 = 0) {
        self.shownSince = shownSince
        self.displayCount = displayCount
        self.displayDuration = displayDuration
    }

    /// How long it has been shown, in milliseconds.
    func elapsed(at now: Instant) -> UInt64 { UInt64(max(now.boottime - shownSince, 0) / 1_000_000) }

    /// The entries of the run's record.
    var stored: [(String, Value)] {
        [
            ("shown_since", .int64(shownSince)), ("display_count", .uint32(displayCount)),
            ("display_duration", .uint64(displayDuration)),
        ]
    }

    /// Reads what `stored` gave; nil for anything else.
    init?(stored entries: DictionaryValue) {
        guard let shownSince = entries["shown_since"]?.get(as: Int64.self),
            let displayCount = entries["display_count"]?.get(as: UInt32.self),
            let displayDuration = entries["display_duration"]?.get(as: UInt64.self)
        else { return nil }
        self.init(shownSince: shownSince, displayCount: displayCount, displayDuration: displayDuration)
    }
}
