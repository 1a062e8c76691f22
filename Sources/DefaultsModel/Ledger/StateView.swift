import DBusTypes

/// The state as one operation sees it: what is on disk, and for a write also what is on its way there (P6).
///
/// Only domains that were declared as needed, and `global`, may be asked for: they are loaded by then.
public struct StateView {
    let committed: CommittedState
    /// Oldest first.
    let pending: [PendingChanges]

    /// The revision counter; the next write gets one more.
    public var revision: UInt64 { pending.last(where: { $0.revision != nil })?.revision ?? committed.revision }

    /// The configuration files in effect: a lock holds from the moment that it is on its way to the disk (P2).
    var files: FileLayers { pendingFiles?.layers ?? committed.files }

    private var pendingFiles: (layers: FileLayers, revision: UInt64)? { pending.last { $0.files != nil }?.files }

    /// A domain's own revision, without `global`'s; 0 where it was never written.
    func ownRevision(_ domain: DomainName) -> UInt64 {
        for changes in pending.reversed() {
            if let revision = changes.domains[domain] { return revision }
        }
        return committed.summaries[domain]?.revision ?? 0
    }

    /// The revision that readers of a domain see: the highest of its own, `global`'s and the files', 1 in an empty store.
    ///
    /// After a loss it is also that of a domain which is gone, and so at least where revisions went on from (P9).
    public func revision(of domain: DomainName) -> UInt64 {
        let afterLoss = revision / StoreSummary.revisionStep * StoreSummary.revisionStep
        let files = max(pendingFiles?.revision ?? 0, committed.filesRevision)
        return max(ownRevision(domain), ownRevision(.global), files, afterLoss, 1)
    }

    /// A preference in one stored layer.
    public func preference(_ domain: DomainName, _ layer: StoredLayer, _ key: PreferenceKey) -> PreferenceRecord? {
        if !pending.isEmpty {
            let id = PendingChanges.PreferenceID(domain: domain, layer: layer, key: key)
            for changes in pending.reversed() {
                if let record = changes.preferences[id] { return record }
            }
        }
        return committed.loaded[domain]?.preferences(layer)[key]
    }

    /// The keys of one stored layer, in no order.
    public func keys(_ domain: DomainName, _ layer: StoredLayer) -> Set<PreferenceKey> {
        var keys = Set((committed.loaded[domain]?.preferences(layer) ?? [:]).keys)
        for changes in pending {
            for id in changes.touched[domain] ?? [] where id.layer == layer {
                if changes.preferences[id] == .some(.none) { keys.remove(id.key) } else { keys.insert(id.key) }
            }
        }
        return keys
    }

    /// A record of an application's onboarding.
    public func onboarding(_ app: DomainName, _ id: OnboardingID) -> Value? {
        if !pending.isEmpty {
            let record = PendingChanges.RecordID(domain: app, id: id)
            for changes in pending.reversed() {
                if let value = changes.onboarding[record] { return value }
            }
        }
        return committed.loaded[app]?.onboarding[id]?.value
    }

    /// The size of a record of an application's onboarding, marshalled and in bytes; 0 where there is none.
    func onboardingSize(_ app: DomainName, _ id: OnboardingID) -> Int {
        guard pending.isEmpty else { return onboarding(app, id)?.marshalledSize ?? 0 }
        return committed.loaded[app]?.onboarding[id]?.marshalledSize ?? 0
    }

    /// The ids of all of an application's records, sorted by kind and id.
    public func onboardingIDs(_ app: DomainName) -> [OnboardingID] {
        var ids = Set((committed.loaded[app]?.onboarding ?? [:]).keys)
        for changes in pending {
            for (record, value) in changes.onboarding where record.domain == app {
                if value == nil { ids.remove(record.id) } else { ids.insert(record.id) }
            }
        }
        return ids.sorted()
    }

    /// The ids of an application's records of one kind, sorted.
    public func onboardingIDs(_ app: DomainName, _ kind: OnboardingKind) -> [OnboardingID] {
        onboardingIDs(app).filter { $0.kind == kind }
    }

    /// Whether a domain has anything stored, or is about to.
    func knows(_ domain: DomainName) -> Bool {
        committed.summaries[domain] != nil || pending.contains { $0.growth[domain] != nil || $0.apps.contains(domain) }
    }

    /// How many domains have anything stored, or are about to.
    var knownDomainCount: Int {
        var new: Set<DomainName> = []
        for changes in pending {
            new.formUnion(changes.apps.union(changes.growth.keys).filter { committed.summaries[$0] == nil })
        }
        return committed.summaries.count + new.count
    }

    /// Every domain that has anything stored, or is about to.
    var knownDomains: Set<DomainName> {
        var domains = Set(committed.summaries.keys)
        for changes in pending {
            domains.formUnion(changes.growth.keys)
            domains.formUnion(changes.apps)
        }
        return domains
    }

    /// The domains that have a preference in a stored layer.
    var storedDomains: Set<DomainName> {
        Set(committed.summaries.keys).union(pending.flatMap(\.growth.keys)).filter { keyCount($0) > 0 }
    }

    func keyCount(_ domain: DomainName) -> Int {
        pending.reduce(committed.summaries[domain]?.keys ?? 0) { $0 + ($1.growth[domain]?.keys ?? 0) }
    }

    func bytes(_ domain: DomainName) -> Int {
        pending.reduce(committed.summaries[domain]?.bytes ?? 0) { $0 + ($1.growth[domain]?.bytes ?? 0) }
    }

    /// The keys of all domains together, and what they and their values take.
    var totalSize: SizeChange {
        pending.reduce(into: committed.size) { sum, changes in for growth in changes.growth.values { sum.add(growth) } }
    }

    /// How a change makes its domain grow; nothing for what is no preference.
    func growth(_ change: RecordChange) -> SizeChange {
        switch change {
        case .preference(let domain, let layer, let key, let record):
            SizeChange(key: key, from: preference(domain, layer, key), to: record)
        case .revision, .domain, .onboarding, .countdown: SizeChange()
        }
    }
}
