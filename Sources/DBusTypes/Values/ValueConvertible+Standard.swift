extension UInt8: ValueConvertible {
    /// Always `byte`.
    public static var dbusType: DBusType { .byte }
    /// The value with its type.
    public var dbusValue: Value { .byte(self) }
    /// Nil for a value of another type.
    public init?(dbusValue: Value) {
        guard case .byte(let value) = dbusValue else { return nil }
        self = value
    }
}

extension Bool: ValueConvertible {
    /// Always `boolean`.
    public static var dbusType: DBusType { .boolean }
    /// The value with its type.
    public var dbusValue: Value { .boolean(self) }
    /// Nil for a value of another type.
    public init?(dbusValue: Value) {
        guard case .boolean(let value) = dbusValue else { return nil }
        self = value
    }
}

extension Int16: ValueConvertible {
    /// Always `int16`.
    public static var dbusType: DBusType { .int16 }
    /// The value with its type.
    public var dbusValue: Value { .int16(self) }
    /// Nil for a value of another type.
    public init?(dbusValue: Value) {
        guard case .int16(let value) = dbusValue else { return nil }
        self = value
    }
}

extension UInt16: ValueConvertible {
    /// Always `uint16`.
    public static var dbusType: DBusType { .uint16 }
    /// The value with its type.
    public var dbusValue: Value { .uint16(self) }
    /// Nil for a value of another type.
    public init?(dbusValue: Value) {
        guard case .uint16(let value) = dbusValue else { return nil }
        self = value
    }
}

extension Int32: ValueConvertible {
    /// Always `int32`.
    public static var dbusType: DBusType { .int32 }
    /// The value with its type.
    public var dbusValue: Value { .int32(self) }
    /// Nil for a value of another type.
    public init?(dbusValue: Value) {
        guard case .int32(let value) = dbusValue else { return nil }
        self = value
    }
}

extension UInt32: ValueConvertible {
    /// Always `uint32`.
    public static var dbusType: DBusType { .uint32 }
    /// The value with its type.
    public var dbusValue: Value { .uint32(self) }
    /// Nil for a value of another type.
    public init?(dbusValue: Value) {
        guard case .uint32(let value) = dbusValue else { return nil }
        self = value
    }
}

extension Int64: ValueConvertible {
    /// Always `int64`.
    public static var dbusType: DBusType { .int64 }
    /// The value with its type.
    public var dbusValue: Value { .int64(self) }
    /// Nil for a value of another type.
    public init?(dbusValue: Value) {
        guard case .int64(let value) = dbusValue else { return nil }
        self = value
    }
}

extension UInt64: ValueConvertible {
    /// Always `uint64`.
    public static var dbusType: DBusType { .uint64 }
    /// The value with its type.
    public var dbusValue: Value { .uint64(self) }
    /// Nil for a value of another type.
    public init?(dbusValue: Value) {
        guard case .uint64(let value) = dbusValue else { return nil }
        self = value
    }
}

extension Double: ValueConvertible {
    /// Always `double`.
    public static var dbusType: DBusType { .double }
    /// The value with its type.
    public var dbusValue: Value { .double(self) }
    /// Nil for a value of another type.
    public init?(dbusValue: Value) {
        guard case .double(let value) = dbusValue else { return nil }
        self = value
    }
}

extension String: ValueConvertible {
    /// Always `string`.
    public static var dbusType: DBusType { .string }
    /// The value with its type.
    public var dbusValue: Value { .string(self) }
    /// Nil for a value of another type.
    public init?(dbusValue: Value) {
        guard case .string(let value) = dbusValue else { return nil }
        self = value
    }
}

extension ObjectPath: ValueConvertible {
    /// Always `objectPath`.
    public static var dbusType: DBusType { .objectPath }
    /// The value with its type.
    public var dbusValue: Value { .objectPath(self) }
    /// Nil for a value of another type.
    public init?(dbusValue: Value) {
        guard case .objectPath(let value) = dbusValue else { return nil }
        self = value
    }
}

extension Signature: ValueConvertible {
    /// Always `signature`.
    public static var dbusType: DBusType { .signature }
    /// The value with its type.
    public var dbusValue: Value { .signature(self) }
    /// Nil for a value of another type.
    public init?(dbusValue: Value) {
        guard case .signature(let value) = dbusValue else { return nil }
        self = value
    }
}

/// A `Value` as such is a variant.
extension Value: ValueConvertible {
    /// A variant.
    public static var dbusType: DBusType { .variant }
    /// The value with its type.
    public var dbusValue: Value { .variant(self) }
    /// Nil for a value of another type.
    public init?(dbusValue: Value) {
        guard case .variant(let value) = dbusValue else { return nil }
        self = value
    }
}

extension Array: ValueConvertible where Element: ValueConvertible {
    /// An array of the elements' type.
    public static var dbusType: DBusType { .array(of: Element.dbusType) }
    /// The value with its type.
    public var dbusValue: Value {
        // An empty array of any element casts to `[UInt8]`: ask for the element type instead.
        if Element.self == UInt8.self, let bytes = self as? [UInt8] { return .bytes(bytes) }
        return .array(ArrayValue(unchecked: map(\.dbusValue), of: Element.dbusType))
    }
    /// Nil for a value of another type.
    public init?(dbusValue: Value) {
        guard case .array(let array) = dbusValue, array.element == Element.dbusType else { return nil }
        var elements: [Element] = []
        elements.reserveCapacity(array.count)
        for value in array.values {
            guard let element = Element(dbusValue: value) else { return nil }
            elements.append(element)
        }
        self = elements
    }
}

/// Entries are sorted by nothing: a Swift dictionary has no order. The first of two equal keys wins on the way back.
extension Dictionary: ValueConvertible where Key: ValueConvertible, Value: ValueConvertible {
    /// A dictionary of the keys' and values' types.
    public static var dbusType: DBusType { .dictionary(key: Key.dbusType, value: Value.dbusType) }
    /// The value with its type.
    public var dbusValue: DBusTypes.Value {
        .dictionary(
            DictionaryValue(
                unchecked: map { DictionaryValue.Entry($0.key.dbusValue, $0.value.dbusValue) }, key: Key.dbusType,
                value: Value.dbusType))
    }
    /// Nil for a value of another type.
    public init?(dbusValue: DBusTypes.Value) {
        guard case .dictionary(let dictionary) = dbusValue, dictionary.keyType == Key.dbusType,
            dictionary.valueType == Value.dbusType
        else { return nil }
        self.init(minimumCapacity: dictionary.entries.count)
        for entry in dictionary.entries {
            guard let key = Key(dbusValue: entry.key), let value = Value(dbusValue: entry.value) else { return nil }
            if self[key] == nil { self[key] = value }
        }
    }
}
