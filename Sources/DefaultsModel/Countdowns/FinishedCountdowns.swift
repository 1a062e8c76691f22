import DBusTypes

/// The countdowns that ended lately: for 5 s they answer `AlreadyFinished`, so that a Skip that crosses the end on the way isn't told
/// that there never was one.
///
/// They go without a timer: each call drops what is over. All live equally long, so the oldest is always first in line.
struct FinishedCountdowns: Sendable {
    /// How long one is remembered, in nanoseconds of CLOCK_BOOTTIME: 5 s.
    static let lifetime: Int64 = 5_000_000_000
    /// How many are remembered at most; one that starts and cancels in a loop doesn't fill the memory.
    static let maximumCount = 10_000

    private struct Entry {
        let owner: CountdownOwner
        let reason: CountdownReason
        let expires: Int64
        /// Tells this end from an earlier one of the same token.
        let number: UInt64
    }

    private var entries: [CountdownID: Entry] = [:]
    /// All in the order in which they ended, from `head` on; some may be out of `entries` already.
    private var line: [(id: CountdownID, number: UInt64, expires: Int64)] = []
    private var head = 0
    private var number: UInt64 = 0

    /// How many are remembered, those that are over included until the next call.
    var count: Int { entries.count }

    /// Why a countdown ended; nil where it didn't, or more than 5 s ago.
    func reason(of id: CountdownID, at now: Instant) -> CountdownReason? {
        entries[id].flatMap { $0.expires > now.boottime ? $0.reason : nil }
    }

    /// Whose countdown it was; nil where none of that name ended, or more than 5 s ago.
    func owner(of id: CountdownID, at now: Instant) -> CountdownOwner? {
        entries[id].flatMap { $0.expires > now.boottime ? $0.owner : nil }
    }

    /// Remembers one that ended now.
    mutating func insert(_ id: CountdownID, owner: CountdownOwner, reason: CountdownReason, at now: Instant) {
        number += 1
        let expires = now.boottime + Self.lifetime
        entries[id] = Entry(owner: owner, reason: reason, expires: expires, number: number)
        line.append((id, number, expires))
        while let oldest = line.dropFirst(head).first, oldest.expires <= now.boottime || line.count - head > Self.maximumCount {
            if entries[oldest.id]?.number == oldest.number { entries[oldest.id] = nil }
            head += 1
        }
        // Moving the rest up only when half is gone keeps the cost of each insertion constant.
        if head > 32, head > line.count / 2 {
            line.removeFirst(head)
            head = 0
        }
    }
}
