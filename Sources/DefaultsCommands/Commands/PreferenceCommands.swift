import DBusTypes
import DefaultsInterface

/// The commands on preferences that ask or change once; `watch` and `find` have files of their own.
enum PreferenceCommands {
    /// `read DOMAIN [KEY]`.
    static func read(_ context: CommandContext) throws(Failure) -> ExitStatus {
        let daemon = try context.connect()
        guard context.invocation.operand(1) != nil else {
            let values = try daemon.call(PreferencesInterface.name, PreferencesInterface.getAll, [context.text(0)]).dictionary(0)
            try context.output.result(.dictionary(values)) { values.lines }
            return .success
        }
        let reply = try daemon.call(PreferencesInterface.name, PreferencesInterface.get, [context.text(0), context.text(1)])
        try context.output.value(try reply.get(0))
        return .success
    }

    /// `delete DOMAIN [KEY]`.
    static func delete(_ context: CommandContext) throws(Failure) -> ExitStatus {
        let member = context.invocation.operand(1) == nil ? PreferencesInterface.resetDomain : PreferencesInterface.reset
        _ = try context.connect().call(PreferencesInterface.name, member, context.invocation.operands.map { .string($0) })
        return .success
    }

    /// `increment DOMAIN KEY [BY]`.
    static func increment(_ context: CommandContext) throws(Failure) -> ExitStatus {
        let by = try context.invocation.operand(2).map { text throws(Failure) in
            do throws(NumberText.Problem) {
                return try NumberText.integer(text, as: Int64.self)
            } catch {
                throw .usage("BY is a whole number from \(Int64.min) to \(Int64.max), not \"\(text)\"", ["increment"])
            }
        }
        let reply = try context.connect().call(
            PreferencesInterface.name, PreferencesInterface.increment, [context.text(0), context.text(1), .int64(by ?? 1)])
        try context.output.value(.int64(try reply.get(0)))
        return .success
    }

    /// `domains`.
    static func domains(_ context: CommandContext) throws(Failure) -> ExitStatus {
        try list(context, try context.connect().call(PreferencesInterface.name, PreferencesInterface.listDomains))
    }

    /// `keys DOMAIN`.
    static func keys(_ context: CommandContext) throws(Failure) -> ExitStatus {
        try list(context, try context.connect().call(PreferencesInterface.name, PreferencesInterface.listKeys, [context.text(0)]))
    }

    private static func list(_ context: CommandContext, _ reply: Reply) throws(Failure) -> ExitStatus {
        let names: [String] = try reply.get(0)
        try context.output.result(.array(names)) { names.map(TextEscaping.line) }
        return .success
    }
}

extension DictionaryValue {
    /// One line an entry: key, tab, value, sorted by key.
    var lines: [String] {
        sortedEntries.map { TextEscaping.line($0.key.keyText) + "\t" + ValueText.line($0.value) }
    }
}
