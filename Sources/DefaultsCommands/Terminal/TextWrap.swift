/// Texts broken into lines for a terminal.
enum TextWrap {
    /// The lines of a text, each at most `width` columns wide, its own line breaks kept.
    ///
    /// Breaks at spaces; a word that is wider than a line, as texts without spaces are, is broken between characters. Nothing in a line
    /// does more than to be shown. A wide character takes its two columns even where there is but one.
    static func lines(_ text: String, width: Int) -> [String] {
        guard !text.isEmpty else { return [] }
        return paragraphs(text).flatMap { paragraph(TextEscaping.safe($0), width: max(width, 1)) }
    }

    /// The text between its own line breaks.
    static func paragraphs(_ text: String) -> [String] {
        text.split(omittingEmptySubsequences: false) { $0 == "\n" || $0 == "\r\n" }.map(String.init)
    }

    private static func paragraph(_ text: String, width: Int) -> [String] {
        var lines: [String] = []
        var line = ""
        var used = 0
        func end() {
            lines.append(line)
            (line, used) = ("", 0)
        }
        for word in text.split(separator: " ", omittingEmptySubsequences: true) {
            let needed = TextWidth.columns(String(word))
            if used > 0 {
                if used + 1 + needed <= width || needed > width && used + 2 < width {
                    line.append(" ")
                    used += 1
                } else {
                    end()
                }
            }
            if needed <= width {
                line.append(contentsOf: word)
                used += needed
                continue
            }
            for character in word {
                let columns = TextWidth.columns(String(character))
                if used > 0, used + columns > width { end() }
                line.append(character)
                used += columns
            }
        }
        if used > 0 || lines.isEmpty { end() }
        return lines
    }
}
