import DBusTypes

/// Which domains in memory were used how long ago: what is dropped first when there are too many.
///
/// Counted in turns, not in time: a turn is one request.
struct DomainUse {
    /// The number of the turn at hand.
    private(set) var turn: UInt64 = 0
    private var last: [DomainName: UInt64] = [:]

    /// Begins the turn of a request.
    mutating func begin() { turn += 1 }

    /// Marks a domain that is in memory as used in the turn at hand.
    mutating func mark(_ domain: DomainName) { last[domain] = turn }

    /// The turn of the last request that used a domain; 0 where none has.
    func lastTurn(of domain: DomainName) -> UInt64 { last[domain] ?? 0 }

    /// Forgets a domain that was dropped.
    mutating func forget(_ domain: DomainName) { last[domain] = nil }

    /// Forgets all domains; the turns go on.
    mutating func forgetAll() { last = [:] }
}
