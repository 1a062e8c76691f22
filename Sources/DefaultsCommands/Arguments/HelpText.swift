/// What `--help` prints, from the same definitions as the parser.
enum HelpText {
    private static let column = 28
    /// How wide what is broken into lines here gets.
    private static let width = 120

    /// Help on the program, on the commands that begin with `path`, or on the one command that it names.
    static func text(_ path: [String]) -> String {
        let commands = CommandTable.commands.filter { $0.path.starts(with: path) }
        if path.isEmpty { return program }
        return commands.map(text).joined(separator: "\n")
    }

    private static var program: String {
        var text = """
            Usage: \(programName) [OPTION…] COMMAND …

            Reads and changes preferences, launches, guides, tours, tips and countdowns of defaultsd.

            Commands:

            """
        for command in CommandTable.commands { text += entry(command.usageInBrief, command.summary) }
        text += "\nOptions:\n"
        for option in CommandTable.globalOptions { text += entry(option.usage, option.summary) }
        text += """

            Exit status: 0 yes; 1 no, or absent; 64 wrong usage; 65 a name or value that can't be; 69 no daemon; 74 the disk;
            75 not now; 77 locked, or not allowed. "\(programName) COMMAND --help" says more.

            """
        return text
    }

    private static func text(_ command: CommandDefinition) -> String {
        var text = "Usage: \(programName) \(command.usage)\n\n\(command.summary.sentence)\n"
        if !command.options.isEmpty {
            text += "\n"
            for option in command.options { text += entry(option.usage, option.summary) }
        }
        return command.details.isEmpty ? text : text + "\n\(command.details)\n"
    }

    /// Names and what they mean, in two columns, without a line break at the end.
    static func entries(_ entries: [(name: String, meaning: String)]) -> String {
        let indented = "\n" + String(repeating: " ", count: column)
        return String(
            entries.map { name, meaning in
                entry(name, TextWrap.lines(meaning, width: width - column).joined(separator: indented))
            }.joined().dropLast())
    }

    /// The meaning of an entry of the interface where instants are printed as dates.
    static func withoutUnit(_ meaning: String) -> String {
        guard let unit = meaning.firstRange(of: ", in microseconds since the Unix epoch") else { return meaning }
        return String(meaning[..<unit.lowerBound])
    }

    /// Two columns; the right one on a line of its own where the left one is too long.
    private static func entry(_ left: String, _ right: String) -> String {
        let room = column - 2
        if left.count >= room { return "  \(left)\n" + String(repeating: " ", count: column) + right + "\n" }
        return "  " + left + String(repeating: " ", count: room - left.count) + right + "\n"
    }
}

extension CommandDefinition {
    /// The command and its operands, without its options.
    fileprivate var usageInBrief: String {
        var brief = usage
        while let options = brief.firstRange(of: " [-"), let end = brief[options.upperBound...].firstIndex(of: "]") {
            brief.removeSubrange(options.lowerBound...end)
        }
        return brief
    }
}

extension OptionDefinition {
    /// The option with its argument as one types it.
    fileprivate var usage: String {
        guard let argument else { return name }
        return isValueFlag ? "\(name) \(argument)" : "\(name)=\(argument)"
    }
}

extension String {
    /// The text as a sentence of its own.
    fileprivate var sentence: String { prefix(1).uppercased() + dropFirst() + "." }
}
