import DBusTypes

extension JSONNode {
    /// How values are spelt for which JSON has more than one way.
    public enum Spelling: Sendable {
        /// As files have them: bytes as `"hex:…"`.
        case file
        /// As busctl prints them: bytes as an array of numbers.
        case busctl
    }

    /// A value as `{"type": SIGNATURE, "data": …}`, which gives back the same type and bits.
    public init(typed value: Value, _ spelling: Spelling = .file) {
        self = .object([Member("type", .string(value.type.text)), Member("data", JSONNode(data: value, spelling))])
    }

    /// A value as a person would write it where that reads back as the same type and bits, otherwise with its type.
    public init(_ value: Value) {
        switch value {
        case .boolean, .int64, .string: self.init(data: value, .file)
        case .uint64(let number) where number > Int64.max: self = .integer(number)
        case .double(let number) where number.isFinite: self.init(data: value, .file)
        case .array(let array) where !array.isEmpty && Self.isPlain(array.element): self.init(data: value, .file)
        case .byte, .int16, .uint16, .int32, .uint32, .uint64, .double, .objectPath, .signature, .unixFD, .array, .structure,
            .dictionary, .variant:
            self.init(typed: value)
        }
    }

    /// Whether elements of a type are the same in both forms.
    private static func isPlain(_ type: DBusType) -> Bool { type == .boolean || type == .int64 || type == .string }

    /// A value without its type; entries of dictionaries come sorted by the bytes of their names.
    ///
    /// Variants have their type with them. Integers have all their digits. A double that JSON has no number for is `"inf"`, `"-inf"` or
    /// `"nan:HEX"`. A file descriptor is its number, which says nothing to others: none is ever stored.
    public init(data value: Value, _ spelling: Spelling) {
        switch value {
        case .byte(let number): self = .integer(number)
        case .boolean(let value): self = .boolean(value)
        case .int16(let number): self = .integer(number)
        case .uint16(let number): self = .integer(number)
        case .int32(let number): self = .integer(number)
        case .uint32(let number): self = .integer(number)
        case .int64(let number): self = .integer(number)
        case .uint64(let number): self = .integer(number)
        case .double(let number): self = Self.double(number)
        case .string(let text): self = .string(text)
        case .objectPath(let path): self = .string(path.text)
        case .signature(let signature): self = .string(signature.text)
        case .unixFD(let descriptor): self = .integer(descriptor.number)
        case .array(let array): self = Self.array(array, spelling)
        case .structure(let fields): self = .array(fields.map { JSONNode(data: $0, spelling) })
        case .dictionary(let dictionary):
            let members = dictionary.entries.map { Member(Self.name($0.key), JSONNode(data: $0.value, spelling)) }
            self = .object(members.sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) })
        case .variant(let inner): self.init(typed: inner, spelling)
        }
    }

    private static func array(_ array: ArrayValue, _ spelling: Spelling) -> JSONNode {
        guard let bytes = array.bytes else { return .array(array.values.map { JSONNode(data: $0, spelling) }) }
        return switch spelling {
        case .file: .string("hex:" + hexadecimal(bytes))
        case .busctl: .array(bytes.map { .integer($0) })
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
        switch JSONNode(data: key, .file) {
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
