extension JSONNode {
    /// The text, indented by two spaces a level and with a line break at its end: the same tree gives the same bytes.
    public var text: String {
        var text = ""
        append(to: &text, indentation: 0)
        return text + "\n"
    }

    private func append(to text: inout String, indentation: Int) {
        switch self {
        case .null: text += "null"
        case .boolean(let value): text += value ? "true" : "false"
        case .number(let number): text += number
        case .string(let string): text += Self.quoted(string)
        case .array(let elements):
            guard !elements.isEmpty else {
                text += "[]"
                return
            }
            // A short list of scalars reads better on one line.
            let separator = elements.allSatisfy(\.isScalar) ? ", " : nil
            text += "["
            for (index, element) in elements.enumerated() {
                if index > 0 { text += separator ?? "," }
                if separator == nil { Self.breakLine(in: &text, indentation + 1) }
                element.append(to: &text, indentation: indentation + 1)
            }
            if separator == nil { Self.breakLine(in: &text, indentation) }
            text += "]"
        case .object(let members):
            guard !members.isEmpty else {
                text += "{}"
                return
            }
            text += "{"
            for (index, member) in members.enumerated() {
                if index > 0 { text += "," }
                Self.breakLine(in: &text, indentation + 1)
                text += Self.quoted(member.name) + ": "
                member.value.append(to: &text, indentation: indentation + 1)
            }
            Self.breakLine(in: &text, indentation)
            text += "}"
        }
    }

    private var isScalar: Bool {
        switch self {
        case .null, .boolean, .number, .string: true
        case .array, .object: false
        }
    }

    private static func breakLine(in text: inout String, _ indentation: Int) {
        text += "\n"
        for _ in 0..<indentation { text += "  " }
    }

    /// A string in quotation marks; only what JSON demands is escaped, and U+007F–U+009F, which terminals act on.
    static func quoted(_ string: String) -> String {
        var text = "\""
        for scalar in string.unicodeScalars {
            switch scalar {
            case "\"": text += "\\\""
            case "\\": text += "\\\\"
            case "\n": text += "\\n"
            case "\t": text += "\\t"
            case "\r": text += "\\r"
            case "\u{0}"..."\u{1F}", "\u{7F}"..."\u{9F}":
                let digits = String(scalar.value, radix: 16)
                text += "\\u" + String(repeating: "0", count: 4 - digits.utf8.count) + digits
            default: text.unicodeScalars.append(scalar)
            }
        }
        return text + "\""
    }
}
