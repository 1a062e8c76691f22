public import DBusTypes

extension Bool: DefaultsValue {
    /// Always `b`.
    public static var dbusTypeOfDefaults: DBusType? { .boolean }
    /// The value with its type.
    public func encoded() throws(ValueCodingError) -> Value { .boolean(self) }
    /// Takes a `b`, and no number.
    public static func decoded(from value: Value) throws(ValueCodingError) -> Bool {
        guard case .boolean(let result) = value else { throw wrongType(value) }
        return result
    }
}

/// An integer, stored in a D-Bus type as wide as itself and taken from any whose number fits.
extension DefaultsValue where Self: FixedWidthInteger & Codable {
    /// Takes an integer of any width; a number that doesn't fit is `undecodable`.
    public static func decoded(from value: Value) throws(ValueCodingError) -> Self { try decoded(fromAny: value) }

    static func decoded(fromAny value: Value) throws(ValueCodingError) -> Self {
        if let result = value.integer(as: Self.self) { return result }
        guard value.integer(as: Int64.self) != nil || value.integer(as: UInt64.self) != nil else { throw wrongType(value) }
        throw ValueCodingError(.undecodable, "the number is outside \(Self.min) to \(Self.max), which \(Self.self) holds")
    }
}

extension Int: DefaultsValue {
    /// Always `x`.
    public static var dbusTypeOfDefaults: DBusType? { .int64 }
    /// The value with its type.
    public func encoded() throws(ValueCodingError) -> Value { .int64(Int64(self)) }
    /// Takes an integer of any width; the usual one without a look at the others.
    public static func decoded(from value: Value) throws(ValueCodingError) -> Int {
        if case .int64(let number) = value { return Int(number) }
        return try decoded(fromAny: value)
    }
}

extension Int64: DefaultsValue {
    /// Always `x`.
    public static var dbusTypeOfDefaults: DBusType? { .int64 }
    /// The value with its type.
    public func encoded() throws(ValueCodingError) -> Value { .int64(self) }
}

extension Int32: DefaultsValue {
    /// Always `i`.
    public static var dbusTypeOfDefaults: DBusType? { .int32 }
    /// The value with its type.
    public func encoded() throws(ValueCodingError) -> Value { .int32(self) }
}

extension Int16: DefaultsValue {
    /// Always `n`.
    public static var dbusTypeOfDefaults: DBusType? { .int16 }
    /// The value with its type.
    public func encoded() throws(ValueCodingError) -> Value { .int16(self) }
}

extension Int8: DefaultsValue {
    /// Always `n`.
    public static var dbusTypeOfDefaults: DBusType? { .int16 }
    /// The value with its type.
    public func encoded() throws(ValueCodingError) -> Value { .int16(Int16(self)) }
}

extension UInt: DefaultsValue {
    /// Always `t`.
    public static var dbusTypeOfDefaults: DBusType? { .uint64 }
    /// The value with its type.
    public func encoded() throws(ValueCodingError) -> Value { .uint64(UInt64(self)) }
}

extension UInt64: DefaultsValue {
    /// Always `t`.
    public static var dbusTypeOfDefaults: DBusType? { .uint64 }
    /// The value with its type.
    public func encoded() throws(ValueCodingError) -> Value { .uint64(self) }
}

extension UInt32: DefaultsValue {
    /// Always `u`.
    public static var dbusTypeOfDefaults: DBusType? { .uint32 }
    /// The value with its type.
    public func encoded() throws(ValueCodingError) -> Value { .uint32(self) }
}

extension UInt16: DefaultsValue {
    /// Always `q`.
    public static var dbusTypeOfDefaults: DBusType? { .uint16 }
    /// The value with its type.
    public func encoded() throws(ValueCodingError) -> Value { .uint16(self) }
}

extension UInt8: DefaultsValue {
    /// Always `y`.
    public static var dbusTypeOfDefaults: DBusType? { .byte }
    /// The value with its type.
    public func encoded() throws(ValueCodingError) -> Value { .byte(self) }
}

extension Double: DefaultsValue {
    /// Always `d`.
    public static var dbusTypeOfDefaults: DBusType? { .double }
    /// The value with its type and bits.
    public func encoded() throws(ValueCodingError) -> Value { .double(self) }
    /// Takes a `d`, and an integer that a Double holds exactly; any other integer is `undecodable`.
    public static func decoded(from value: Value) throws(ValueCodingError) -> Double {
        if case .double(let result) = value { return result }
        let signed = value.integer(as: Int64.self)
        let unsigned = value.integer(as: UInt64.self)
        guard signed != nil || unsigned != nil else { throw wrongType(value) }
        guard let result = signed.flatMap({ Double(exactly: $0) }) ?? unsigned.flatMap({ Double(exactly: $0) }) else {
            throw ValueCodingError(.undecodable, "a Double doesn't hold the integer exactly")
        }
        return result
    }
}

extension Float: DefaultsValue {
    /// Always `d`.
    public static var dbusTypeOfDefaults: DBusType? { .double }
    /// The same number.
    public func encoded() throws(ValueCodingError) -> Value { .double(Double(self)) }
    /// Takes what a `Double` takes, and is the nearest to it; what is beyond a `Float` is `undecodable`.
    public static func decoded(from value: Value) throws(ValueCodingError) -> Float {
        let number: Double
        do throws(ValueCodingError) {
            number = try Double.decoded(from: value)
        } catch {
            throw error.kind == .wrongType ? wrongType(value) : error
        }
        let result = Float(number)
        guard result.isFinite || !number.isFinite else {
            throw ValueCodingError(.undecodable, "\(number) is beyond what a Float holds")
        }
        return result
    }
}

extension String: DefaultsValue {
    /// Always `s`.
    public static var dbusTypeOfDefaults: DBusType? { .string }
    /// The text; one with U+0000 is `unencodable`.
    public func encoded() throws(ValueCodingError) -> Value {
        guard !utf8.contains(0) else {
            throw ValueCodingError(.unencodable, "a text with U+0000 can't be a D-Bus string; store the bytes instead")
        }
        return .string(self)
    }
    /// Takes an `s`.
    public static func decoded(from value: Value) throws(ValueCodingError) -> String {
        guard case .string(let result) = value else { throw wrongType(value) }
        return result
    }
}

/// Any D-Bus value as it is, for what no Swift type says: structures, object paths, signatures.
extension Value: DefaultsValue {
    /// Depends on the value.
    public static var dbusTypeOfDefaults: DBusType? { nil }
    /// The value itself.
    public func encoded() throws(ValueCodingError) -> Value { self }
    /// Takes any value.
    public static func decoded(from value: Value) throws(ValueCodingError) -> Value { value }
}
