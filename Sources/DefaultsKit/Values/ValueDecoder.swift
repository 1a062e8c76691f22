import DBusTypes

/// Decodes `Codable` types from D-Bus values, as ``ValueEncoder`` makes them or another program has written them.
struct ValueDecoder: Decoder {
    let codingPath: [any CodingKey]
    let userInfo: [CodingUserInfoKey: Any] = [:]
    let value: Value

    static func decode<T: Decodable>(_ type: T.Type, from value: Value) throws(ValueCodingError) -> T {
        do {
            return try T(from: ValueDecoder(codingPath: [], value: value.unwrapped))
        } catch let error as ValueCodingError {
            throw error
        } catch let error as DecodingError {
            throw ValueCodingError(error)
        } catch {
            throw ValueCodingError(.undecodable, "\(error)")
        }
    }

    /// A value inside another.
    static func decode<T: Decodable>(_ type: T.Type, from value: Value, at path: [any CodingKey]) throws -> T {
        if let type = type as? any DefaultsValue.Type {
            do throws(ValueCodingError) {
                // Whatever type it is, it is T.
                if let result = try type.decoded(from: value.unwrapped) as? T { return result }
            } catch {
                throw path.isEmpty ? error : error.within(text(of: path))
            }
        }
        if type == Int128.self || type == UInt128.self {
            throw ValueCodingError(.wrongType, at: text(of: path), "D-Bus has no integer of 128 bits")
        }
        return try T(from: ValueDecoder(codingPath: path, value: value.unwrapped))
    }

    func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        KeyedDecodingContainer(try StoredEntries<Key>(value, at: codingPath))
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer { try StoredElements(value, at: codingPath) }

    func singleValueContainer() -> any SingleValueDecodingContainer { StoredValue(codingPath: codingPath, value: value) }
}

extension ValueCodingError {
    /// What a type's own decoding found wrong.
    init(_ error: DecodingError) {
        switch error {
        case .typeMismatch(let type, let context):
            self.init(
                .wrongType, at: DefaultsKit.text(of: context.codingPath), "\(type) was expected. \(context.debugDescription)")
        case .valueNotFound(_, let context), .dataCorrupted(let context):
            self.init(.undecodable, at: DefaultsKit.text(of: context.codingPath), context.debugDescription)
        case .keyNotFound(let key, let context):
            self.init(.undecodable, at: DefaultsKit.text(of: context.codingPath + [key]), "the entry is missing")
        @unknown default:
            self.init(.undecodable, "\(error)")
        }
    }
}

struct StoredEntries<Key: CodingKey>: KeyedDecodingContainerProtocol {
    let codingPath: [any CodingKey]
    private let entries: [String: Value]

    init(_ value: Value, at path: [any CodingKey]) throws {
        guard case .dictionary(let dictionary) = value, dictionary.keyType == .string else {
            throw ValueCodingError(
                .wrongType, at: text(of: path),
                "a value of D-Bus type \(value.type.text) has no entries by name; a{sv} was expected")
        }
        codingPath = path
        var entries: [String: Value] = [:]
        for entry in dictionary.entries {
            if case .string(let name) = entry.key { entries[name] = entry.value.unwrapped }
        }
        self.entries = entries
    }

    var allKeys: [Key] { entries.keys.compactMap { Key(stringValue: $0) } }

    func contains(_ key: Key) -> Bool { entries[key.stringValue] != nil }

    /// A missing entry is nil: D-Bus has no other.
    func decodeNil(forKey key: Key) -> Bool { !contains(key) }

    func decode<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T {
        try ValueDecoder.decode(type, from: try value(key), at: codingPath + [key])
    }

    func nestedContainer<Nested: CodingKey>(keyedBy type: Nested.Type, forKey key: Key) throws -> KeyedDecodingContainer<Nested> {
        KeyedDecodingContainer(try StoredEntries<Nested>(try value(key), at: codingPath + [key]))
    }

    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
        try StoredElements(try value(key), at: codingPath + [key])
    }

    func superDecoder() throws -> any Decoder { try decoder(for: NamedKey("super")) }

    func superDecoder(forKey key: Key) throws -> any Decoder { try decoder(for: key) }

    private func decoder(for key: any CodingKey) throws -> ValueDecoder {
        ValueDecoder(codingPath: codingPath + [key], value: try value(key))
    }

    private func value(_ key: any CodingKey) throws -> Value {
        guard let value = entries[key.stringValue] else {
            throw ValueCodingError(.undecodable, at: text(of: codingPath + [key]), "the entry is missing")
        }
        return value
    }
}

struct StoredElements: UnkeyedDecodingContainer {
    let codingPath: [any CodingKey]
    private let values: [Value]
    private(set) var currentIndex = 0

    init(_ value: Value, at path: [any CodingKey]) throws {
        codingPath = path
        switch value {
        case .array(let array): values = array.values
        case .structure(let fields): values = fields
        default:
            throw ValueCodingError(
                .wrongType, at: text(of: path), "a value of D-Bus type \(value.type.text) is no sequence; an array was expected")
        }
    }

    var count: Int? { values.count }
    var isAtEnd: Bool { currentIndex == values.count }
    private var place: [any CodingKey] { codingPath + [NamedKey(currentIndex)] }

    mutating func decodeNil() -> Bool { false }

    mutating func decode<T: Decodable>(_ type: T.Type) throws -> T {
        let result = try ValueDecoder.decode(type, from: try next(), at: place)
        currentIndex += 1
        return result
    }

    mutating func nestedContainer<Nested: CodingKey>(keyedBy type: Nested.Type) throws -> KeyedDecodingContainer<Nested> {
        let nested = try StoredEntries<Nested>(try next(), at: place)
        currentIndex += 1
        return KeyedDecodingContainer(nested)
    }

    mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
        let nested = try StoredElements(try next(), at: place)
        currentIndex += 1
        return nested
    }

    mutating func superDecoder() throws -> any Decoder {
        let decoder = ValueDecoder(codingPath: place, value: try next())
        currentIndex += 1
        return decoder
    }

    private func next() throws -> Value {
        guard currentIndex < values.count else {
            throw ValueCodingError(.undecodable, at: text(of: place), "the sequence has only \(values.count) elements")
        }
        return values[currentIndex].unwrapped
    }
}

struct StoredValue: SingleValueDecodingContainer {
    let codingPath: [any CodingKey]
    let value: Value

    func decodeNil() -> Bool { false }

    func decode<T: Decodable>(_ type: T.Type) throws -> T { try ValueDecoder.decode(type, from: value, at: codingPath) }
}
