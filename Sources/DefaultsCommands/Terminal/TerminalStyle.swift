/// What the terminal can show.
struct TerminalStyle: Equatable {
    /// Whether colours are wanted.
    var hasColour = true
    /// Whether characters beyond ASCII arrive.
    var hasUnicode = true

    /// The text with an attribute of the terminal, where that is wanted: `1` bold, `2` faint, `7` inverse, `36` cyan.
    func painted(_ text: String, _ attribute: String) -> String {
        hasColour && !text.isEmpty ? "\u{1B}[\(attribute)m\(text)\u{1B}[0m" : text
    }
}
