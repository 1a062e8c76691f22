import DBusTypes

/// What is on disk of one user, as far as it is in memory: the state that every read sees (P6).
///
/// The revisions of all domains are known; the contents only of those that were loaded.
struct CommittedState {
    private(set) var revision: UInt64
    private(set) var summaries: [DomainName: DomainSummary]
    private(set) var loaded: [DomainName: LoadedDomain] = [:]
    /// The keys of all domains together, and what they and their values take.
    private(set) var size: SizeChange
    /// About what all contents in memory take, in bytes: kept as they change, since it is asked for at every load.
    private(set) var loadedSize = 0
    /// What the configuration files say.
    private(set) var files = FileLayers()
    /// The revision at which `files` took effect; 0 where there were never any.
    private(set) var filesRevision: UInt64 = 0

    init(_ summary: StoreSummary) {
        revision = summary.revision
        summaries = summary.domains
        size = summary.domains.values.reduce(into: SizeChange()) { $0.add(SizeChange(of: $1)) }
    }

    mutating func load(_ contents: DomainContents, as domain: DomainName) {
        loadedSize -= size(of: domain)
        let new = LoadedDomain(contents, summaries[domain] ?? DomainSummary())
        loaded[domain] = new
        loadedSize += new.size
    }

    /// About what a domain's contents take in memory, in bytes.
    func size(of domain: DomainName) -> Int { loaded[domain]?.size ?? 0 }

    /// Drops the contents of a domain that the store has a row for.
    mutating func drop(_ domain: DomainName) {
        precondition(summaries[domain] != nil, "a domain without a row would pass for an empty one")
        loadedSize -= size(of: domain)
        loaded[domain] = nil
    }

    /// Has other files take effect at `revision`.
    mutating func take(_ files: FileLayers, at revision: UInt64) {
        self.files = files
        filesRevision = max(filesRevision, revision)
        self.revision = max(self.revision, revision)
    }

    /// Whether the contents of a domain are in memory; one that the store has no row for is, being empty.
    func isLoaded(_ domain: DomainName) -> Bool { loaded[domain] != nil || summaries[domain] == nil }

    /// Whether the contents of a domain are in memory from now on; one that the store has no row for begins empty.
    private mutating func loadIfNew(_ domain: DomainName) -> Bool {
        if loaded[domain] != nil { return true }
        guard summaries[domain] == nil else { return false }
        load(DomainContents(), as: domain)
        return true
    }

    mutating func apply(_ change: RecordChange) {
        switch change {
        case .revision(let revision):
            self.revision = max(self.revision, revision)
        case .domain(let domain, let revision):
            _ = loadIfNew(domain)
            summaries[domain, default: DomainSummary()].revision = revision
        case .preference(let domain, let layer, let key, let record):
            guard loadIfNew(domain) else { break }
            let growth = loaded[domain]?.replace(record, layer, key) ?? SizeChange()
            summaries[domain, default: DomainSummary()].grow(by: growth)
            size.add(growth)
            loadedSize += LoadedDomain.size(of: growth)
        case .onboarding(let domain, let id, let value):
            guard loadIfNew(domain) else { break }
            loadedSize += loaded[domain]?.replace(value, id) ?? 0
            // The store has a row for it from now on.
            if value != nil && summaries[domain] == nil { summaries[domain] = DomainSummary() }
        case .countdown:
            break
        }
    }
}

/// How one write moves a domain's count of keys and its size in bytes.
struct SizeChange {
    private(set) var keys = 0
    private(set) var bytes = 0

    init() {}

    init(key: PreferenceKey, from old: PreferenceRecord?, to new: PreferenceRecord?) {
        if let old {
            keys -= 1
            bytes -= PreferenceLimits.size(key, old.stored)
        }
        if let new {
            keys += 1
            bytes += PreferenceLimits.size(key, new.stored)
        }
    }

    /// What a domain has grown by from nothing.
    init(of summary: DomainSummary) {
        keys = summary.keys
        bytes = summary.bytes
    }

    mutating func add(_ other: SizeChange) {
        keys += other.keys
        bytes += other.bytes
    }
}

extension DomainSummary {
    mutating func grow(by change: SizeChange) {
        keys += change.keys
        bytes += change.bytes
    }
}
