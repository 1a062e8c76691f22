/// One command: how it is written, what help says of it, and what it does.
struct CommandDefinition: Sendable {
    /// The words that name it: `["read"]`, `["launch", "record"]`.
    let path: [String]
    /// Its operands, in order.
    let operands: [OperandDefinition]
    /// The operands and options as the synopsis shows them, where a list of them would not be understood.
    let synopsis: String?
    /// Whether options end with the first operand: what follows is a command of its own, with options of its own.
    let endsOptionsAtOperand: Bool
    /// What it does, in one line.
    let summary: String
    /// What it does.
    let run: @Sendable (CommandContext) throws(Failure) -> ExitStatus

    private let makeOptions: @Sendable () -> [OptionDefinition]
    private let makeDetails: @Sendable () -> String

    /// Defines a command.
    ///
    /// Options and details are made when they are asked for: of all commands, a run needs the options of one, and details are for help alone.
    init(
        path: [String], operands: [OperandDefinition] = [],
        options: @autoclosure @escaping @Sendable () -> [OptionDefinition] = [],
        synopsis: String? = nil, endsOptionsAtOperand: Bool = false, summary: String,
        details: @autoclosure @escaping @Sendable () -> String = "",
        run: @escaping @Sendable (CommandContext) throws(Failure) -> ExitStatus
    ) {
        self.path = path
        self.operands = operands
        self.synopsis = synopsis
        self.endsOptionsAtOperand = endsOptionsAtOperand
        self.summary = summary
        self.run = run
        makeOptions = options
        makeDetails = details
    }

    /// Its own options; those of the program go with every command.
    var options: [OptionDefinition] { makeOptions() }

    /// What else there is to say, in paragraphs; empty where the summary says it all.
    var details: String { makeDetails() }

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
