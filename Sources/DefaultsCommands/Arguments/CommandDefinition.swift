/// One command: how it is written, what help says of it, and what it does.
struct CommandDefinition: Sendable {
    /// The words that name it: `["read"]`, `["launch", "record"]`.
    let path: [String]
    /// Its operands, in order.
    var operands: [OperandDefinition] = []
    /// Its own options; those of the program go with every command.
    var options: [OptionDefinition] = []
    /// The operands and options as the synopsis shows them, where a list of them would not be understood.
    var synopsis: String?
    /// Whether options end with the first operand: what follows is a command of its own, with options of its own.
    var endsOptionsAtOperand = false
    /// What it does, in one line.
    let summary: String
    /// What else there is to say, in paragraphs; empty where the summary says it all.
    var details = ""
    /// What it does.
    let run: @Sendable (CommandContext) throws(Failure) -> ExitStatus

    /// The command's words.
    var name: String { path.joined(separator: " ") }

    /// The command as one would type it, without the program's name.
    var usage: String {
        var words = [name]
        if let synopsis {
            words.append(synopsis)
        } else {
            words += operands.map(\.synopsis)
            words += options.map { option in "[\(option.name)\(option.argument.map { "=\($0)" } ?? "")]" }
        }
        return words.joined(separator: " ")
    }
}
