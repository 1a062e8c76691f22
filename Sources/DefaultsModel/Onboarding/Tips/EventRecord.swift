import DBusTypes

/// How often an event was donated, and when: what rules of tips count.
struct EventRecord: Hashable, Sendable {
    /// Donations of one call, at one moment.
    struct Donation: Hashable, Sendable {
        /// When: microseconds since the Unix epoch.
        var wall: Int64
        /// How many, up to `keptCount`: more makes no difference to any rule.
        var count: UInt64
    }

    /// How many events one application may donate (P12): more than it has actions.
    static let maximumEvents = 1_024
    /// Of so many donations the times are kept: one more than a rule with a window may ask for, which tells "more" from "as many".
    static let keptCount: UInt64 = 1_001
    private static let format: UInt32 = 1

    /// How often in all.
    private(set) var total: UInt64 = 0
    /// The newest donations, oldest first; together at least `keptCount`, or all.
    private(set) var donations: [Donation] = []

    /// Nothing yet.
    init() {}

    /// Counts `count` more; the total stays at the highest number.
    mutating func add(_ count: UInt64, at now: Instant) {
        guard count > 0 else { return }
        total = total.addingReportingOverflow(count).overflow ? .max : total + count
        if donations.last?.wall == now.wall {
            donations[donations.count - 1].count = min(donations[donations.count - 1].count + count, Self.keptCount)
        } else {
            donations.append(Donation(wall: now.wall, count: min(count, Self.keptCount)))
        }
        var kept: UInt64 = 0
        guard
            let first = donations.lastIndex(where: {
                kept += $0.count; return kept >= Self.keptCount
            })
        else { return }
        donations.removeFirst(first)
    }

    /// The same with no time later than now (I3); nil where there is none.
    func clamped(at now: Instant) -> EventRecord? {
        guard donations.contains(where: { $0.wall > now.wall }) else { return nil }
        var record = self
        for index in donations.indices { record.donations[index].wall = min(donations[index].wall, now.wall) }
        return record
    }

    /// How often within the last `window` milliseconds; nil for ever.
    ///
    /// Exact up to `keptCount`.
    func count(within window: UInt64?, at now: Instant) -> UInt64 {
        guard let window else { return total }
        return donations.reduce(0) { sum, donation in
            end(of: donation, window, at: now) > now.wall ? sum + donation.count : sum
        }
    }

    /// When donations leave the window one after the other, in microseconds since the Unix epoch, and how often it then is.
    func counts(leaving window: UInt64, at now: Instant) -> [(wall: Int64, count: UInt64)] {
        var left = count(within: window, at: now)
        return donations.sorted { $0.wall < $1.wall }.compactMap { donation in
            let end = end(of: donation, window, at: now)
            guard end > now.wall else { return nil }
            left -= donation.count
            return (end, left)
        }
    }

    /// When a donation leaves a window; a time in the future is taken for now (I3).
    private func end(of donation: Donation, _ window: UInt64, at now: Instant) -> Int64 {
        min(donation.wall, now.wall).adding(milliseconds: window)
    }

    var stored: Value {
        .vardict([
            ("format", .uint32(Self.format)), ("total", .uint64(total)), ("times", .array(donations.map(\.wall))),
            ("counts", .array(donations.map(\.count))),
        ])
    }

    /// Reads what `stored` gave; nil for anything else.
    init?(stored: Value) {
        guard let entries = stored.dictionary, entries["format"]?.get() == Self.format,
            let total = entries["total"]?.get(as: UInt64.self), let times = entries["times"]?.get(as: [Int64].self),
            let counts = entries["counts"]?.get(as: [UInt64].self), times.count == counts.count,
            UInt64(times.count) <= Self.keptCount, counts.allSatisfy((1...Self.keptCount).contains)
        else { return nil }
        self.total = total
        donations = zip(times, counts).map { Donation(wall: $0, count: $1) }
    }
}

extension Int64 {
    /// Microseconds later by milliseconds; the highest number where that is beyond it.
    func adding(milliseconds: UInt64) -> Int64 {
        let (microseconds, isTooLong) = milliseconds.multipliedReportingOverflow(by: 1_000)
        guard !isTooLong, let span = Int64(exactly: microseconds) else { return .max }
        let (sum, isBeyond) = addingReportingOverflow(span)
        return isBeyond ? .max : sum
    }
}
