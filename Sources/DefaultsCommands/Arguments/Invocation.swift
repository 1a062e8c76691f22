/// What was typed after a command's name, in the order typed.
enum Token: Equatable, Sendable {
    /// A word that is no option.
    case operand(String)
    /// An option with its argument.
    case option(OptionDefinition, String?)
}

/// A command as it was typed, checked against its definition.
struct Invocation: Sendable {
    /// The options of the program.
    var globals = GlobalOptions()
    /// The command.
    let command: CommandDefinition
    /// The rest, in the order typed.
    var tokens: [Token] = []

    /// The operands, in order.
    var operands: [String] {
        tokens.compactMap { token in
            if case .operand(let word) = token { word } else { nil }
        }
    }

    /// The operand at `index`, nil where there are fewer.
    func operand(_ index: Int) -> String? {
        let operands = operands
        return index < operands.count ? operands[index] : nil
    }

    /// The operand at `index`, which the definition says is always there.
    func requiredOperand(_ index: Int) -> String {
        guard let operand = operand(index) else {
            preconditionFailure("\(command.name) has no operand \(index), although its definition requires it")
        }
        return operand
    }

    /// What follows the first `count` operands, with the options among them.
    func tokens(afterOperands count: Int) -> [Token] {
        var operands = 0
        return tokens.filter { token in
            switch token {
            case .operand:
                operands += 1
                return operands > count
            case .option: return true
            }
        }
    }

    /// Whether the option was given.
    func has(_ name: String) -> Bool {
        tokens.contains { token in
            if case .option(let option, _) = token { option.name == name } else { false }
        }
    }

    /// The option's argument, of the last one if it was given more than once; nil if it wasn't.
    func argument(of name: String) -> String? {
        for case .option(let option, let argument) in tokens.reversed() where option.name == name { return argument }
        return nil
    }
}
