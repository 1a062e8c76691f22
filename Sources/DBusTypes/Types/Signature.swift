/// Zero or more complete types, one after the other, checked against the specification's limits.
public struct Signature: ValidatedName {
    /// The longest signature in bytes.
    public static let maximumLength = 255
    /// How deep arrays, and apart from them structures, may nest.
    public static let maximumNesting = 32

    /// The signature in the specification's notation.
    public let text: String
    /// The complete types that it stands for.
    public let types: [DBusType]

    /// Returns nil for anything that is no signature.
    public init?(_ text: String) {
        guard text.utf8.count <= Self.maximumLength else { return nil }
        var parser = SignatureParser(Array(text.utf8))
        guard let types = parser.parseAll() else { return nil }
        self.text = text
        self.types = types
    }

    /// Joins types; nil where they break a limit on length or nesting.
    public init?(_ types: [DBusType]) {
        self.init(types.map(\.text).joined())
    }

    /// The signature of nothing.
    public static let empty: Signature = ""

    /// The one complete type, nil where there are none or several.
    public var singleType: DBusType? { types.count == 1 ? types[0] : nil }

    /// Two signatures are equal when their texts are.
    public static func == (left: Signature, right: Signature) -> Bool { left.text == right.text }

    /// Hashes the text.
    public func hash(into hasher: inout Hasher) { hasher.combine(text) }
}

extension DBusType {
    /// Reads one complete type from its notation; nil where `text` is none, or more than one.
    public init?(_ text: String) {
        guard let type = Signature(text)?.singleType else { return nil }
        self = type
    }
}

/// Reads a signature from left to right, keeping count of the nesting.
struct SignatureParser {
    private let bytes: [UInt8]
    private var position = 0

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    mutating func parseAll() -> [DBusType]? {
        var types: [DBusType] = []
        while position < bytes.count {
            guard let type = parseType(arrays: 0, structures: 0) else { return nil }
            types.append(type)
        }
        return types
    }

    private mutating func next() -> UInt8? {
        guard position < bytes.count else { return nil }
        defer { position += 1 }
        return bytes[position]
    }

    private mutating func parseType(arrays: Int, structures: Int) -> DBusType? {
        guard let byte = next() else { return nil }
        switch byte {
        case UInt8(ascii: "a"): return parseArray(arrays: arrays + 1, structures: structures)
        case UInt8(ascii: "("): return parseStructure(arrays: arrays, structures: structures + 1)
        default: return Self.single[byte]
        }
    }

    private mutating func parseArray(arrays: Int, structures: Int) -> DBusType? {
        guard arrays <= Signature.maximumNesting else { return nil }
        guard position < bytes.count, bytes[position] == UInt8(ascii: "{") else {
            return parseType(arrays: arrays, structures: structures).map { .array(of: $0) }
        }
        position += 1
        // Entries have a limit of their own, which that of the arrays around them always meets first.
        guard let key = parseType(arrays: arrays, structures: structures), key.isBasic,
            let value = parseType(arrays: arrays, structures: structures), next() == UInt8(ascii: "}")
        else { return nil }
        return .dictionary(key: key, value: value)
    }

    private mutating func parseStructure(arrays: Int, structures: Int) -> DBusType? {
        guard structures <= Signature.maximumNesting else { return nil }
        var fields: [DBusType] = []
        while position < bytes.count, bytes[position] != UInt8(ascii: ")") {
            guard let field = parseType(arrays: arrays, structures: structures) else { return nil }
            fields.append(field)
        }
        guard next() != nil, !fields.isEmpty else { return nil }
        return .structure(fields)
    }

    private static let single: [UInt8: DBusType] = [
        UInt8(ascii: "y"): .byte, UInt8(ascii: "b"): .boolean, UInt8(ascii: "n"): .int16, UInt8(ascii: "q"): .uint16,
        UInt8(ascii: "i"): .int32, UInt8(ascii: "u"): .uint32, UInt8(ascii: "x"): .int64, UInt8(ascii: "t"): .uint64,
        UInt8(ascii: "d"): .double, UInt8(ascii: "s"): .string, UInt8(ascii: "o"): .objectPath, UInt8(ascii: "g"): .signature,
        UInt8(ascii: "h"): .unixFD, UInt8(ascii: "v"): .variant,
    ]
}
