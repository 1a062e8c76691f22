import DBusTypes
import DefaultsInterface

/// The commands on launches and flags.
enum LaunchCommands {
    /// What help says of the lines of a launch.
    static let details =
        """
        Prints a line for each of these, sorted by name: the name, a tab, the value; - for a time when there was nothing.


        """
        + HelpText.entries(LaunchEntries.all.map { ($0.name, HelpText.withoutUnit($0.documentation)) }) + """


            Of the kinds, first is the first launch ever, adopted that of a user who had APP before it recorded launches, upgrade one of
            a higher version than the last and downgrade one of a lower, same and rebuild one of the same version or of another build of
            it, changed one of a version that can't be compared, and unknown one after a loss of data. Of several processes that launch
            a new version at once, one is told so, with owner true, and the others get same.
            """

    /// `launch record APP VERSION [--existing-user]`.
    static func record(_ context: CommandContext) throws(Failure) -> ExitStatus {
        var options: [(String, Value)] = []
        if context.invocation.has("--existing-user") { options.append((RecordOptions.existingUser.name, .boolean(true))) }
        let arguments = [context.text(0), context.text(1), .vardict(options)]
        return try printLaunch(context, try context.connect().call(LaunchesInterface.name, LaunchesInterface.record, arguments))
    }

    /// `launch show APP`.
    static func show(_ context: CommandContext) throws(Failure) -> ExitStatus {
        try printLaunch(context, try context.connect().call(LaunchesInterface.name, LaunchesInterface.query, [context.text(0)]))
    }

    /// `launch history APP`.
    static func history(_ context: CommandContext) throws(Failure) -> ExitStatus {
        let reply = try context.connect().call(LaunchesInterface.name, LaunchesInterface.history, [context.text(0)])
        return try printRows(context, reply, "a(sxxt)")
    }

    /// `launch forget APP`.
    static func forget(_ context: CommandContext) throws(Failure) -> ExitStatus {
        _ = try context.connect().call(LaunchesInterface.name, LaunchesInterface.forget, [context.text(0)])
        return .success
    }

    /// `once APP FLAG [--version=V | --reset]`.
    static func once(_ context: CommandContext) throws(Failure) -> ExitStatus {
        let flag = [context.text(0), context.text(1)]
        let version = context.invocation.argument(of: "--version")
        if context.invocation.has("--reset") {
            guard version == nil else {
                throw .usage("--reset clears a flag whatever its version, so --version doesn't go with it", ["once"])
            }
            _ = try context.connect().call(LaunchesInterface.name, LaunchesInterface.resetFlag, flag)
            return .success
        }
        let reply =
            if let version {
                try context.connect().call(LaunchesInterface.name, LaunchesInterface.onceForVersion, flag + [.string(version)])
            } else {
                try context.connect().call(LaunchesInterface.name, LaunchesInterface.once, flag)
            }
        let isFirst: Bool = try reply.get(0)
        // Without --json the exit status alone answers: the command stands in a condition.
        try context.output.result(.boolean(isFirst)) { [] }
        return isFirst ? .success : .no
    }

    /// `flags APP`.
    static func flags(_ context: CommandContext) throws(Failure) -> ExitStatus {
        try printRows(
            context, try context.connect().call(LaunchesInterface.name, LaunchesInterface.flags, [context.text(0)]), "a(sx)")
    }

    private static func printLaunch(_ context: CommandContext, _ reply: Reply) throws(Failure) -> ExitStatus {
        let launch = try reply.dictionary(0)
        try context.output.result(.dictionary(launch)) { lines(of: launch) }
        return .success
    }

    /// One line an entry; instants as dates, and `-` for one that there is not.
    static func lines(of launch: DictionaryValue) -> [String] {
        let instants = [LaunchEntries.firstLaunch.name, LaunchEntries.previousLaunch.name]
        return launch.sortedEntries.map { entry in
            let name = entry.key.keyText
            guard instants.contains(name), case .variant(.int64(let microseconds)) = entry.value else {
                return name + "\t" + ValueText.line(entry.value)
            }
            return name + "\t" + (microseconds == 0 ? "-" : DateText.text(microseconds: microseconds))
        }
    }

    private static func printRows(_ context: CommandContext, _ reply: Reply, _ signature: String) throws(Failure) -> ExitStatus {
        guard let type = DBusType(signature) else { preconditionFailure("\(signature) is no type") }
        let rows = try reply.structures(0, type)
        try context.output.result(reply.values[0]) { rows.map(line) }
        return .success
    }

    /// The fields, tabs between them; those of type `x` are instants.
    static func line(of row: [Value]) -> String {
        row.map { field in
            if case .int64(let microseconds) = field { DateText.text(microseconds: microseconds) } else { ValueText.line(field) }
        }.joined(separator: "\t")
    }
}
