public import DBusTypes

extension Optional: DefaultsValue where Wrapped: DefaultsValue {
    /// That of the value in it.
    public static var dbusTypeOfDefaults: DBusType? { Wrapped.dbusTypeOfDefaults }

    /// Whether it is nil: a key whose value is set to nil is reset.
    public var isAbsent: Bool { self?.isAbsent ?? true }

    /// Absent is nil.
    public static var absent: Wrapped?? { .some(.none) }

    /// The value in it; nil has no D-Bus value and is `unencodable`.
    public func encoded() throws(ValueCodingError) -> Value {
        guard let self else {
            throw ValueCodingError(.unencodable, "D-Bus has no nil; leave the value out, or reset the preference")
        }
        return try self.encoded()
    }

    /// Takes what `Wrapped` takes; a value that it doesn't take is an error and not nil.
    public static func decoded(from value: Value) throws(ValueCodingError) -> Wrapped? { try Wrapped.decoded(from: value) }
}

extension Array: DefaultsValue where Element: DefaultsValue {
    /// `aT`, or `av` where the elements' type depends on their values.
    public static var dbusTypeOfDefaults: DBusType? { .array(of: Element.dbusTypeOfDefaults ?? .variant) }

    /// The elements in order, typed also where there are none.
    public func encoded() throws(ValueCodingError) -> Value {
        if let bytes = self as? [UInt8], Element.self == UInt8.self { return .bytes(bytes) }
        let element = Element.dbusTypeOfDefaults
        var values: [Value] = []
        values.reserveCapacity(count)
        for (index, item) in enumerated() {
            do throws(ValueCodingError) {
                let value = try item.encoded()
                values.append(element == nil ? .variant(value) : value)
            } catch {
                throw error.within("[\(index)]")
            }
        }
        return .array(ArrayValue(unchecked: values, of: element ?? .variant))
    }

    /// Takes an array whose elements `Element` takes, in variants or not.
    public static func decoded(from value: Value) throws(ValueCodingError) -> [Element] {
        guard case .array(let array) = value else { throw wrongType(value) }
        if Element.self == UInt8.self, let bytes = array.bytes as? [Element] { return bytes }
        var result: [Element] = []
        result.reserveCapacity(array.count)
        for (index, item) in array.values.enumerated() {
            do throws(ValueCodingError) {
                result.append(try Element.decoded(from: item.unwrapped))
            } catch {
                throw error.within("[\(index)]")
            }
        }
        return result
    }
}

/// Keys have a basic D-Bus type: texts, numbers, and enums of them.
extension Dictionary: DefaultsValue where Key: DefaultsValue, Value: DefaultsValue {
    /// `a{KT}`, or `a{Kv}` where the values' type depends on them.
    public static var dbusTypeOfDefaults: DBusType? {
        guard let key = Key.dbusTypeOfDefaults, key.isBasic else { return nil }
        return .dictionary(key: key, value: Value.dbusTypeOfDefaults ?? .variant)
    }

    /// The entries in the order of their keys: a Swift dictionary has another one in every process.
    public func encoded() throws(ValueCodingError) -> DBusTypes.Value {
        guard let keyType = Key.dbusTypeOfDefaults, keyType.isBasic else {
            throw ValueCodingError(.unencodable, "\(Key.self) has no basic D-Bus type and can't be the key of a dictionary")
        }
        let valueType = Value.dbusTypeOfDefaults
        var entries: [DictionaryValue.Entry] = []
        entries.reserveCapacity(count)
        for (key, value) in self {
            do throws(ValueCodingError) {
                let encoded = try value.encoded()
                entries.append(DictionaryValue.Entry(try key.encoded(), valueType == nil ? .variant(encoded) : encoded))
            } catch {
                throw error.within("\(key)")
            }
        }
        entries.sort { $0.key.precedes($1.key) }
        return .dictionary(DictionaryValue(unchecked: entries, key: keyType, value: valueType ?? .variant))
    }

    /// Takes a dictionary whose keys and values the two types take, values in variants or not.
    public static func decoded(from value: DBusTypes.Value) throws(ValueCodingError) -> [Key: Value] {
        guard case .dictionary(let dictionary) = value else { throw wrongType(value) }
        var result: [Key: Value] = [:]
        result.reserveCapacity(dictionary.entries.count)
        for entry in dictionary.entries {
            let key = try Key.decoded(from: entry.key)
            do throws(ValueCodingError) {
                result[key] = try Value.decoded(from: entry.value.unwrapped)
            } catch {
                throw error.within("\(key)")
            }
        }
        return result
    }
}

extension Value {
    /// The value in a variant, and in a variant in that; any other value itself.
    var unwrapped: Value {
        var value = self
        while case .variant(let inner) = value { value = inner }
        return value
    }

    /// An order of the keys of one dictionary, the same in every process.
    func precedes(_ other: Value) -> Bool {
        switch (self, other) {
        case (.string(let left), .string(let right)): left.utf8.lexicographicallyPrecedes(right.utf8)
        case (.double(let left), .double(let right)): left < right
        case (.boolean(let left), .boolean(let right)): !left && right
        default:
            if let left = integer(as: Int64.self), let right = other.integer(as: Int64.self) {
                left < right
            } else {
                (integer(as: UInt64.self) ?? 0) < (other.integer(as: UInt64.self) ?? 0)
            }
        }
    }
}
