/// Texts made safe to print: nothing in them moves the cursor, ends a line or turns the reading direction.
enum TextEscaping {
    /// The text between double quotes, with JSON's escapes.
    static func quoted(_ text: String) -> String {
        var quoted = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": quoted += "\\\""
            case "\\": quoted += "\\\\"
            case "\n": quoted += "\\n"
            case "\t": quoted += "\\t"
            case "\r": quoted += "\\r"
            default:
                if isUnsafe(scalar) {
                    quoted += "\\u" + hexadecimal(scalar)
                } else {
                    quoted.unicodeScalars.append(scalar)
                }
            }
        }
        return quoted + "\""
    }

    /// The text as it is if it can't be mistaken in a line, quoted otherwise.
    ///
    /// What begins with a double quote is quoted too, so that the two can always be told apart.
    static func line(_ text: String) -> String {
        text.hasPrefix("\"") || text.unicodeScalars.contains(where: isUnsafe) ? quoted(text) : text
    }

    /// The text with only what is unsafe escaped, for sentences.
    static func safe(_ text: String) -> String {
        guard text.unicodeScalars.contains(where: isUnsafe) else { return text }
        return text.unicodeScalars.map { isUnsafe($0) ? "\\u" + hexadecimal($0) : String($0) }.joined()
    }

    /// Whether a terminal would do something else with a character than to show it: control characters, line and paragraph
    /// separators, and what overrides the reading direction.
    static func isUnsafe(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0...0x1F, 0x7F...0x9F, 0x2028...0x2029, 0x202A...0x202E, 0x2066...0x2069: true
        default: false
        }
    }

    /// Four digits: all unsafe characters lie below U+10000.
    private static func hexadecimal(_ scalar: Unicode.Scalar) -> String {
        let digits = String(scalar.value, radix: 16)
        return String(repeating: "0", count: 4 - digits.count) + digits
    }
}
