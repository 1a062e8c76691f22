import DBusTypes

extension Ledger {
    /// How much of domains' contents stays in memory once others are needed, in bytes: some hundred ordinary applications, and
    /// little beside the daemon itself.
    public static let standardMemoryLimit = 4 << 20

    /// Begins the turn of a request: marks the domains that it needs as used now, and returns the first that is not in memory.
    ///
    /// What the request submits is submitted in the same turn, once all of them are there.
    public func use(_ domains: [DomainName]) -> DomainName? {
        uses.begin()
        var missing: DomainName?
        for domain in domains {
            if hasContents(domain) { uses.mark(domain) } else if missing == nil && !isLoaded(domain) { missing = domain }
        }
        return missing
    }

    /// Drops the contents of domains where what is in memory is over the limit; call it after a domain was loaded or written.
    ///
    /// Those not used for longest go first, until a quarter of the limit is free: looking at all of them for each one that is loaded would cost a
    /// request over all domains the square of their number. What stays, whatever it takes: `global`, the watched domains, those that `isHeld` names,
    /// and those that an operation which is not answered may rest on; where that is too much, it is looked at again when as much has been added.
    /// `sparesLast`: those of the last request stay, too, for after a write the next is likely to be for them again.
    /// Returns about what was dropped, in bytes.
    @discardableResult
    public func dropUnused(sparesLast: Bool = false, except isHeld: (DomainName) -> Bool) -> Int {
        guard loadedSize > memoryLimit, loadedSize >= crowdedSize else { return 0 }
        let before = loadedSize
        let room = memoryLimit / 4
        if sparesLast {
            // What was not there when it was asked for has come by being written.
            for domain in droppable where uses.lastTurn(of: domain) == 0 { uses.mark(domain) }
        }
        let pinned = min(oldestTurn ?? .max, sparesLast ? uses.turn : .max)
        let unused = droppable.filter { uses.lastTurn(of: $0) < pinned && !isHeld($0) }
            .sorted { (uses.lastTurn(of: $0), $0) < (uses.lastTurn(of: $1), $1) }
        for domain in unused where loadedSize > memoryLimit - room {
            drop(domain)
            uses.forget(domain)
        }
        crowdedSize = loadedSize > memoryLimit ? loadedSize + room : 0
        return before - loadedSize
    }

    /// Has the next call of ``dropUnused(except:)`` look at all that is in memory, for something that was held no longer is.
    public func releasedDomains() { crowdedSize = 0 }
}
