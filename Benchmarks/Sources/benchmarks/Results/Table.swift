import Glibc
import Harness

/// All rows, in the forms that people and programs read.
struct Table {
    var rows: [Row] = []
    /// How it was measured, for the text above the table.
    var circumstances = ""

    /// Markdown, for README and for people.
    var markdown: String {
        var text = circumstances + "\n\n"
        text += "| what | defaultsd | beside it | ratio | must reach | |\n|---|---|---|---|---|---|\n"
        for row in rows {
            let peers = row.peers.map { "\($0.name) \(Self.text($0))" }.joined(separator: "; ")
            let ratio = row.ratio.map { Self.number($0) } ?? ""
            let verdict = row.isReached.map { $0 ? "reached" : "**missed**" } ?? ""
            text += "| \(row.what), \(row.unit) | \(Self.text(row.ours)) | \(peers) | \(ratio) | \(row.goal) | \(verdict) |\n"
        }
        text += "\nMedians, and p99 in brackets. What the others don't do:\n\n"
        var seen: Set<String> = []
        for figure in rows.flatMap(\.peers) where !figure.omits.isEmpty {
            if seen.insert(figure.omits).inserted { text += "- \(figure.name): \(figure.omits)\n" }
        }
        return text
    }

    /// One JSON document, with every figure.
    var json: String {
        let lines = rows.map { row in
            let figures = ([row.ours] + row.peers).map { figure in
                "{\"name\": \(Self.quoted(figure.name)), \"median\": \(figure.median)"
                    + (figure.p99.map { ", \"p99\": \($0)" } ?? "") + ", \"omits\": \(Self.quoted(figure.omits))}"
            }
            return
                "  {\"what\": \(Self.quoted(row.what)), \"unit\": \(Self.quoted(row.unit)), \"goal\": \(Self.quoted(row.goal)), "
                + "\"ratio\": \(row.ratio.map { "\($0)" } ?? "null"), "
                + "\"reached\": \(row.isReached.map { "\($0)" } ?? "null"), \"figures\": [\(figures.joined(separator: ", "))]}"
        }
        return "[\n\(lines.joined(separator: ",\n"))\n]\n"
    }

    private static func text(_ figure: Figure) -> String {
        number(figure.median) + (figure.p99.map { " (\(number($0)))" } ?? "")
    }

    /// Three digits that count, and thousands apart.
    static func number(_ value: Double) -> String {
        guard value.isFinite else { return "–" }
        if abs(value) >= 100 {
            let digits = String(Int(value.rounded()))
            var grouped = ""
            for (index, digit) in digits.enumerated() {
                if index > 0, (digits.count - index).isMultiple(of: 3) { grouped += "," }
                grouped.append(digit)
            }
            return grouped
        }
        let scale = abs(value) >= 10 ? 10.0 : 100.0
        let scaled = Int((value * scale).rounded())
        let (whole, rest) = (scaled / Int(scale), abs(scaled % Int(scale)))
        if rest == 0 { return "\(whole)" }
        let text = scale == 100 && rest < 10 ? "0\(rest)" : "\(rest)"
        return "\(whole).\(scale == 100 && text.hasSuffix("0") ? String(text.dropLast()) : text)"
    }

    private static func quoted(_ text: String) -> String {
        var result = "\""
        for character in text {
            if character == "\"" || character == "\\" { result += "\\" }
            result.append(character)
        }
        return result + "\""
    }
}

/// Writes a text into a file; throws where that fails.
func write(_ text: String, to path: String) throws {
    guard let file = fopen(path, "we"), fputs(text, file) >= 0, fclose(file) == 0 else {
        throw BenchmarkFailure("\(path) can't be written: \(String(cString: strerror(errno)))")
    }
}
