import DBusTypes

extension CommittedState {
    /// Applies what one write changed and returns which effective values moved, for whom (P5).
    ///
    /// A change of `global` reaches every watched domain that has no value of its own. The written domain comes first, then
    /// the others in order of their names.
    mutating func advance(by changes: [RecordChange], watched: Set<DomainName>, writer: String) -> [PreferencesChange] {
        let touched = Self.touchedKeys(changes)
        var before: [DomainName: [Value?]] = [:]
        var affected: [(domain: DomainName, keys: [PreferenceKey])] = []
        for (domain, keys) in touched {
            let readers = domain.isGlobal ? [domain] + watched.subtracting([domain]).sorted() : [domain]
            for reader in readers {
                affected.append((reader, keys))
                let view = StateView(committed: self, pending: [])
                before[reader] = keys.map { view.effectiveValue(reader, $0)?.value }
            }
        }
        for change in changes { apply(change) }
        let view = StateView(committed: self, pending: [])
        return affected.compactMap { reader, keys in
            var changed: [(key: PreferenceKey, value: Value)] = []
            var removed: [PreferenceKey] = []
            for (key, old) in zip(keys, before[reader] ?? []) {
                let new = view.effectiveValue(reader, key)?.value
                if new == old { continue }
                if let new { changed.append((key, new)) } else { removed.append(key) }
            }
            guard !changed.isEmpty || !removed.isEmpty else { return nil }
            return PreferencesChange(
                domain: reader, changed: changed, removed: removed, revision: view.revision(of: reader), writer: writer)
        }
    }

    /// The keys that changes touch, each once and sorted, by domain in the order written.
    private static func touchedKeys(_ changes: [RecordChange]) -> [(DomainName, [PreferenceKey])] {
        var order: [DomainName] = []
        var keys: [DomainName: Set<PreferenceKey>] = [:]
        for change in changes {
            guard case .preference(let domain, _, let key, _) = change else { continue }
            if keys[domain] == nil { order.append(domain) }
            keys[domain, default: []].insert(key)
        }
        return order.map { ($0, (keys[$0] ?? []).sorted()) }
    }
}
