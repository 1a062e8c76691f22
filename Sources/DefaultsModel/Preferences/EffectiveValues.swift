import DBusTypes

extension StateView {
    /// What a reader of `domain` sees for `key`: the first hit of P1.
    public func effectiveValue(_ domain: DomainName, _ key: PreferenceKey) -> LayeredValue? {
        var found: LayeredValue?
        visitLayers(domain, key) { value in
            found = value
            return false
        }
        return found
    }

    /// All values that layers have for `key`, for a reader of `domain`, highest first.
    public func layeredValues(_ domain: DomainName, _ key: PreferenceKey) -> [LayeredValue] {
        var all: [LayeredValue] = []
        visitLayers(domain, key) { value in
            all.append(value)
            return true
        }
        return all
    }

    /// Goes through the layers in P1's order while `visit` returns true.
    private func visitLayers(_ domain: DomainName, _ key: PreferenceKey, _ visit: (LayeredValue) -> Bool) {
        let files = self.files
        func visitFile(_ values: FileLayers.Values, _ layer: Layer, _ domain: DomainName) -> Bool {
            guard let value = values[domain]?[key] else { return true }
            return visit(LayeredValue(StoredValue(unpacked: value), layer, domain))
        }
        func visitStored(_ stored: StoredLayer, _ layer: Layer, _ domain: DomainName) -> Bool {
            guard let record = preference(domain, stored, key) else { return true }
            return visit(LayeredValue(record.stored, layer, domain, record: record))
        }
        let isApp = !domain.isGlobal
        guard visitFile(files.mandatory, .mandatory, domain) else { return }
        if isApp { guard visitFile(files.mandatory, .mandatory, .global) else { return } }
        guard visitStored(.user, .user, domain) else { return }
        if isApp { guard visitStored(.user, .user, .global) else { return } }
        guard visitFile(files.machine, .machine, domain) else { return }
        if isApp { guard visitFile(files.machine, .machine, .global) else { return } }
        guard visitStored(.registered, .registered, domain) else { return }
        if let value = files.schemaDefault(domain, key) {
            _ = visit(LayeredValue(StoredValue(unpacked: value), .registered, domain))
        }
    }

    /// The keys for which a reader of `domain` sees a value, sorted.
    public func effectiveKeys(_ domain: DomainName) -> [PreferenceKey] {
        var all = keys(domain, .user).union(keys(domain, .registered)).union(files.keys(domain))
        if !domain.isGlobal { all.formUnion(keys(.global, .user)) }
        return Array(all).sorted(byKey: { $0 })
    }

    /// All that a reader of `domain` sees, as the `a{sv}` of `GetAll`, sorted by key.
    public func effectiveValues(_ domain: DomainName) -> Value {
        let values =
            onlyUserValues(domain)
            ?? effectiveKeys(domain).compactMap { key in effectiveValue(domain, key).map { (key, $0.value) } }
        let entries = values.map { DictionaryValue.Entry(.string($0.key.text), .variant($0.value)) }
        return .dictionary(DictionaryValue(unchecked: entries, key: .string, value: .variant))
    }

    /// The values of the user layer, sorted by key, where no other has any and nothing is pending: what most domains have.
    private func onlyUserValues(_ domain: DomainName) -> [(key: PreferenceKey, value: Value)]? {
        guard pending.isEmpty, !files.mayHaveValues(domain), let contents = committed.loaded[domain],
            contents.registered.isEmpty, domain.isGlobal || committed.loaded[.global]?.user.isEmpty != false
        else { return nil }
        var values: [(key: PreferenceKey, value: Value)] = []
        values.reserveCapacity(contents.user.count)
        for (key, record) in contents.user { values.append((key, record.value)) }
        return values.sorted(byKey: \.key)
    }

    /// The keys that a reader of `domain` finds locked (P2), sorted.
    public func lockedKeys(_ domain: DomainName) -> [PreferenceKey] { files.lockedKeys(domain) }

    /// The domains that have a value in any layer, sorted.
    public var domains: [DomainName] { files.domains.union(storedDomains).sorted() }
}
