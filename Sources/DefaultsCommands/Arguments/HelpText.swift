/// What `--help` prints, from the same definitions as the parser.
enum HelpText {
    private static let column = 28

    /// Help on the program, on the commands that begin with `path`, or on the one command that it names.
    static func text(_ path: [String]) -> String {
        let commands = CommandTable.commands.filter { $0.path.starts(with: path) }
        if path.isEmpty { return program }
        return commands.map(text).joined(separator: "\n")
    }

    private static var program: String {
        var text = """
            Usage: \(programName) [OPTION…] COMMAND …

            Reads and changes preferences, launches and countdowns of defaultsd.

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
        guard let options = usage.firstRange(of: " [-") else { return usage }
        return String(usage[..<options.lowerBound])
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
