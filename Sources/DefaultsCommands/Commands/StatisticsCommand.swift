import DBusTypes
import DefaultsInterface

/// `stats APP`: how often each guide, tour and tip was shown, and how it ended.
enum StatisticsCommand {
    /// Prints a line for each.
    static func run(_ context: CommandContext) throws(Failure) -> ExitStatus {
        let reply = try context.connect().call(AdminInterface.name, AdminInterface.statistics, [context.text(0)])
        let statistics = try reply.dictionary(0)
        try context.output.result(.dictionary(statistics)) { lines(statistics) }
        return .success
    }

    /// Kind, id and counts in columns: guides, then tours, then tips, sorted by id.
    static func lines(_ statistics: DictionaryValue) -> [String] {
        var rows: [[String]] = []
        for kind in StatisticsEntries.kinds {
            for entry in statistics[kind.name]?.dictionary?.sortedEntries ?? [] {
                guard case .variant(let value) = entry.value, let counts = value.dictionary else { continue }
                rows.append([kind.name, TextEscaping.line(entry.key.keyText), text(counts)])
            }
        }
        return TextColumns.lines(rows)
    }

    /// How often it was shown, the outcomes in alphabetical order, and how far the user came.
    private static func text(_ counts: DictionaryValue) -> String {
        let known = StatisticsEntries.counts.map(\.name)
        let outcomes = counts.sortedEntries.filter { !known.contains($0.key.keyText) }.map {
            "\(TextEscaping.line($0.key.keyText)) \(ValueText.line($0.value))"
        }
        func count(_ entry: DictionaryEntry) -> [String] {
            counts[entry.name].map { ["\(entry.name) \(ValueText.line($0))"] } ?? []
        }
        return (count(StatisticsEntries.shown) + outcomes + count(StatisticsEntries.furthest)).joined(separator: ", ")
    }
}
