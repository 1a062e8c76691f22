public import DBusTypes

/// A Swift type that a preference can have: each value is one native D-Bus value, readable in `busctl`.
///
/// | Swift | D-Bus |
/// |---|---|
/// | `Bool` | `b` |
/// | `Int`, `Int64` / `UInt`, `UInt64` | `x` / `t` |
/// | `Int8`, `Int16`, `Int32` / `UInt8`, `UInt16`, `UInt32` | `n`, `n`, `i` / `y`, `q`, `u` |
/// | `Double`, `Float` | `d` |
/// | `String`, `URL`, `UUID` | `s` |
/// | `Date` | `x`, microseconds since the Unix epoch |
/// | `Data`, `[UInt8]` | `ay` |
/// | arrays and dictionaries | `aT`, `a{KT}`; `av`, `a{Kv}` where the element's D-Bus type depends on the value |
/// | `RawRepresentable` | its raw value's |
/// | `Codable` structures | `a{sv}` |
///
/// Types of one's own need no code: declare the conformance on an enum with a raw value or on a `Codable` type.
///
///     enum Theme: String, DefaultsValue { case light, dark }
///     struct Size: Codable, DefaultsValue { var width: Int, height: Int }
///
/// Reading is lossless and never guesses: an integer of any width is taken where its number fits, also for a `Double` that holds it
/// exactly; a text is never a number, and a number never a Boolean (P14).
public protocol DefaultsValue: Sendable {
    /// The D-Bus type of every value of this type; nil where it depends on the value.
    static var dbusTypeOfDefaults: DBusType? { get }

    /// The value as D-Bus has it.
    ///
    /// - Throws: `unencodable`, naming the place, for what D-Bus has no type for.
    func encoded() throws(ValueCodingError) -> Value

    /// Takes a value back.
    ///
    /// - Throws: `wrongType` or `undecodable`, naming the place.
    static func decoded(from value: Value) throws(ValueCodingError) -> Self

    /// Whether this value stands for none: a nil `Optional`, which resets a preference where it is set.
    var isAbsent: Bool { get }

    /// What an absent preference is read as where the type has a value for that: nil of an `Optional`.
    static var absent: Self? { get }
}

extension DefaultsValue {
    /// Never, but for a nil `Optional`.
    public var isAbsent: Bool { false }
    /// None, but for an `Optional`.
    public static var absent: Self? { nil }

    static func wrongType(_ value: Value) -> ValueCodingError {
        ValueCodingError(.wrongType, "a value of D-Bus type \(value.type.text) is no \(Self.self)")
    }
}

extension DefaultsValue where Self: RawRepresentable, RawValue: DefaultsValue {
    /// The raw value's type.
    public static var dbusTypeOfDefaults: DBusType? { RawValue.dbusTypeOfDefaults }

    /// The raw value.
    public func encoded() throws(ValueCodingError) -> Value { try rawValue.encoded() }

    /// Takes a raw value back; one that no case has is `undecodable`.
    public static func decoded(from value: Value) throws(ValueCodingError) -> Self {
        let raw = try RawValue.decoded(from: value)
        guard let result = Self(rawValue: raw) else {
            throw ValueCodingError(.undecodable, "\(raw) is no raw value of \(Self.self)")
        }
        return result
    }
}

extension DefaultsValue where Self: Codable {
    /// Depends on the value.
    public static var dbusTypeOfDefaults: DBusType? { nil }

    /// Encodes the properties as an `a{sv}`, or whatever else the type's own encoding asks for.
    public func encoded() throws(ValueCodingError) -> Value { try ValueEncoder.encode(self) }

    /// Decodes what `encoded` gives.
    public static func decoded(from value: Value) throws(ValueCodingError) -> Self {
        try ValueDecoder.decode(Self.self, from: value)
    }
}

extension DefaultsValue where Self: RawRepresentable & Codable, RawValue: DefaultsValue {
    /// The raw value's type.
    public static var dbusTypeOfDefaults: DBusType? { RawValue.dbusTypeOfDefaults }

    /// The raw value.
    public func encoded() throws(ValueCodingError) -> Value { try rawValue.encoded() }

    /// Takes a raw value back; one that no case has is `undecodable`.
    public static func decoded(from value: Value) throws(ValueCodingError) -> Self {
        let raw = try RawValue.decoded(from: value)
        guard let result = Self(rawValue: raw) else {
            throw ValueCodingError(.undecodable, "\(raw) is no raw value of \(Self.self)")
        }
        return result
    }
}
