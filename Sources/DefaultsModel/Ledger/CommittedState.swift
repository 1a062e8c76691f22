import DBusTypes

/// What is on disk of one user, as far as it is in memory: the state that every read sees (P6).
///
/// The revisions of all domains are known; the contents only of those that were loaded.
struct CommittedState {
    private(set) var revision: UInt64
    private(set) var summaries: [DomainName: DomainSummary]
    private(set) var loaded: [DomainName: LoadedDomain] = [:]
    /// Keys and values of all domains together, in bytes.
    private(set) var bytes: Int
    /// What the configuration files say.
    private(set) var files = FileLayers()
    /// The revision at which `files` took effect; 0 where there were never any.
    private(set) var filesRevision: UInt64 = 0

    init(_ summary: StoreSummary) {
        revision = summary.revision
        summaries = summary.domains
        bytes = summary.domains.values.reduce(0) { $0 + $1.bytes }
    }

    mutating func load(_ contents: DomainContents, as domain: DomainName) {
        loaded[domain] = LoadedDomain(contents)
    }

    /// Drops the contents of a domain that the store has a row for; returns about what they took, in bytes.
    mutating func drop(_ domain: DomainName) -> Int {
        precondition(summaries[domain] != nil, "a domain without a row would pass for an empty one")
        let size = size(of: domain)
        loaded[domain] = nil
        return size
    }

    /// Has other files take effect at `revision`.
    mutating func take(_ files: FileLayers, at revision: UInt64) {
        self.files = files
        filesRevision = max(filesRevision, revision)
        self.revision = max(self.revision, revision)
    }

    /// Whether the contents of a domain are in memory; one that the store has no row for is, being empty.
    func isLoaded(_ domain: DomainName) -> Bool { loaded[domain] != nil || summaries[domain] == nil }

    mutating func apply(_ change: RecordChange) {
        switch change {
        case .revision(let revision):
            self.revision = max(self.revision, revision)
        case .domain(let domain, let revision):
            if summaries[domain] == nil && loaded[domain] == nil { loaded[domain] = LoadedDomain() }
            summaries[domain, default: DomainSummary()].revision = revision
        case .preference(let domain, let layer, let key, let record):
            guard isLoaded(domain) else { break }
            let old = loaded[domain, default: LoadedDomain()].replace(record, layer, key)
            let growth = SizeChange(key: key, from: old, to: record)
            summaries[domain, default: DomainSummary()].grow(by: growth)
            bytes += growth.bytes
        case .onboarding(let domain, let id, let value):
            guard isLoaded(domain) else { break }
            loaded[domain, default: LoadedDomain()].onboarding[id] = value
            // The store has a row for it from now on.
            if value != nil && summaries[domain] == nil { summaries[domain] = DomainSummary() }
        case .countdown:
            break
        }
    }
}

/// The records of a domain in memory.
struct LoadedDomain {
    private(set) var user: [PreferenceKey: PreferenceRecord]
    private(set) var registered: [PreferenceKey: PreferenceRecord]
    var onboarding: [OnboardingID: Value]

    init(_ contents: DomainContents = DomainContents()) {
        user = contents.preferences[.user] ?? [:]
        registered = contents.preferences[.registered] ?? [:]
        onboarding = contents.onboarding
    }

    /// The preferences of one layer.
    func preferences(_ layer: StoredLayer) -> [PreferenceKey: PreferenceRecord] {
        switch layer {
        case .user: user
        case .registered: registered
        }
    }

    /// Puts a record in the place of another, or of none; returns the one that was there.
    mutating func replace(_ record: PreferenceRecord?, _ layer: StoredLayer, _ key: PreferenceKey) -> PreferenceRecord? {
        switch layer {
        case .user: Self.replace(record, key, in: &user)
        case .registered: Self.replace(record, key, in: &registered)
        }
    }

    private static func replace(
        _ record: PreferenceRecord?, _ key: PreferenceKey, in records: inout [PreferenceKey: PreferenceRecord]
    ) -> PreferenceRecord? {
        guard let record else { return records.removeValue(forKey: key) }
        return records.updateValue(record, forKey: key)
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
            bytes -= PreferenceLimits.size(key, old.value)
        }
        if let new {
            keys += 1
            bytes += PreferenceLimits.size(key, new.value)
        }
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
