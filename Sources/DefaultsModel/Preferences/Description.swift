import DBusTypes

extension StateView {
    /// All that is known of a key, as the `a{sv}` of `Describe`; entries that don't apply are left out.
    ///
    /// Throws `NoSuchKey` where it has neither a value nor a schema.
    public func describe(_ domain: DomainName, _ key: PreferenceKey) throws(ModelError) -> Value {
        let layers = layeredValues(domain, key)
        let schema = files.schemas[domain]?[key]
        guard !layers.isEmpty || schema != nil else { throw .noSuchKey(key, domain) }
        var entries: [(String, Value)] = []
        if let effective = layers.first {
            entries.append(("value", effective.value))
            entries.append(("layer", .string(effective.layer.rawValue)))
            entries.append(("domain", .string(effective.domain.text)))
        }
        entries.append(("locked", .boolean(files.locks(domain, key))))
        if let type = schema?.type ?? layers.first?.value.type { entries.append(("type", .string(type.text))) }
        // Without a schema, what would show if neither user nor administrator had their say.
        if let value = schema?.defaultValue ?? layers.last(where: { $0.layer == .registered })?.value {
            entries.append(("default", value))
        }
        if let schema {
            if !schema.summary.isEmpty { entries.append(("summary", .string(schema.summary))) }
            if !schema.description.isEmpty { entries.append(("description", .string(schema.description))) }
            if !schema.choices.isEmpty {
                entries.append(("choices", .array(ArrayValue(unchecked: schema.choices.map { .variant($0) }, of: .variant))))
            }
            if let minimum = schema.minimum { entries.append(("minimum", minimum)) }
            if let maximum = schema.maximum { entries.append(("maximum", maximum)) }
        }
        if let record = layers.first?.record {
            entries.append(("modified", .int64(record.modified)))
            entries.append(("writer", .string(record.writer)))
        }
        let rows = layers.map { Value.structure([.string($0.layer.rawValue), .string($0.domain.text), .variant($0.value)]) }
        entries.append(("layers", .array(ArrayValue(unchecked: rows, of: .structure([.string, .string, .variant])))))
        return .vardict(entries)
    }
}
