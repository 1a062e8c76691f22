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

    /// `locked DOMAIN`.
    static func locked(_ context: CommandContext) throws(Failure) -> ExitStatus {
        try list(
            context, try context.connect().call(PreferencesInterface.name, PreferencesInterface.listLocked, [context.text(0)]))
    }

    /// `describe DOMAIN KEY`.
    static func describe(_ context: CommandContext) throws(Failure) -> ExitStatus {
        let arguments = [context.text(0), context.text(1)]
        let description = try context.connect().call(PreferencesInterface.name, PreferencesInterface.describe, arguments)
            .dictionary(0)
        try context.output.result(.dictionary(description)) { lines(ofDescription: description) }
        return .success
    }

    /// One line an entry, an instant as a date; a line for each layer, highest first.
    static func lines(ofDescription description: DictionaryValue) -> [String] {
        description.sortedEntries.flatMap { entry -> [String] in
            let name = entry.key.keyText
            guard case .variant(let value) = entry.value else { return [] }
            switch (name, value) {
            case ("layers", .array(let layers)):
                return layers.values.compactMap { row in
                    guard case .structure(let fields) = row, fields.count == 3 else { return nil }
                    return ([name] + fields.map(ValueText.line)).joined(separator: "\t")
                }
            case ("modified", .int64(let instant)): return [name + "\t" + DateText.text(microseconds: instant)]
            default: return [TextEscaping.line(name) + "\t" + ValueText.line(value)]
            }
        }
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
