/// Rows set out in columns, for people.
enum TextColumns {
    /// One line a row, each column as wide as its widest text, two spaces between; the last one is as it is.
    static func lines(_ rows: [[String]]) -> [String] {
        var widths: [Int] = []
        for row in rows {
            for (index, text) in row.dropLast().enumerated() {
                if index == widths.count { widths.append(0) }
                widths[index] = max(widths[index], TextWidth.columns(text))
            }
        }
        return rows.map { row in
            row.enumerated().map { index, text in
                index == row.count - 1 ? text : text + String(repeating: " ", count: widths[index] - TextWidth.columns(text))
            }.joined(separator: "  ")
        }
    }
}
