/// A Swift type that has exactly one D-Bus type.
///
/// Conversions are exact: an `int32` is no `Int64` (P3). Lenient ones belong to client libraries (P14).
public protocol ValueConvertible {
    /// The D-Bus type of every value of this type.
    static var dbusType: DBusType { get }
    /// The value, of type `dbusType`.
    var dbusValue: Value { get }
    /// Takes the value back out; nil where it is of another type.
    init?(dbusValue: Value)
}

extension Value {
    /// The value as a Swift type; nil where it is of another D-Bus type.
    public func get<T: ValueConvertible>(as type: T.Type = T.self) -> T? { T(dbusValue: self) }

    /// An array of one Swift type's values, typed also when empty.
    public static func array<T: ValueConvertible>(_ values: [T]) -> Value { values.dbusValue }

    /// An array of bytes, `ay`.
    public static func bytes(_ bytes: [UInt8]) -> Value { .array(ArrayValue(bytes: bytes)) }

    /// An `a{sv}`; the values are wrapped in variants here.
    public static func vardict(_ entries: [(String, Value)]) -> Value { .dictionary(DictionaryValue(entries)) }

    /// The dictionary in this value, nil for any other type.
    public var dictionary: DictionaryValue? {
        if case .dictionary(let dictionary) = self { dictionary } else { nil }
    }

    /// Any integer by its number, whatever its width; nil for what is none or lies outside `T`.
    public func integer<T: FixedWidthInteger>(as type: T.Type = T.self) -> T? {
        switch self {
        case .byte(let value): T(exactly: value)
        case .int16(let value): T(exactly: value)
        case .uint16(let value): T(exactly: value)
        case .int32(let value): T(exactly: value)
        case .uint32(let value): T(exactly: value)
        case .int64(let value): T(exactly: value)
        case .uint64(let value): T(exactly: value)
        case .boolean, .double, .string, .objectPath, .signature, .unixFD, .array, .structure, .dictionary, .variant: nil
        }
    }
}
