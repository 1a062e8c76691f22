import DBusTypes

/// Values as people write them.
///
/// Alone, a text is printed as it is and bytes as hexadecimal digits. Inside others, texts are quoted, bytes are `hex:…`, arrays
/// `[1, 2]`, dictionaries `{"key": value}` sorted by key, structures `(1, "a")`; a variant is its content. Doubles have a dot, an exponent,
/// or are `inf`, `-inf`, `nan`.
enum ValueText {
    /// The value exactly, whatever control characters are in it.
    static func raw(_ value: Value) -> String {
        switch value {
        case .string(let text): text
        case .array(let array): array.bytes.map(HexText.text) ?? nested(value)
        case .variant(let inner): raw(inner)
        case .byte, .boolean, .int16, .uint16, .int32, .uint32, .int64, .uint64, .double, .objectPath, .signature, .unixFD,
            .structure, .dictionary:
            nested(value)
        }
    }

    /// The value on one line that is safe to show: a text with control characters, or that begins with a quote, is quoted.
    static func line(_ value: Value) -> String {
        switch value {
        case .string(let text): TextEscaping.line(text)
        case .variant(let inner): line(inner)
        case .byte, .boolean, .int16, .uint16, .int32, .uint32, .int64, .uint64, .double, .objectPath, .signature, .unixFD,
            .array, .structure, .dictionary:
            raw(value)
        }
    }

    private static func nested(_ value: Value) -> String {
        switch value {
        case .byte(let number): String(number)
        case .boolean(let flag): flag ? "true" : "false"
        case .int16(let number): String(number)
        case .uint16(let number): String(number)
        case .int32(let number): String(number)
        case .uint32(let number): String(number)
        case .int64(let number): String(number)
        case .uint64(let number): String(number)
        case .double(let number): NumberText.text(number)
        case .string(let text): TextEscaping.quoted(text)
        case .objectPath(let path): path.text
        case .signature(let signature): signature.text
        case .unixFD(let descriptor): "fd \(descriptor.number)"
        case .array(let array):
            array.bytes.map { "hex:" + HexText.text($0) } ?? "[" + array.values.map(nested).joined(separator: ", ") + "]"
        case .structure(let fields): "(" + fields.map(nested).joined(separator: ", ") + ")"
        case .dictionary(let dictionary):
            "{" + dictionary.sortedEntries.map { "\(nested($0.key)): \(nested($0.value))" }.joined(separator: ", ") + "}"
        case .variant(let inner): nested(inner)
        }
    }
}

extension DictionaryValue {
    /// The entries ordered by key: numbers by size, texts by their bytes.
    var sortedEntries: [Entry] {
        entries.sorted { left, right in
            switch (left.key, right.key) {
            case (.double(let left), .double(let right)): return left.isTotallyOrdered(belowOrEqualTo: right) && left != right
            case (.boolean(let left), .boolean(let right)): return !left && right
            default: break
            }
            if let left: Int64 = left.key.integer(), let right: Int64 = right.key.integer() { return left < right }
            if let left: UInt64 = left.key.integer(), let right: UInt64 = right.key.integer() { return left < right }
            return left.key.keyText.utf8.lexicographicallyPrecedes(right.key.keyText.utf8)
        }
    }
}

extension Value {
    /// The value as the name of a JSON object's member, and for sorting: without quotes.
    var keyText: String { ValueText.raw(self) }
}
