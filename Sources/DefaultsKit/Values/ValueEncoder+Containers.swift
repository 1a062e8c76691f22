import DBusTypes

struct KeyedValues<Key: CodingKey>: KeyedEncodingContainerProtocol {
    let codingPath: [any CodingKey]
    let entries: EncodedEntries

    /// An entry that is left out: D-Bus has no nil, and decoding takes a missing entry for one.
    mutating func encodeNil(forKey key: Key) {}

    mutating func encode(_ value: some Encodable, forKey key: Key) throws {
        try Names.check(key.stringValue, at: codingPath)
        if let optional = value as? any DefaultsValue, optional.isAbsent { return }
        let encoded = try ValueEncoder.encode(value, at: codingPath + [key])
        entries.add(key.stringValue).content = .value(encoded)
    }

    mutating func nestedContainer<Nested: CodingKey>(keyedBy type: Nested.Type, forKey key: Key) -> KeyedEncodingContainer<Nested>
    {
        let nested = entries.add(key.stringValue).keyed()
        return KeyedEncodingContainer(KeyedValues<Nested>(codingPath: codingPath + [key], entries: nested))
    }

    mutating func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
        UnkeyedValues(codingPath: codingPath + [key], elements: entries.add(key.stringValue).unkeyed())
    }

    mutating func superEncoder() -> any Encoder { encoder(for: NamedKey("super")) }

    mutating func superEncoder(forKey key: Key) -> any Encoder { encoder(for: key) }

    private func encoder(for key: any CodingKey) -> ValueEncoder {
        ValueEncoder(codingPath: codingPath + [key], slot: entries.add(key.stringValue))
    }
}

private enum Names {
    static func check(_ name: String, at path: [any CodingKey]) throws {
        guard !name.utf8.contains(0) else {
            throw ValueCodingError(.unencodable, at: text(of: path), "a name with U+0000 can't be a D-Bus string")
        }
    }
}

struct UnkeyedValues: UnkeyedEncodingContainer {
    let codingPath: [any CodingKey]
    let elements: EncodedElements

    var count: Int { elements.slots.count }
    private var place: [any CodingKey] { codingPath + [NamedKey(count)] }

    mutating func encodeNil() throws {
        throw ValueCodingError(.unencodable, at: text(of: place), "D-Bus has no nil, and a sequence can't leave an element out")
    }

    mutating func encode(_ value: some Encodable) throws {
        let encoded = try ValueEncoder.encode(value, at: place)
        elements.add().content = .value(encoded)
    }

    mutating func nestedContainer<Nested: CodingKey>(keyedBy type: Nested.Type) -> KeyedEncodingContainer<Nested> {
        let path = place
        return KeyedEncodingContainer(KeyedValues<Nested>(codingPath: path, entries: elements.add().keyed()))
    }

    mutating func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer {
        let path = place
        return UnkeyedValues(codingPath: path, elements: elements.add().unkeyed())
    }

    mutating func superEncoder() -> any Encoder {
        let path = place
        return ValueEncoder(codingPath: path, slot: elements.add())
    }
}

struct SingleValue: SingleValueEncodingContainer {
    let codingPath: [any CodingKey]
    let slot: EncodingSlot

    mutating func encodeNil() throws {
        throw ValueCodingError(.unencodable, at: text(of: codingPath), "D-Bus has no nil; leave the value out")
    }

    mutating func encode(_ value: some Encodable) throws {
        slot.content = .value(try ValueEncoder.encode(value, at: codingPath))
    }
}
