import DBusTypes
import DefaultsInterface
import LibDBus

/// `countdowns` and what it does to one of them.
enum CountdownListCommands {
    /// One live countdown; they sort by owner, and by token.
    struct Entry: Comparable {
        let path: ObjectPath
        let state: DictionaryValue

        /// The name that its owner gave it.
        var token: String { String(path.elements.last ?? "") }

        /// Owner and token, which tell it from all others.
        var fullName: String { path.elements.suffix(2).joined(separator: "/") }

        /// The owner's numbers and the token: by their letters, 1_10 would come before 1_9.
        private var place: (numbers: [UInt64], name: String) {
            let sender = path.elements.suffix(2).first ?? ""
            return (sender.split(separator: "_").map { UInt64($0) ?? .max }, fullName)
        }

        static func < (left: Entry, right: Entry) -> Bool {
            let (left, right) = (left.place, right.place)
            return left.numbers == right.numbers ? left.name < right.name : left.numbers.lexicographicallyPrecedes(right.numbers)
        }
    }

    /// `countdowns`.
    static func list(_ context: CommandContext) throws(Failure) -> ExitStatus {
        let reply = try context.connect().call(CountdownsInterface.name, CountdownsInterface.list)
        let lines = try entries(reply).sorted().map(line)
        try context.output.result(reply.values[0]) { lines }
        return .success
    }

    /// `countdowns skip TOKEN`.
    static func skip(_ context: CommandContext) throws(Failure) -> ExitStatus { try act(context, CountdownInterface.skip) }

    /// `countdowns pause TOKEN`.
    static func pause(_ context: CommandContext) throws(Failure) -> ExitStatus { try act(context, CountdownInterface.pause) }

    /// `countdowns resume TOKEN`.
    static func resume(_ context: CommandContext) throws(Failure) -> ExitStatus { try act(context, CountdownInterface.resume) }

    /// `countdowns cancel TOKEN`.
    static func cancel(_ context: CommandContext) throws(Failure) -> ExitStatus { try act(context, CountdownInterface.cancel) }

    private static func act(_ context: CommandContext, _ member: MemberName) throws(Failure) -> ExitStatus {
        let daemon = try context.connect()
        let reply = try daemon.call(CountdownsInterface.name, CountdownsInterface.list)
        let path = try choose(context.invocation.requiredOperand(0), among: try entries(reply))
        let state = try daemon.call(CountdownInterface.name, member, at: path).dictionary(0)
        try context.output.result(.dictionary(state)) { [] }
        return .success
    }

    /// The countdown that `name` means: its token, or where several owners use that, SENDER/TOKEN.
    static func choose(_ name: String, among entries: [Entry]) throws(Failure) -> ObjectPath {
        let matches = entries.sorted().filter { name == $0.token || name == $0.fullName || name == $0.path.text }
        guard let match = matches.first else {
            throw Failure("there is no live countdown \"\(TextEscaping.safe(name))\"; \"countdowns\" lists them", status: .no)
        }
        guard matches.count == 1 else {
            let names = matches.map(\.fullName).joined(separator: ", ")
            throw .usage("\"\(name)\" is the token of \(matches.count) countdowns: write one of \(names)", ["countdowns"])
        }
        return match.path
    }

    private static func entries(_ reply: Reply) throws(Failure) -> [Entry] {
        let type = DBusType.array(of: .structure([.objectPath, .dictionary(key: .string, value: .variant)]))
        return try reply.structures(0, type).compactMap { fields in
            guard case .objectPath(let path) = fields[0], case .dictionary(let state) = fields[1] else { return nil }
            return Entry(path: path, state: state)
        }
    }

    /// SENDER/TOKEN, state, milliseconds left and purpose, tabs between them.
    static func line(_ entry: Entry) -> String {
        [CountdownStateEntries.state, CountdownStateEntries.remaining, CountdownStateEntries.purpose].reduce(entry.fullName) {
            $0 + "\t" + (entry.state[$1.name].map(ValueText.line) ?? "")
        }
    }
}
