import DBusTypes

/// Changes computed but not yet on disk, by what they touch: one batch, in flight or being gathered.
struct PendingChanges {
    struct PreferenceID: Hashable {
        let domain: DomainName
        let layer: StoredLayer
        let key: PreferenceKey
    }

    struct RecordID: Hashable {
        let domain: DomainName
        let id: OnboardingID
    }

    private(set) var revision: UInt64?
    private(set) var domains: [DomainName: UInt64] = [:]
    private(set) var preferences: [PreferenceID: PreferenceRecord?] = [:]
    /// The keys touched in each domain, each once, for what lists or empties one.
    private(set) var touched: [DomainName: [PreferenceID]] = [:]
    private(set) var onboarding: [RecordID: Value?] = [:]
    /// The applications whose records of onboarding are touched.
    private(set) var apps: Set<DomainName> = []
    private(set) var growth: [DomainName: SizeChange] = [:]
    /// Configuration files that take effect with the batch, and from which revision on; nil where they stay.
    private(set) var files: (layers: FileLayers, revision: UInt64)?

    /// Has other configuration files take effect, at `revision` where they move preferences.
    mutating func take(_ files: FileLayers, at revision: UInt64?) { self.files = (files, revision ?? self.files?.revision ?? 0) }

    /// Adds a change; `growth` is how it makes its domain grow beyond what was pending before.
    mutating func apply(_ change: RecordChange, growth: SizeChange) {
        switch change {
        case .revision(let revision):
            self.revision = revision
        case .domain(let domain, let revision):
            domains[domain] = revision
        case .preference(let domain, let layer, let key, let record):
            let id = PreferenceID(domain: domain, layer: layer, key: key)
            self.growth[domain, default: SizeChange()].add(growth)
            let isNew = preferences.updateValue(record, forKey: id) == nil
            if isNew { touched[domain, default: []].append(id) }
        case .onboarding(let domain, let id, let value):
            onboarding.updateValue(value, forKey: RecordID(domain: domain, id: id))
            apps.insert(domain)
        case .countdown:
            break
        }
    }
}
