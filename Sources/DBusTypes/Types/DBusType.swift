/// A single complete type of the D-Bus type system.
///
/// A dictionary entry outside an array can't be expressed, as the specification demands.
public indirect enum DBusType: Hashable, Sendable {
    case byte, boolean, int16, uint16, int32, uint32, int64, uint64, double
    case string, objectPath, signature
    case unixFD
    case variant
    case array(of: DBusType)
    /// Never empty.
    case structure([DBusType])
    /// An array of dictionary entries, `a{kv}`; the key is a basic type.
    case dictionary(key: DBusType, value: DBusType)

    /// Whether this is a basic type: one that can be the key of a dictionary.
    public var isBasic: Bool {
        switch self {
        case .byte, .boolean, .int16, .uint16, .int32, .uint32, .int64, .uint64, .double, .string, .objectPath, .signature,
            .unixFD:
            true
        case .variant, .array, .structure, .dictionary: false
        }
    }

    /// The boundary in bytes on which a value of this type begins when marshalled.
    public var alignment: Int {
        switch self {
        case .byte, .signature, .variant: 1
        case .int16, .uint16: 2
        case .boolean, .int32, .uint32, .string, .objectPath, .unixFD, .array, .dictionary: 4
        case .int64, .uint64, .double, .structure: 8
        }
    }

    /// The type in the specification's notation, such as `a{sv}`.
    public var text: String {
        var text = ""
        append(to: &text)
        return text
    }

    func append(to text: inout String) {
        switch self {
        case .byte: text.append("y")
        case .boolean: text.append("b")
        case .int16: text.append("n")
        case .uint16: text.append("q")
        case .int32: text.append("i")
        case .uint32: text.append("u")
        case .int64: text.append("x")
        case .uint64: text.append("t")
        case .double: text.append("d")
        case .string: text.append("s")
        case .objectPath: text.append("o")
        case .signature: text.append("g")
        case .unixFD: text.append("h")
        case .variant: text.append("v")
        case .array(let element):
            text.append("a")
            element.append(to: &text)
        case .structure(let fields):
            text.append("(")
            for field in fields { field.append(to: &text) }
            text.append(")")
        case .dictionary(let key, let value):
            text.append("a{")
            key.append(to: &text)
            value.append(to: &text)
            text.append("}")
        }
    }
}
