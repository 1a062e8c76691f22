import DBusTypes
import DefaultsInterface

/// The commands that guides, tours and tips have in common.
enum PresentationCommands {
    /// `guide list APP`, and so for tours and tips.
    static func list(_ kind: PresentationKind, _ context: CommandContext) throws(Failure) -> ExitStatus {
        let reply = try context.connect().call(kind.interface, kind.list, [context.text(0)])
        let rows = try rows(reply)
        try context.output.result(reply.values[0]) { rows.map { line($0.id, $0.entries, of: kind) } }
        return .success
    }

    /// `guide show APP GUIDE`, and so for tours: what `list` says, and why it would not be shown now.
    static func show(_ kind: PresentationKind, _ context: CommandContext) throws(Failure) -> ExitStatus {
        let daemon = try context.connect()
        let id = context.invocation.requiredOperand(1)
        let reply = try daemon.call(kind.interface, kind.list, [context.text(0)])
        guard let row = try rows(reply).first(where: { $0.id.utf8.elementsEqual(id.utf8) }) else {
            let app = context.invocation.requiredOperand(0)
            throw Failure(
                "\(TextEscaping.safe(app)) has no \(kind.rawValue) \"\(TextEscaping.safe(id))\"; "
                    + "\"\(programName) \(kind.rawValue) list \(TextEscaping.safe(app))\" lists those it has", status: .no)
        }
        let gates = try ExplainCommand.gates(daemon, context.text(0), kind.rawValue, context.text(1))
        let reason = gates.first { !$0.isPassed }?.name ?? ""
        let entries = DictionaryValue(
            row.entries.entries.compactMap { entry in
                guard case .variant(let value) = entry.value else { return nil }
                return (entry.key.keyText, value)
            } + [("reason", .string(reason))])
        try context.output.result(.dictionary(entries)) {
            entries.sortedEntries.map { TextEscaping.line($0.key.keyText) + "\t" + text($0.value) }
        }
        return .success
    }

    /// `guide reset APP GUIDE`, and so for tours and tips.
    static func reset(_ kind: PresentationKind, _ context: CommandContext) throws(Failure) -> ExitStatus {
        _ = try context.connect().call(kind.interface, kind.reset, [context.text(0), context.text(1)])
        return .success
    }

    /// `guide remove APP GUIDE`, and so for tours.
    static func remove(_ kind: PresentationKind, _ context: CommandContext) throws(Failure) -> ExitStatus {
        _ = try context.connect().call(kind.interface, kind.remove, [context.text(0), context.text(1)])
        return .success
    }

    /// `guide present APP GUIDE`, `tour start APP TOUR` and `tip present APP TIP`.
    static func play(_ kind: PresentationKind, _ context: CommandContext) throws(Failure) -> ExitStatus {
        let presenter = Presenter(
            daemon: try context.connect(), kind: kind, app: context.invocation.requiredOperand(0),
            id: context.invocation.requiredOperand(1), isReplay: context.invocation.has("--replay"))
        let terminal = Terminal(context.output, takesWholeScreen: true)
        guard terminal.hasKeys, terminal.hasScreen else {
            return try PlainPlayer(presenter: presenter, output: context.output).print()
        }
        return try PlayerDriver(presenter, terminal: terminal, output: context.output).play()
    }

    private static func rows(_ reply: Reply) throws(Failure) -> [(id: String, entries: DictionaryValue)] {
        let type = DBusType.array(of: .structure([.string, .dictionary(key: .string, value: .variant)]))
        return try reply.structures(0, type).compactMap { fields in
            guard case .string(let id) = fields[0], case .dictionary(let entries) = fields[1] else { return nil }
            return (id, entries)
        }
    }

    /// The id and the entries in their documented order, tabs between them; `-` for one that is empty.
    static func line(_ id: String, _ entries: DictionaryValue, of kind: PresentationKind) -> String {
        columns(kind).reduce(TextEscaping.line(id)) { $0 + "\t" + (entries[$1.name].map(text) ?? "-") }
    }

    /// What `list` prints of each after its id.
    static func columns(_ kind: PresentationKind) -> [DictionaryEntry] {
        kind == .tip ? TipListEntries.all : PresentationListEntries.all
    }

    private static func text(_ value: Value) -> String {
        let text = ValueText.line(value)
        return text.isEmpty ? "-" : text
    }
}
