import DefaultsInterface

/// Reads a command line: options of the program anywhere, one command, its operands and its options.
///
/// Options are spelt `--name=VALUE` or `--name VALUE`, `--` ends them, and the last of several wins. A word with one dash is a value
/// flag where the command has some (`write`), an operand if it goes on like a number, and an error otherwise.
struct ArgumentParser {
    private let commands: [CommandDefinition]
    private let words: [String]
    private var position = 0
    private var globals = GlobalOptions()
    /// The words of the command's name so far.
    private var path: [String] = []
    private var command: CommandDefinition?
    private var tokens: [Token] = []
    private var takesValueFlags = false
    private var optionsEnded = false

    init(_ words: [String], commands: [CommandDefinition]) {
        self.words = words
        self.commands = commands
    }

    /// Reads the words that follow the program's name.
    static func parse(_ words: [String], commands: [CommandDefinition]) throws(Failure) -> Request {
        var parser = ArgumentParser(words, commands: commands)
        return try parser.parse()
    }

    private mutating func parse() throws(Failure) -> Request {
        while position < words.count {
            let word = words[position]
            position += 1
            if optionsEnded || !isOption(word) {
                try take(word)
            } else if word == "--" {
                optionsEnded = true
            } else if let request = try takeOption(word) {
                return request
            }
        }
        guard let command = command ?? commands.first(where: { $0.path == path }) else { throw missingCommand() }
        try checkCount(of: command)
        return .run(Invocation(globals: globals, command: command, tokens: tokens))
    }

    // MARK: Words

    private func isOption(_ word: String) -> Bool {
        guard word.hasPrefix("-"), word != "-" else { return false }
        if word.hasPrefix("--") { return true }
        if let command, command.options.contains(where: \.isValueFlag), !takesValueFlags { return false }
        let second = word.utf8.dropFirst().first ?? 0
        return !(UInt8(ascii: "0")...UInt8(ascii: "9")).contains(second) && second != UInt8(ascii: ".")
    }

    private mutating func take(_ word: String) throws(Failure) {
        if let command {
            tokens.append(.operand(word))
            optionsEnded = optionsEnded || command.endsOptionsAtOperand
            return
        }
        let longer = path + [word]
        let candidates = commands.filter { $0.path.starts(with: longer) }
        guard !candidates.isEmpty else { throw unknownCommand(word) }
        path = longer
        if candidates.count == 1, candidates[0].path == longer {
            command = candidates[0]
            takesValueFlags = candidates[0].options.contains(where: \.isValueFlag)
        }
    }

    // MARK: Options

    private mutating func takeOption(_ word: String) throws(Failure) -> Request? {
        let (name, inline) = Self.split(word)
        if let option = command?.options.first(where: { $0.isSpelt(name) }), !isVersionOfProgram(option) {
            if option.endsValueFlags { takesValueFlags = false }
            tokens.append(.option(option, try argument(of: option, inline)))
            return nil
        }
        guard let option = CommandTable.globalOptions.first(where: { $0.isSpelt(name) }) else { throw unknownOption(name) }
        let argument = try argument(of: option, inline)
        switch option.name {
        case "--help": return .help(path)
        case "--version": return .version
        case "--user": globals.bus = .user
        case "--system": globals.bus = .system
        case "--address": globals.bus = .address(argument ?? "")
        case "--quiet": globals.isQuiet = true
        case "--json":
            guard let style = JSONStyle(rawValue: argument ?? "") else {
                throw .usage("--json takes short or pretty, not \"\(argument ?? "")\"", path)
            }
            globals.json = style
        default: preconditionFailure("\(option.name) is among the program's options, but nothing is done about it")
        }
        return nil
    }

    /// Whether `--version`, an option of `once` that takes an argument, stands alone and so asks for the program's version.
    private func isVersionOfProgram(_ option: OptionDefinition) -> Bool {
        option.name == "--version" && words.last == "--version" && position == words.count && tokens.isEmpty
    }

    /// Splits `--name=VALUE`; a value flag has no such form.
    private static func split(_ word: String) -> (name: String, argument: String?) {
        guard word.hasPrefix("--"), let equals = word.firstIndex(of: "=") else { return (word, nil) }
        return (String(word[..<equals]), String(word[word.index(after: equals)...]))
    }

    private mutating func argument(of option: OptionDefinition, _ inline: String?) throws(Failure) -> String? {
        guard let name = option.argument else {
            if let inline { throw .usage("\(option.name) takes no value, not \"\(inline)\"", path) }
            return nil
        }
        if let inline { return inline }
        guard position < words.count else { throw .usage("\(option.name) needs a value: \(name)", path) }
        position += 1
        return words[position - 1]
    }

    // MARK: What went wrong

    private func checkCount(of command: CommandDefinition) throws(Failure) {
        let operands = tokens.filter { if case .operand = $0 { true } else { false } }
        let required = command.operands.filter { $0.count == .once }
        guard operands.count >= required.count else {
            let missing = required[operands.count...].map(\.name).joined(separator: " and ")
            throw .usage("\(command.name) needs \(missing)", command.path)
        }
        let isUnlimited = command.operands.contains { $0.count == .anyNumber }
        guard isUnlimited || operands.count <= command.operands.count else {
            guard case .operand(let extra) = operands[command.operands.count] else { return }
            throw .usage("\(command.name) does not take the additional word \"\(extra)\"", command.path)
        }
    }

    private func missingCommand() -> Failure {
        let choices = commands.filter { $0.path.starts(with: path) && $0.path.count > path.count }.map { $0.path[path.count] }
        guard let group = path.last else { return .usage("which command? \(choices.listedOnce())") }
        return .usage("\(group) needs one more word: \(choices.listedOnce())", path)
    }

    private func unknownCommand(_ word: String) -> Failure {
        let choices = commands.filter { $0.path.starts(with: path) && $0.path.count > path.count }.map { $0.path[path.count] }
        let what = path.isEmpty ? "there is no command \"\(word)\"" : "\(path.joined(separator: " ")) has no command \"\(word)\""
        if path.isEmpty, word == "help" { return .usage("\(what); did you mean --help?", path) }
        guard let guess = Suggestion.closest(to: word, among: choices) else { return .usage(what, path) }
        return .usage("\(what); did you mean \"\(guess)\"?", path)
    }

    private func unknownOption(_ name: String) -> Failure {
        let options = (command?.options ?? []) + CommandTable.globalOptions
        let of = command.map { "\($0.name) has" } ?? "there is"
        let what = "\(of) no option \(name)"
        guard let guess = Suggestion.closest(to: name, among: options.map(\.name)) else {
            let takesValues = command?.options.contains(where: \.isValueFlag) ?? false
            return .usage(takesValues ? "\(what); a value that begins like an option goes after -string or --" : what, path)
        }
        return .usage("\(what); did you mean \(guess)?", path)
    }
}

extension [String] {
    /// The different words, in order, as a list to choose from.
    fileprivate func listedOnce() -> String {
        var listed: [String] = []
        for word in self where !listed.contains(word) { listed.append(word) }
        guard let last = listed.popLast() else { return "" }
        return listed.isEmpty ? last : listed.joined(separator: ", ") + " or " + last
    }
}
