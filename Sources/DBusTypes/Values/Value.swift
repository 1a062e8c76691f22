/// A D-Bus value that keeps its exact type: width of integers, element type of an empty array, bits of a double.
///
/// Two values are equal when type and bits are (rule P4): `NaN == NaN` when the payload is the same, `0.0 != -0.0`,
/// and the entries of a dictionary compare as a set.
public enum Value: Sendable {
    case byte(UInt8)
    case boolean(Bool)
    case int16(Int16)
    case uint16(UInt16)
    case int32(Int32)
    case uint32(UInt32)
    case int64(Int64)
    case uint64(UInt64)
    case double(Double)
    case string(String)
    case objectPath(ObjectPath)
    case signature(Signature)
    case unixFD(UnixFD)
    case array(ArrayValue)
    /// Never empty.
    case structure([Value])
    case dictionary(DictionaryValue)
    indirect case variant(Value)

    /// The type, computed from the value; cheap for everything but structures.
    public var type: DBusType {
        switch self {
        case .byte: .byte
        case .boolean: .boolean
        case .int16: .int16
        case .uint16: .uint16
        case .int32: .int32
        case .uint32: .uint32
        case .int64: .int64
        case .uint64: .uint64
        case .double: .double
        case .string: .string
        case .objectPath: .objectPath
        case .signature: .signature
        case .unixFD: .unixFD
        case .array(let array): .array(of: array.element)
        case .structure(let fields): .structure(fields.map(\.type))
        case .dictionary(let dictionary): .dictionary(key: dictionary.keyType, value: dictionary.valueType)
        case .variant: .variant
        }
    }
}

extension Value: Hashable {
    /// Type and bits (P4).
    public static func == (left: Value, right: Value) -> Bool {
        switch left {
        case .byte(let left): left == UInt8(dbusValue: right)
        case .boolean(let left): left == Bool(dbusValue: right)
        case .int16(let left): left == Int16(dbusValue: right)
        case .uint16(let left): left == UInt16(dbusValue: right)
        case .int32(let left): left == Int32(dbusValue: right)
        case .uint32(let left): left == UInt32(dbusValue: right)
        case .int64(let left): left == Int64(dbusValue: right)
        case .uint64(let left): left == UInt64(dbusValue: right)
        case .double(let left): left.bitPattern == Double(dbusValue: right)?.bitPattern
        case .string(let left): if case .string(let right) = right { left.hasSameBytes(as: right) } else { false }
        case .objectPath(let left): left == ObjectPath(dbusValue: right)
        case .signature(let left): left == Signature(dbusValue: right)
        case .unixFD(let left): if case .unixFD(let right) = right { left == right } else { false }
        case .array(let left): if case .array(let right) = right { left == right } else { false }
        case .structure(let left): if case .structure(let right) = right { left == right } else { false }
        case .dictionary(let left): if case .dictionary(let right) = right { left == right } else { false }
        case .variant(let left): if case .variant(let right) = right { left == right } else { false }
        }
    }

    /// Agrees with `==`.
    public func hash(into hasher: inout Hasher) {
        switch self {
        case .byte(let value): hasher.combine(value)
        case .boolean(let value): hasher.combine(value)
        case .int16(let value): hasher.combine(value)
        case .uint16(let value): hasher.combine(value)
        case .int32(let value): hasher.combine(value)
        case .uint32(let value): hasher.combine(value)
        case .int64(let value): hasher.combine(value)
        case .uint64(let value): hasher.combine(value)
        case .double(let value): hasher.combine(value.bitPattern)
        case .string(var value): value.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
        case .objectPath(let value): hasher.combine(value)
        case .signature(let value): hasher.combine(value)
        case .unixFD(let value): hasher.combine(value)
        case .array(let value): hasher.combine(value)
        case .structure(let value): hasher.combine(value)
        case .dictionary(let value): hasher.combine(value)
        case .variant(let value): value.hash(into: &hasher)
        }
    }
}

/// An open file descriptor that travels in a message; closed when the last reference goes.
public final class UnixFD: Hashable, Sendable {
    /// The descriptor's number in this process, valid while this object lives.
    public let number: Int32
    private let close: @Sendable (Int32) -> Void

    /// Takes over `number`; `close` is called with it exactly once, from any thread.
    public init(owning number: Int32, close: @escaping @Sendable (Int32) -> Void) {
        self.number = number
        self.close = close
    }

    deinit { close(number) }

    /// Descriptors are equal when their numbers are.
    public static func == (left: UnixFD, right: UnixFD) -> Bool { left.number == right.number }

    /// Hashes the number.
    public func hash(into hasher: inout Hasher) { hasher.combine(number) }
}
