import DBusTypes

/// Since when a run of a tip has been shown.
public struct TipPlace: Hashable, Sendable {
    /// When it was put on the screen: nanoseconds of CLOCK_BOOTTIME, which its owner can't outlive.
    public let shownSince: Int64

    /// Names a moment.
    public init(shownSince: Int64) { self.shownSince = shownSince }

    /// The entries of the run's record.
    var stored: [(String, Value)] { [("shown_since", .int64(shownSince))] }

    /// Reads what `stored` gave; nil for anything else.
    init?(stored entries: DictionaryValue) {
        guard let shownSince = entries["shown_since"]?.get(as: Int64.self) else { return nil }
        self.init(shownSince: shownSince)
    }
}
