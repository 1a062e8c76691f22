import DBusTypes

/// When a tip was last shown for the first time, in one application or, kept with `global`, in all: what limits how often new ones come (I2).
struct TipPace: Hashable, Sendable {
    private static let format: UInt32 = 1
    /// The record that keeps it.
    static let record = OnboardingID(.tips)

    /// When: microseconds since the Unix epoch.
    let lastFirstShowing: Int64

    /// Names a moment.
    init(lastFirstShowing: Int64) { self.lastFirstShowing = lastFirstShowing }

    /// When the next new tip may come, in microseconds since the Unix epoch; a time in the future is taken for now (I3).
    func next(after interval: UInt64, at now: Instant) -> Int64 {
        min(lastFirstShowing, now.wall).adding(milliseconds: interval)
    }

    var stored: Value { .vardict([("format", .uint32(Self.format)), ("last_first_showing", .int64(lastFirstShowing))]) }

    /// Reads what `stored` gave; nil for anything else.
    init?(stored: Value) {
        guard let entries = stored.dictionary, entries["format"]?.get() == Self.format,
            let last = entries["last_first_showing"]?.get(as: Int64.self)
        else { return nil }
        self.init(lastFirstShowing: last)
    }
}

extension StateView {
    /// The time between first showings that a preference asks for, in milliseconds; 0 where it is unset or no such number.
    func interval(_ domain: DomainName, _ key: PreferenceKey) -> UInt64 {
        effectiveValue(domain, key)?.value.integer(as: UInt64.self) ?? 0
    }
}
