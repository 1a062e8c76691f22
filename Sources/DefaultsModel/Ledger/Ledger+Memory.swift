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

    /// Drops the contents of domains until what is in memory is within the limit; call it after a domain was loaded.
    ///
    /// Those not used for longest go first. What stays, whatever it takes: `global`, the watched domains, those that `held`
    /// names, and those that an operation which is not answered may rest on.
    public func dropUnused(except held: Set<DomainName>) {
        var excess = loadedSize - memoryLimit
        guard excess > 0 else { return }
        let pinned = oldestTurn ?? .max
        let unused = droppable.filter { uses.lastTurn(of: $0) < pinned && !held.contains($0) }
            .sorted { (uses.lastTurn(of: $0), $0) < (uses.lastTurn(of: $1), $1) }
        for domain in unused where excess > 0 {
            excess -= drop(domain)
            uses.forget(domain)
        }
    }
}

extension CommittedState {
    /// What a record takes beside its key and value: its place in a dictionary, its time and its writer.
    private static let recordOverhead = 160

    /// About what a domain's contents take in memory, in bytes.
    func size(of domain: DomainName) -> Int {
        guard let contents = loaded[domain] else { return 0 }
        let preferences = summaries[domain].map { $0.bytes + $0.keys * Self.recordOverhead } ?? 0
        return preferences + contents.onboarding.values.reduce(0) { $0 + $1.marshalledSize + Self.recordOverhead }
    }

    /// About what all contents in memory take, in bytes.
    var loadedSize: Int { loaded.keys.reduce(0) { $0 + size(of: $1) } }
}
