import DBusTypes
import DefaultsInterface

/// `countdown SECONDS`: a countdown of one's own, live in the terminal.
enum CountdownCommand {
    /// Starts it and stays until it ends.
    static func run(_ context: CommandContext) throws(Failure) -> ExitStatus {
        let spec = try spec(context.invocation)
        let driver = CountdownDriver(daemon: try context.connect(), output: context.output)
        return try driver.run(spec)
    }

    /// The spec to start it with: what was typed, and nothing that wasn't.
    static func spec(_ invocation: Invocation) throws(Failure) -> DictionaryValue {
        let seconds = invocation.requiredOperand(0)
        guard let duration = milliseconds(seconds) else {
            throw .usage("SECONDS is a number such as 10 or 2.5, to the millisecond, not \"\(seconds)\"", ["countdown"])
        }
        var entries: [(String, Value)] = [(CountdownSpecEntries.duration.name, .uint64(duration))]
        for (option, entry) in [
            ("--tick", CountdownSpecEntries.tick), ("--skippable-after", CountdownSpecEntries.skippableAfter),
        ] {
            guard let text = invocation.argument(of: option) else { continue }
            guard let milliseconds = try? NumberText.integer(text, as: UInt64.self) else {
                throw .usage("\(option) takes a number of milliseconds, not \"\(text)\"", ["countdown"])
            }
            entries.append((entry.name, .uint64(milliseconds)))
        }
        if let purpose = invocation.argument(of: "--purpose") {
            entries.append((CountdownSpecEntries.purpose.name, .string(purpose)))
        }
        if let onSuspend = invocation.argument(of: "--on-suspend") {
            guard onSuspend == "pause" || onSuspend == "continue" else {
                throw .usage("--on-suspend takes pause or continue, not \"\(onSuspend)\"", ["countdown"])
            }
            entries.append((CountdownSpecEntries.onSuspend.name, .string(onSuspend)))
        }
        return DictionaryValue(entries)
    }

    /// Reads seconds with up to three decimals; nil for anything else.
    static func milliseconds(_ text: String) -> UInt64? {
        let parts = text.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
        let decimals = parts.count == 2 ? parts[1] : "0"
        guard let whole = parts.first, !whole.isEmpty, whole.utf8.allSatisfy(\.isDigit), (1...3).contains(decimals.utf8.count),
            decimals.utf8.allSatisfy(\.isDigit), let seconds = UInt64(whole),
            let fraction = UInt64(decimals + String(repeating: "0", count: 3 - decimals.utf8.count))
        else { return nil }
        let (milliseconds, tooLarge) = seconds.multipliedReportingOverflow(by: 1000)
        let (sum, sumTooLarge) = milliseconds.addingReportingOverflow(fraction)
        return tooLarge || sumTooLarge ? nil : sum
    }
}
