import DBusTypes

/// Which callers the log has named lately for meeting a limit: one that goes on doing so is not to fill it.
struct QuotaNotes {
    /// How long one caller isn't named again, in nanoseconds: a minute.
    static let interval: Int64 = 60_000_000_000
    /// How many are named in that time, over all callers: connections are quickly made.
    static let limit = 32

    private var notes: [BusName: Int64] = [:]

    /// Whether a caller is to be named at this time of CLOCK_MONOTONIC, in nanoseconds; if so, it counts as named.
    mutating func isDue(_ name: BusName, at now: Int64) -> Bool {
        if let last = notes[name], now - last < Self.interval { return false }
        if notes.count >= Self.limit { notes = notes.filter { now - $0.value < Self.interval } }
        guard notes.count < Self.limit else { return false }
        notes[name] = now
        return true
    }
}
