/// What there is to see of a guide, a tour or a tip at one moment, and how a screen shows it.
struct PlayerView: Equatable {
    /// How the run stands.
    var state: PlayerState
    /// A guide's countdown; nil if there is none.
    var countdown: CountdownView?
    /// What is to be said beside it; empty if nothing.
    var notice = ""

    /// What the keys do.
    var hints: String {
        if state.kind == .tip { return "Enter does it   q closes   h hides" }
        var hints: [String] = []
        if !state.isFirst { hints.append("← back") }
        switch (state.isLast, state.hasButton) {
        case (false, _): hints.append("→ next")
        case (true, true): hints.append("Enter done")
        // A guide that a button completes has one on its last page, so this one goes on.
        case (true, false): hints.append("→ done")
        }
        switch countdown?.skip {
        case nil, .now: hints.append("s skip")
        case .unavailable, .after: break
        }
        return (hints + ["q close"]).joined(separator: "   ")
    }
}

extension PlayerView {
    /// The widest that a text gets: longer lines are hard to read.
    private static let widest = 72
    private static let margin = 2
    /// Below this many columns there is no margin.
    private static let leastForMargin = 30

    /// The lines of a screen with so many columns and rows, each at most one column less than `width`, since some terminals wrap after the
    /// last.
    ///
    /// Where it gets low the hints go first, then the empty lines, then the end of the text; title, indicator, button and countdown stay
    /// as long as there are rows for them.
    func lines(width: Int, height: Int, style: TerminalStyle) -> [String] {
        let margin = width >= Self.leastForMargin ? Self.margin : 0
        let room = max(1, min(width - 1 - margin, Self.widest))
        let head = TextWrap.lines(state.title, width: room).map { style.painted($0, "1") }
        var body = TextWrap.lines(state.text, width: room)
        for caption in state.captions {
            body += TextWrap.lines(ascii(caption, style), width: room).map { style.painted($0, "2") }
        }
        let foot = indicator(room, style) + button(room, style) + countdownLine(room, style) + noticeLines(room, style)
        let hints = [style.painted(TextWidth.truncated(ascii(self.hints, style), to: room), "2")]

        var blocks = [head, body, foot, hints].filter { !$0.isEmpty }
        var gaps = 1
        func rows() -> Int { blocks.reduce(0) { $0 + $1.count } + gaps * (blocks.count - 1) }
        if rows() > height { blocks.removeLast() }
        if rows() > height { gaps = 0 }
        if rows() > height { blocks = [head, Self.cut(body, to: max(0, height - head.count - foot.count), style), foot] }
        let separator = [String](repeating: "", count: gaps)
        // What is lowest on the screen is what one acts upon.
        let lines = Array(blocks.joined(separator: separator))
        return (lines.count > height ? Array(lines.suffix(max(height, 1))) : lines)
            .map { $0.isEmpty ? "" : String(repeating: " ", count: margin) + $0 }
    }

    private static func cut(_ lines: [String], to count: Int, _ style: TerminalStyle) -> [String] {
        lines.count <= count || count == 0
            ? Array(lines.prefix(count)) : lines.prefix(count - 1) + [style.hasUnicode ? "…" : "..."]
    }

    /// The dots, the present one filled; numbers where there are too many dots.
    private func indicator(_ room: Int, _ style: TerminalStyle) -> [String] {
        guard state.count > 1 else { return [] }
        guard 2 * state.count - 1 <= room else { return [TextWidth.truncated("\(state.index + 1)/\(state.count)", to: room)] }
        let (present, other) = style.hasUnicode ? ("●", "○") : ("*", "o")
        let dots = (0..<state.count).map { $0 == state.index ? style.painted(present, "36") : style.painted(other, "2") }
        return [dots.joined(separator: " ")]
    }

    private func button(_ room: Int, _ style: TerminalStyle) -> [String] {
        state.hasButton ? [style.painted(TextWidth.truncated("[ Done ]", to: room), "7")] : []
    }

    private func countdownLine(_ room: Int, _ style: TerminalStyle) -> [String] {
        guard var countdown else { return [] }
        // What the keys do stands with the other hints.
        countdown.skip = .unavailable
        return [countdown.line(width: room + 1, style: style)]
    }

    private func noticeLines(_ room: Int, _ style: TerminalStyle) -> [String] { TextWrap.lines(notice, width: room) }

    /// Arrows in letters, where nothing else arrives.
    private func ascii(_ text: String, _ style: TerminalStyle) -> String {
        guard !style.hasUnicode else { return text }
        return text.map { $0 == "←" ? "<" : $0 == "→" ? ">" : String($0) }.joined()
    }
}

extension PlayerView {
    /// The lines where there is no screen: number and title, the text, and what else there is.
    static func plain(_ state: PlayerState) -> [String] {
        let number = state.count > 1 ? "\(state.index + 1)/\(state.count)" : ""
        let name = TextEscaping.safe(state.title.isEmpty ? state.step : state.title)
        let heading = [number, name].filter { !$0.isEmpty }.joined(separator: " ")
        let text = state.text.isEmpty ? [] : TextWrap.paragraphs(state.text)
        return (heading.isEmpty ? [] : [heading]) + (text + state.captions).map(TextEscaping.safe)
    }
}
