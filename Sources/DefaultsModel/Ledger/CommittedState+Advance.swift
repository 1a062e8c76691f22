import DBusTypes

extension CommittedState {
    /// Applies what one write changed and returns which effective values and locks moved, for whom (P5).
    ///
    /// A change of `global` reaches every watched domain that has no value of its own. The written domain comes first, then
    /// the others in order of their names; locks come after values.
    mutating func advance(by outcome: Outcome, watched: Set<DomainName>, writer: String) -> [Announcement] {
        guard !outcome.changes.isEmpty || outcome.files != nil else { return [] }
        if outcome.files == nil, let found = advanceByOne(outcome, writer: writer) { return found }
        var readers = Self.touchedKeys(outcome.changes).flatMap { domain, keys in
            (domain.isGlobal ? [domain] + sorted(watched, without: domain) : [domain]).map { ($0, keys) }
        }
        var locked: [DomainName: [PreferenceKey]] = [:]
        if let new = outcome.files {
            for domain in sorted(watched, without: nil) {
                readers.append((domain, files.keys(domain).union(new.keys(domain)).sorted()))
                locked[domain] = files.lockedKeys(domain)
            }
        }
        readers = Self.merged(readers)
        let old = StateView(committed: self, pending: [])
        let before = readers.map { domain, keys in keys.map { old.effectiveValue(domain, $0)?.stored } }
        return announce(outcome, readers: readers, before: before, locked: locked, writer: writer)
    }

    /// What `advance` does where an application's one preference changes, which is nearly always; nil where it is anything else.
    private mutating func advanceByOne(_ outcome: Outcome, writer: String) -> [Announcement]? {
        var touched: (domain: DomainName, key: PreferenceKey)?
        for change in outcome.changes {
            guard case .preference(let domain, _, let key, _) = change else { continue }
            guard touched == nil, !domain.isGlobal else { return nil }
            touched = (domain, key)
        }
        guard let (domain, key) = touched else { return nil }
        let before = StateView(committed: self, pending: []).effectiveValue(domain, key)?.stored
        for change in outcome.changes { apply(change) }
        let view = StateView(committed: self, pending: [])
        let new = view.effectiveValue(domain, key)?.stored
        guard new != before else { return [] }
        return [
            .preferencesChanged(
                PreferencesChange(
                    domain: domain, changed: new.map { [(key, $0)] } ?? [], removed: new == nil ? [key] : [],
                    revision: view.revision(of: domain), writer: writer))
        ]
    }

    private mutating func announce(
        _ outcome: Outcome, readers: [(DomainName, [PreferenceKey])], before: [[StoredValue?]],
        locked: [DomainName: [PreferenceKey]], writer: String
    ) -> [Announcement] {
        for change in outcome.changes { apply(change) }
        if let files = outcome.files { take(files, at: outcome.filesRevision ?? 0) }
        let view = StateView(committed: self, pending: [])
        var announcements: [Announcement] = []
        for ((reader, keys), before) in zip(readers, before) {
            var changed: [(key: PreferenceKey, stored: StoredValue)] = []
            var removed: [PreferenceKey] = []
            for (key, old) in zip(keys, before) {
                let new = view.effectiveValue(reader, key)?.stored
                if new == old { continue }
                if let new { changed.append((key, new)) } else { removed.append(key) }
            }
            guard !changed.isEmpty || !removed.isEmpty else { continue }
            announcements.append(
                .preferencesChanged(
                    PreferencesChange(
                        domain: reader, changed: changed, removed: removed, revision: view.revision(of: reader), writer: writer)))
        }
        for (domain, before) in locked.sorted(by: { $0.key < $1.key }) {
            let now = files.lockedKeys(domain)
            if now != before { announcements.append(.locksChanged(domain, now)) }
        }
        return announcements
    }

    /// The watched domains whose contents are in memory; others have no reader who could have seen the old values.
    private func sorted(_ watched: Set<DomainName>, without domain: DomainName?) -> [DomainName] {
        watched.filter { $0 != domain && isLoaded($0) }.sorted()
    }

    /// Each reader once, with all the keys that may have moved for it: what several domains bring it is one change too.
    private static func merged(_ readers: [(DomainName, [PreferenceKey])]) -> [(DomainName, [PreferenceKey])] {
        guard Set(readers.map(\.0)).count < readers.count else { return readers }
        var order: [DomainName] = []
        var keys: [DomainName: Set<PreferenceKey>] = [:]
        for (reader, touched) in readers {
            if keys[reader] == nil { order.append(reader) }
            keys[reader, default: []].formUnion(touched)
        }
        return order.map { ($0, (keys[$0] ?? []).sorted()) }
    }

    /// The keys that changes touch, each once and sorted, by domain in the order written.
    private static func touchedKeys(_ changes: [RecordChange]) -> [(DomainName, [PreferenceKey])] {
        var places: [DomainName: Int] = [:]
        var touched: [(domain: DomainName, keys: [PreferenceKey])] = []
        var last = -1
        for change in changes {
            guard case .preference(let domain, _, let key, _) = change else { continue }
            // Changes of one domain come in a row.
            if last < 0 || touched[last].domain != domain {
                last = places[domain] ?? touched.count
                if last == touched.count {
                    touched.append((domain, []))
                    places[domain] = last
                }
            }
            touched[last].keys.append(key)
        }
        return touched.map { domain, keys in
            var sorted: [PreferenceKey] = []
            sorted.reserveCapacity(keys.count)
            for key in keys.sorted(byKey: { $0 }) where key != sorted.last { sorted.append(key) }
            return (domain, sorted)
        }
    }
}
