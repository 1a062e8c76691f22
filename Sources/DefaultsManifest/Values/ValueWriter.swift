import DBusTypes

extension JSONNode {
    /// A value as `{"type": SIGNATURE, "data": …}`, which gives back the same type and bits.
    public init(typed value: Value) {
        self = .object([Member("type", .string(value.type.text)), Member("data", Self.data(value))])
    }

    /// A value as a person would write it where that reads back as the same type and bits, otherwise with its type.
    public init(_ value: Value) {
        switch value {
        case .boolean, .int64, .string: self = Self.data(value)
        case .uint64(let number) where number > Int64.max: self = .integer(number)
        case .double(let number) where number.isFinite: self = Self.data(value)
        case .array(let array) where !array.isEmpty && Self.isPlain(array.element): self = Self.data(value)
        case .byte, .int16, .uint16, .int32, .uint32, .uint64, .double, .objectPath, .signature, .unixFD, .array, .structure,
            .dictionary, .variant:
            self.init(typed: value)
        }
    }

    /// Whether elements of a type are the same in both forms.
    private static func isPlain(_ type: DBusType) -> Bool { type == .boolean || type == .int64 || type == .string }

    /// A value without its type; entries of dictionaries come sorted by the bytes of their names.
    ///
    /// Variants have their type with them. Integers have all their digits.
    private static func data(_ value: Value) -> JSONNode {
        switch value {
        case .byte(let number): return .integer(number)
        case .boolean(let value): return .boolean(value)
        case .int16(let number): return .integer(number)
        case .uint16(let number): return .integer(number)
        case .int32(let number): return .integer(number)
        case .uint32(let number): return .integer(number)
        case .int64(let number): return .integer(number)
        case .uint64(let number): return .integer(number)
        case .double(let number): return double(number)
        case .string(let text): return .string(text)
        case .objectPath(let path): return .string(path.text)
        case .signature(let signature): return .string(signature.text)
        case .unixFD: preconditionFailure("a file descriptor is never stored, and so never written")
        case .array(let array):
            if let bytes = array.bytes { return .string("hex:" + hexadecimal(bytes)) }
            return .array(array.values.map(data))
        case .structure(let fields): return .array(fields.map(data))
        case .dictionary(let dictionary):
            let members = dictionary.entries.map { Member(name($0.key), data($0.value)) }
            return .object(members.sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) })
        case .variant(let inner): return JSONNode(typed: inner)
        }
    }

    private static func double(_ number: Double) -> JSONNode {
        if number.isNaN { return .string("nan:" + String(number.bitPattern, radix: 16)) }
        if number.isInfinite { return .string(number < 0 ? "-inf" : "inf") }
        // The shortest text that reads back as the same bits; it always has a point or an exponent.
        return .number(number.description)
    }

    /// The name that stands for a key of a dictionary.
    private static func name(_ key: Value) -> String {
        switch data(key) {
        case .string(let text): text
        case .number(let text): text
        case .boolean(let value): value ? "true" : "false"
        case .null, .array, .object: preconditionFailure("a dictionary's key is of a basic type")
        }
    }

    private static func hexadecimal(_ bytes: [UInt8]) -> String {
        let digits = Array("0123456789abcdef".utf8)
        return String(decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
    }
}
