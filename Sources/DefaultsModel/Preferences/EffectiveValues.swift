import DBusTypes

/// A value that a reader sees, and where it comes from.
public struct EffectiveValue: Hashable, Sendable {
    /// The value.
    public let value: Value
    /// The layer that has it.
    public let layer: StoredLayer
    /// The domain that has it: the one asked for, or `global`.
    public let domain: DomainName
}

extension StateView {
    /// What a reader of `domain` sees for `key` (P1): the first hit of user, user of `global`, registered.
    public func effectiveValue(_ domain: DomainName, _ key: PreferenceKey) -> EffectiveValue? {
        if let record = preference(domain, .user, key) {
            return EffectiveValue(value: record.value, layer: .user, domain: domain)
        }
        if !domain.isGlobal, let record = preference(.global, .user, key) {
            return EffectiveValue(value: record.value, layer: .user, domain: .global)
        }
        if let record = preference(domain, .registered, key) {
            return EffectiveValue(value: record.value, layer: .registered, domain: domain)
        }
        return nil
    }

    /// The keys for which a reader of `domain` sees a value, sorted.
    public func effectiveKeys(_ domain: DomainName) -> [PreferenceKey] {
        var all = keys(domain, .user).union(keys(domain, .registered))
        if !domain.isGlobal { all.formUnion(keys(.global, .user)) }
        return all.sorted()
    }

    /// All that a reader of `domain` sees, as the `a{sv}` of `GetAll`, sorted by key.
    public func effectiveValues(_ domain: DomainName) -> Value {
        let entries = effectiveKeys(domain).compactMap { key in
            effectiveValue(domain, key).map { DictionaryValue.Entry(.string(key.text), .variant($0.value)) }
        }
        return .dictionary(DictionaryValue(unchecked: entries, key: .string, value: .variant))
    }
}
