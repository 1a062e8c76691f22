import DBusTypes

/// Encodes `Codable` types to D-Bus values: structures to `a{sv}`, sequences to `av`, everything with a D-Bus type of its own to that.
struct ValueEncoder: Encoder {
    let codingPath: [any CodingKey]
    let userInfo: [CodingUserInfoKey: Any] = [:]
    let slot: EncodingSlot

    static func encode(_ value: some Encodable) throws(ValueCodingError) -> Value {
        let slot = EncodingSlot()
        do {
            try value.encode(to: ValueEncoder(codingPath: [], slot: slot))
            return try slot.value(at: [])
        } catch let error as ValueCodingError {
            throw error
        } catch let EncodingError.invalidValue(_, context) {
            throw ValueCodingError(.unencodable, at: text(of: context.codingPath), context.debugDescription)
        } catch {
            throw ValueCodingError(.unencodable, "\(error)")
        }
    }

    /// A value inside another: by its own D-Bus type where it has one, else by its encoding.
    static func encode(_ value: some Encodable, at path: [any CodingKey]) throws -> Value {
        if let value = value as? any DefaultsValue {
            do throws(ValueCodingError) {
                return try value.encoded()
            } catch {
                throw path.isEmpty ? error : error.within(text(of: path))
            }
        }
        // Their own encoding asks the encoder for the type again, without an end.
        if value is Int128 || value is UInt128 {
            throw ValueCodingError(
                .unencodable, at: text(of: path), "D-Bus has no integer of 128 bits; the widest are x and t with 64")
        }
        let slot = EncodingSlot()
        try value.encode(to: ValueEncoder(codingPath: path, slot: slot))
        return try slot.value(at: path)
    }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        KeyedEncodingContainer(KeyedValues<Key>(codingPath: codingPath, entries: slot.keyed()))
    }

    func unkeyedContainer() -> any UnkeyedEncodingContainer {
        UnkeyedValues(codingPath: codingPath, elements: slot.unkeyed())
    }

    func singleValueContainer() -> any SingleValueEncodingContainer { SingleValue(codingPath: codingPath, slot: slot) }
}

/// Where an encoder leaves its result.
///
/// A reference, since the containers of one encoder all write to it; used on one thread, within one call.
final class EncodingSlot {
    enum Content {
        case nothing
        case value(Value)
        case entries(EncodedEntries)
        case elements(EncodedElements)
    }

    var content = Content.nothing

    func keyed() -> EncodedEntries {
        if case .entries(let entries) = content { return entries }
        let entries = EncodedEntries()
        content = .entries(entries)
        return entries
    }

    func unkeyed() -> EncodedElements {
        if case .elements(let elements) = content { return elements }
        let elements = EncodedElements()
        content = .elements(elements)
        return elements
    }

    func value(at path: [any CodingKey]) throws -> Value {
        switch content {
        case .value(let value): return value
        case .entries(let entries):
            return .vardict(try entries.slots.map { ($0.name, try $0.slot.value(at: path + [NamedKey($0.name)])) })
        case .elements(let elements):
            let values = try elements.slots.enumerated().map { try $0.element.value(at: path + [NamedKey($0.offset)]) }
            return .array(ArrayValue(unchecked: values.map { .variant($0) }, of: .variant))
        case .nothing:
            throw ValueCodingError(.unencodable, at: text(of: path), "the value encodes to nothing, which D-Bus has no value for")
        }
    }
}

/// What a keyed container was given, in order; of a name that comes twice the last.
final class EncodedEntries {
    private(set) var slots: [(name: String, slot: EncodingSlot)] = []

    func add(_ name: String) -> EncodingSlot {
        let slot = EncodingSlot()
        slots.removeAll { $0.name == name }
        slots.append((name, slot))
        return slot
    }
}

/// What an unkeyed container was given.
final class EncodedElements {
    private(set) var slots: [EncodingSlot] = []

    func add() -> EncodingSlot {
        let slot = EncodingSlot()
        slots.append(slot)
        return slot
    }
}

/// A key of any name, or of a place in a sequence.
struct NamedKey: CodingKey {
    let stringValue: String
    let intValue: Int?

    init(_ name: String) {
        stringValue = name
        intValue = nil
    }

    init(_ index: Int) {
        stringValue = "\(index)"
        intValue = index
    }

    init?(stringValue: String) { self.init(stringValue) }
    init?(intValue: Int) { self.init(intValue) }
}
