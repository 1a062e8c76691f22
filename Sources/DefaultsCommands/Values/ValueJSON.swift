import DBusTypes

/// A JSON text in the making: what busctl prints, with what it can't print exactly made exact.
indirect enum JSON {
    case string(String)
    /// A number, `true`, `false` or `null`, spelt out.
    case literal(String)
    /// An array of numbers, packed.
    case bytes([UInt8])
    case array([JSON])
    case object([(name: String, value: JSON)])
}

extension JSON {
    /// `{"type": …, "data": …}`, as busctl prints a value.
    static func typed(_ value: Value) -> JSON {
        .object([("type", .string(value.type.text)), ("data", data(value))])
    }

    /// The value without its type: variants have theirs with them, dictionaries are objects sorted by key, structures arrays.
    ///
    /// Integers are exact whatever their size. A double that JSON has no number for is `"inf"`, `"-inf"` or `"nan:HEX"`, as in files.
    static func data(_ value: Value) -> JSON {
        switch value {
        case .byte(let number): .literal(String(number))
        case .boolean(let flag): .literal(flag ? "true" : "false")
        case .int16(let number): .literal(String(number))
        case .uint16(let number): .literal(String(number))
        case .int32(let number): .literal(String(number))
        case .uint32(let number): .literal(String(number))
        case .int64(let number): .literal(String(number))
        case .uint64(let number): .literal(String(number))
        case .double(let number): double(number)
        case .string(let text): .string(text)
        case .objectPath(let path): .string(path.text)
        case .signature(let signature): .string(signature.text)
        case .unixFD(let descriptor): .literal(String(descriptor.number))
        case .array(let array): array.bytes.map(JSON.bytes) ?? .array(array.values.map(data))
        case .structure(let fields): .array(fields.map(data))
        case .dictionary(let dictionary): .object(dictionary.sortedEntries.map { ($0.key.keyText, data($0.value)) })
        case .variant(let inner): typed(inner)
        }
    }

    private static func double(_ number: Double) -> JSON {
        if number.isNaN { return .string(NumberText.nanBits(number)) }
        return number.isInfinite ? .string(number.description) : .literal(number.description)
    }

    /// The text in busctl's layout, without a line break at its end.
    func text(_ style: JSONStyle) -> String {
        var text = ""
        append(to: &text, style, indent: 0)
        return text
    }

    private func append(to text: inout String, _ style: JSONStyle, indent: Int) {
        switch self {
        case .string(let string): text += TextEscaping.quoted(string)
        case .literal(let literal): text += literal
        case .bytes(let bytes):
            Self.appendList(bytes, "[", "]", to: &text, style, indent) { byte, text in text += String(byte) }
        case .array(let elements):
            Self.appendList(elements, "[", "]", to: &text, style, indent) { element, text in
                element.append(to: &text, style, indent: indent + 1)
            }
        case .object(let members):
            Self.appendList(members, "{", "}", to: &text, style, indent) { member, text in
                text += TextEscaping.quoted(member.name) + (style == .pretty ? " : " : ":")
                member.value.append(to: &text, style, indent: indent + 1)
            }
        }
    }

    private static func appendList<Element>(
        _ elements: [Element], _ opening: String, _ closing: String, to text: inout String, _ style: JSONStyle, _ indent: Int,
        appendElement: (Element, inout String) -> Void
    ) {
        text += opening
        for (index, element) in elements.enumerated() {
            if index > 0 { text += "," }
            if style == .pretty { text += "\n" + String(repeating: "\t", count: indent + 1) }
            appendElement(element, &text)
        }
        if style == .pretty, !elements.isEmpty { text += "\n" + String(repeating: "\t", count: indent) }
        text += closing
    }
}
