extension Ledger {
    /// What readers of a loaded domain see, to find later what has changed behind the ledger's back.
    public func effectiveValues(_ domain: DomainName) -> [PreferenceKey: StoredValue] {
        let view = committedView
        var values: [PreferenceKey: StoredValue] = [:]
        for key in view.effectiveKeys(domain) { values[key] = view.effectiveValue(domain, key)?.stored }
        return values
    }

    /// How what readers of a loaded domain see differs from what they saw; nil where it doesn't.
    public func change(of domain: DomainName, since old: [PreferenceKey: StoredValue]) -> PreferencesChange? {
        let new = effectiveValues(domain)
        let changed = new.filter { old[$0.key] != $0.value }.sorted { $0.key < $1.key }
        let removed = old.keys.filter { new[$0] == nil }.sorted()
        guard !changed.isEmpty || !removed.isEmpty else { return nil }
        return PreferencesChange(
            domain: domain, changed: changed.map { ($0.key, $0.value) }, removed: removed,
            revision: committedView.revision(of: domain), writer: "")
    }
}
