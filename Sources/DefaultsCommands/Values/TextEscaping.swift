import DefaultsManifest

/// Texts made safe to print: nothing in them moves the cursor, ends a line or turns the reading direction.
enum TextEscaping {
    /// The text between double quotes, with JSON's escapes.
    static func quoted(_ text: String) -> String { JSONNode.quoted(text) }

    /// The text as it is if it can't be mistaken in a line, quoted otherwise.
    ///
    /// What begins with a double quote is quoted too, so that the two can always be told apart.
    static func line(_ text: String) -> String { text.hasPrefix("\"") || isUnsafe(text) ? quoted(text) : text }

    /// The text with only what is unsafe escaped, for sentences.
    static func safe(_ text: String) -> String {
        guard isUnsafe(text) else { return text }
        return text.unicodeScalars.map { JSONNode.escape($0) ?? String($0) }.joined()
    }

    private static func isUnsafe(_ text: String) -> Bool { text.unicodeScalars.contains { JSONNode.escape($0) != nil } }
}
