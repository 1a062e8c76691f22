import DBusTypes

/// libdbus's `DBUS_TYPE_*`, which are macros with casts and don't import.
enum TypeCode {
    static let invalid: Int32 = 0
    static let array = Int32(UInt8(ascii: "a"))
    static let structure = Int32(UInt8(ascii: "r"))
    static let dictionaryEntry = Int32(UInt8(ascii: "e"))
    static let variant = Int32(UInt8(ascii: "v"))
    static let byte = Int32(UInt8(ascii: "y"))
    static let boolean = Int32(UInt8(ascii: "b"))
    static let int16 = Int32(UInt8(ascii: "n"))
    static let uint16 = Int32(UInt8(ascii: "q"))
    static let int32 = Int32(UInt8(ascii: "i"))
    static let uint32 = Int32(UInt8(ascii: "u"))
    static let int64 = Int32(UInt8(ascii: "x"))
    static let uint64 = Int32(UInt8(ascii: "t"))
    static let double = Int32(UInt8(ascii: "d"))
    static let string = Int32(UInt8(ascii: "s"))
    static let objectPath = Int32(UInt8(ascii: "o"))
    static let signature = Int32(UInt8(ascii: "g"))
    static let unixFD = Int32(UInt8(ascii: "h"))

    /// The type of a code that needs no look at the signature; nil for a container.
    static func simpleType(_ code: Int32) -> DBusType? {
        switch code {
        case byte: .byte
        case boolean: .boolean
        case int16: .int16
        case uint16: .uint16
        case int32: .int32
        case uint32: .uint32
        case int64: .int64
        case uint64: .uint64
        case double: .double
        case string: .string
        case objectPath: .objectPath
        case signature: .signature
        case unixFD: .unixFD
        case variant: .variant
        default: nil
        }
    }
}
