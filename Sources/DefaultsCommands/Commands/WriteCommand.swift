import DBusTypes
import DefaultsInterface

/// `write DOMAIN KEY VALUE`, in all its forms.
enum WriteCommand {
    /// Reads the value, then sets, compares or extends.
    static func run(_ context: CommandContext) throws(Failure) -> ExitStatus {
        let target = try Target(context)
        switch (target.expression, target.isIfAbsent, target.expected) {
        case (.value(let value), false, nil):
            _ = try target.call(context.connect(), PreferencesInterface.set, [.variant(value)])
            return .success
        case (.value(let value), true, nil): return try setIfAbsent(target, context, value)
        case (.value(let value), false, let expected?): return try compareAndSet(target, context, value, expected)
        case (.value, true, _?): throw .usage("--if-absent and --expect exclude each other", ["write"])
        case (.arrayAdd(let additions), false, nil):
            return try extend(target, context) { current throws(Failure) in try Value.array(current, appending: additions) }
        case (.dictionaryAdd(let additions), false, nil):
            return try extend(target, context) { current throws(Failure) in try Value.dictionary(current, adding: additions) }
        case (.arrayAdd, _, _), (.dictionaryAdd, _, _):
            throw .usage(
                "-array-add and -dict-add build on the value that is there, so --if-absent and --expect don't go with them",
                ["write"])
        }
    }

    /// The key to write, and what to write.
    private struct Target {
        let domain: String
        let key: String
        let expression: WriteExpression
        let isIfAbsent: Bool
        let expected: String?

        init(_ context: CommandContext) throws(Failure) {
            let invocation = context.invocation
            domain = invocation.requiredOperand(0)
            key = invocation.requiredOperand(1)
            isIfAbsent = invocation.has("--if-absent")
            expected = invocation.argument(of: "--expect")
            var operands = 0
            let value = invocation.tokens.filter { token in
                switch token {
                case .operand:
                    operands += 1
                    return operands > 2
                case .option(let option, _): return option.name != "--if-absent" && option.name != "--expect"
                }
            }
            expression = try WriteExpression(value)
        }

        func call(_ daemon: Daemon, _ member: MemberName, _ arguments: [Value]) throws(Failure) -> Reply {
            try daemon.call(PreferencesInterface.name, member, [.string(domain), .string(key)] + arguments)
        }

        /// Calls a method that answers NoSuchKey where the key has no value: nil then.
        func callIfPresent(_ daemon: Daemon, _ member: MemberName, _ arguments: [Value] = []) throws(Failure) -> Reply? {
            try daemon.call(
                PreferencesInterface.name, member, [.string(domain), .string(key)] + arguments, nilFor: ErrorNames.noSuchKey)
        }
    }

    private static func setIfAbsent(_ target: Target, _ context: CommandContext, _ value: Value) throws(Failure) -> ExitStatus {
        let reply = try target.call(try context.connect(), PreferencesInterface.setIfAbsent, [.variant(value)])
        if try reply.get(0, as: Bool.self) { return .success }
        context.output.inform("\(target.key) in \(target.domain) has the value \(ValueText.line(try reply.get(1))) already")
        return .no
    }

    /// Swaps the value if it is the one expected, which is told as `read` prints it and has the new value's type.
    private static func compareAndSet(
        _ target: Target, _ context: CommandContext, _ value: Value, _ expected: String
    ) throws(Failure) -> ExitStatus {
        let daemon: Daemon
        let old: Value
        if value.type.isBasic {
            old = try BasicText.value(expected, type: value.type, place: "--expect, with a new value of type \(value.type.text),")
            daemon = try context.connect()
        } else {
            // Only the daemon can compare and swap, and only with a whole value: that is the one there, if it reads as expected.
            daemon = try context.connect()
            let current: Value = try target.call(daemon, PreferencesInterface.get, []).get(0)
            guard current.type == value.type, ValueText.raw(current) == expected || ValueText.line(current) == expected else {
                return unexpected(target, context, current)
            }
            old = current
        }
        let reply = try target.call(daemon, PreferencesInterface.compareAndSet, [.variant(old), .variant(value)])
        if try reply.get(0, as: Bool.self) { return .success }
        return unexpected(target, context, try reply.get(1))
    }

    private static func unexpected(_ target: Target, _ context: CommandContext, _ current: Value) -> ExitStatus {
        context.output.inform(
            "\(target.key) in \(target.domain) is \(ValueText.line(current)), of type \(current.type.text), and was left as it is"
        )
        return .no
    }

    /// Computes a new value from the one that is there, and again whenever somebody else was faster.
    private static func extend(
        _ target: Target, _ context: CommandContext, _ change: (Value?) throws(Failure) -> Value
    ) throws(Failure) -> ExitStatus {
        let daemon = try context.connect()
        var current: Value? = try target.callIfPresent(daemon, PreferencesInterface.get)?.get(0)
        while true {
            let new = try change(current)
            let reply: Reply?
            if let current {
                reply = try target.callIfPresent(daemon, PreferencesInterface.compareAndSet, [.variant(current), .variant(new)])
            } else {
                reply = try target.call(daemon, PreferencesInterface.setIfAbsent, [.variant(new)])
            }
            if let reply, try reply.get(0, as: Bool.self) { return .success }
            current = try reply?.get(1)
        }
    }
}
