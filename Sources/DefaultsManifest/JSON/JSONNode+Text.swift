extension JSONNode {
    /// The text of a file, with a line break at its end: the same tree gives the same bytes.
    public var text: String { text(.file) + "\n" }

    /// The text in a layout, without a line break at its end.
    public func text(_ layout: JSONLayout) -> String {
        var text = ""
        append(to: &text, layout, depth: 0)
        return text
    }

    private func append(to text: inout String, _ layout: JSONLayout, depth: Int) {
        switch self {
        case .null: text += "null"
        case .boolean(let value): text += value ? "true" : "false"
        case .number(let number): text += number
        case .string(let string): text += Self.quoted(string)
        case .array(let elements):
            let isTogether = layout.keepsScalarsTogether && elements.allSatisfy(\.isScalar)
            text += "["
            for (index, element) in elements.enumerated() {
                if index > 0 { text += isTogether ? ", " : "," }
                if !isTogether { layout.breakLine(in: &text, depth + 1) }
                element.append(to: &text, layout, depth: depth + 1)
            }
            if !isTogether, !elements.isEmpty { layout.breakLine(in: &text, depth) }
            text += "]"
        case .object(let members):
            text += "{"
            for (index, member) in members.enumerated() {
                if index > 0 { text += "," }
                layout.breakLine(in: &text, depth + 1)
                text += Self.quoted(member.name) + layout.colon
                member.value.append(to: &text, layout, depth: depth + 1)
            }
            if !members.isEmpty { layout.breakLine(in: &text, depth) }
            text += "}"
        }
    }

    private var isScalar: Bool {
        switch self {
        case .null, .boolean, .number, .string: true
        case .array, .object: false
        }
    }

    /// A string in quotation marks, with all escaped that JSON demands or that a terminal would act on.
    public static func quoted(_ string: String) -> String {
        var text = "\""
        for scalar in string.unicodeScalars {
            switch scalar {
            case "\"": text += "\\\""
            case "\\": text += "\\\\"
            case "\n": text += "\\n"
            case "\t": text += "\\t"
            case "\r": text += "\\r"
            default:
                if let escape = escape(scalar) { text += escape } else { text.unicodeScalars.append(scalar) }
            }
        }
        return text + "\""
    }

    /// The escape of a character that a terminal would do something else with than to show it; nil for all others.
    ///
    /// Those are control characters, line and paragraph separators, and what overrides the reading direction.
    public static func escape(_ scalar: Unicode.Scalar) -> String? {
        switch scalar.value {
        case 0...0x1F, 0x7F...0x9F, 0x2028...0x202E, 0x2066...0x2069:
            let digits = String(scalar.value, radix: 16)
            return "\\u" + String(repeating: "0", count: 4 - digits.utf8.count) + digits
        default: return nil
        }
    }
}

extension JSONLayout {
    fileprivate func breakLine(in text: inout String, _ depth: Int) {
        guard let indentation else { return }
        text += "\n"
        for _ in 0..<depth { text += indentation }
    }
}
