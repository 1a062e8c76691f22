/// Everything that can be typed: the program's options and its commands.
///
/// Help, the parser and its guesses all come from here.
enum CommandTable {
    /// The options that go before or after any command.
    static let globalOptions = [
        OptionDefinition(name: "--user", summary: "the daemon on the user's bus; this is the default"),
        OptionDefinition(name: "--system", summary: "the daemon on the system bus"),
        OptionDefinition(name: "--address", argument: "ADDRESS", summary: "the daemon on the bus at a D-Bus address"),
        OptionDefinition(name: "--json", argument: "short|pretty", summary: "print results as JSON, as busctl does"),
        OptionDefinition(name: "--quiet", aliases: ["-q"], summary: "leave out what only informs"),
        OptionDefinition(name: "--help", aliases: ["-h"], summary: "print help, on a command if one is given"),
        OptionDefinition(name: "--version", summary: "print the version"),
    ]

    /// The commands, in the order in which help lists them.
    static let commands =
        preferences + transfer + launches + presentations + countdowns + onboarding + [status] + machine + [check]

    private static let domain = OperandDefinition(name: "DOMAIN")
    private static let key = OperandDefinition(name: "KEY")
    static let app = OperandDefinition(name: "APP")
    private static let token = OperandDefinition(name: "TOKEN")

    private static let preferences = [
        CommandDefinition(
            path: ["read"], operands: [domain, OperandDefinition(name: "KEY", count: .optional)],
            summary: "print a value, or all of a domain's",
            details: """
                Without KEY, prints a line for each key: KEY, a tab, the value. With KEY, prints the value alone; a text exactly as
                it is, unless a terminal shows it and it has control characters. Exit 1 if KEY has no value.
                """, run: PreferenceCommands.read),
        CommandDefinition(
            path: ["write"], operands: [domain, key, OperandDefinition(name: "VALUE", count: .anyNumber)],
            options: WriteOptions.all, synopsis: "DOMAIN KEY VALUE [--if-absent | --expect=OLD]",
            summary: "set a value", details: WriteOptions.details, run: WriteCommand.run),
        CommandDefinition(
            path: ["delete"], operands: [domain, OperandDefinition(name: "KEY", count: .optional)],
            summary: "remove the user's value of a key, or of all keys of a domain",
            details:
                "What shows afterwards is the value of the layer below, if there is one. What is absent already is no error.",
            run: PreferenceCommands.delete),
        CommandDefinition(
            path: ["increment"], operands: [domain, key, OperandDefinition(name: "BY", count: .optional)],
            summary: "add to an integer, 1 by default, and print the result",
            details: "Any number of processes may do so at once, and each addition counts. An absent value counts as 0.",
            run: PreferenceCommands.increment),
        CommandDefinition(path: ["domains"], summary: "list the domains", run: PreferenceCommands.domains),
        CommandDefinition(path: ["keys"], operands: [domain], summary: "list the keys of a domain", run: PreferenceCommands.keys),
        CommandDefinition(
            path: ["locked"], operands: [domain], summary: "list the keys that the administrator has locked",
            run: PreferenceCommands.locked),
        CommandDefinition(
            path: ["describe"], operands: [domain, key], summary: "print all that is known of a key",
            details: """
                The value and the layer and domain that it comes from, whether it is locked, who wrote it and when, what the
                application's manifest says of it, and a line for each layer that has a value, highest first. Exit 1 if KEY has
                neither a value nor a description.
                """, run: PreferenceCommands.describe),
        CommandDefinition(
            path: ["find"], operands: [OperandDefinition(name: "TEXT")],
            summary: "list preferences with TEXT in the domain, the key or the value",
            details: """
                In whatever case. Prints DOMAIN, KEY and the value with tabs between them; what a domain only has from global stands
                under global. Exit 1 if there is nothing.
                """, run: FindCommand.run),
        CommandDefinition(
            path: ["watch"], operands: [domain, OperandDefinition(name: "KEY", count: .anyNumber)],
            summary: "print changes as they happen, until interrupted",
            details: """
                Prints KEY, a tab and the new value, at once; KEY alone when it has no value any more. With --json, an object with
                key, type and data, or with key alone. If the daemon goes away, waits until it is back and prints what has moved in
                between. An interrupt or SIGTERM is the regular end: exit 0.
                """, run: WatchCommand.run),
    ]

    private static let launches = [
        CommandDefinition(
            path: ["launch", "record"], operands: [app, OperandDefinition(name: "VERSION")],
            options: [OptionDefinition(name: "--existing-user", summary: "the user had APP before it recorded launches here")],
            summary: "record a launch and print what kind it is", details: LaunchCommands.details, run: LaunchCommands.record),
        CommandDefinition(
            path: ["launch", "show"], operands: [app], summary: "print the last launch",
            details: "Prints what \"launch record\" prints. Exit 1 if there was none.",
            run: LaunchCommands.show),
        CommandDefinition(
            path: ["launch", "history"], operands: [app], summary: "list the versions launched, newest first",
            details: "Prints the version, when it was first and last seen, and how often, with tabs between them.",
            run: LaunchCommands.history),
        CommandDefinition(
            path: ["launch", "forget"], operands: [app], summary: "forget the launches, history and flags of APP",
            run: LaunchCommands.forget),
        CommandDefinition(
            path: ["once"], operands: [app, OperandDefinition(name: "FLAG")],
            options: [
                OptionDefinition(name: "--version", argument: "V", summary: "once for each version V higher than all before"),
                OptionDefinition(name: "--reset", summary: "clear the flag, so that the next time is the first again"),
            ], synopsis: "APP FLAG [--version=V | --reset]",
            summary: "exit 0 the first time, 1 ever after",
            details: """
                True exactly once for a user, APP and FLAG, over all processes and crashes:
                  defaultsctl once org.example.App welcome && show-welcome
                """, run: LaunchCommands.once),
        CommandDefinition(
            path: ["flags"], operands: [app], summary: "list the flags that are set, and since when", run: LaunchCommands.flags),
    ]

    private static let countdowns = [
        CommandDefinition(
            path: ["countdown"], operands: [OperandDefinition(name: "SECONDS")],
            options: [
                OptionDefinition(name: "--tick", argument: "MS", summary: "the time from tick to tick; 1000 by default"),
                OptionDefinition(
                    name: "--skippable-after", argument: "MS", summary: "when it may be skipped; at once by default"),
                OptionDefinition(name: "--purpose", argument: "TEXT", summary: "what it is for"),
                OptionDefinition(name: "--on-suspend", argument: "pause", summary: "stop the clock while the machine sleeps"),
            ],
            summary: "count down in the terminal",
            details: """
                s, space or Enter skips. Exit 0 when it has elapsed, 10 when it was skipped, 130 when it was interrupted or cancelled.
                Where standard output is no terminal, prints a line each tick. If the daemon goes away, waits up to 10 seconds for it
                to come back and goes on with it; exit 69 if it doesn't.
                """, run: CountdownCommand.run),
        CommandDefinition(
            path: ["countdowns"], summary: "list the live countdowns",
            details: "Prints SENDER/TOKEN, the state, the milliseconds left and the purpose, with tabs between them.",
            run: CountdownListCommands.list),
        CommandDefinition(
            path: ["countdowns", "skip"], operands: [token], summary: "skip a countdown", details: tokenDetails,
            run: CountdownListCommands.skip),
        CommandDefinition(
            path: ["countdowns", "pause"], operands: [token], summary: "stop the clock of a countdown", details: tokenDetails,
            run: CountdownListCommands.pause),
        CommandDefinition(
            path: ["countdowns", "resume"], operands: [token], summary: "let the clock of a countdown go on",
            details: tokenDetails,
            run: CountdownListCommands.resume),
        CommandDefinition(
            path: ["countdowns", "cancel"], operands: [token], summary: "cancel a countdown", details: tokenDetails,
            run: CountdownListCommands.cancel),
    ]

    private static let tokenDetails =
        "TOKEN is what \"countdowns\" lists, with SENDER/ before it only where several have the same."

    private static let machine = [
        CommandDefinition(
            path: ["machine", "set-default"], operands: [domain, key, OperandDefinition(name: "VALUE", count: .anyNumber)],
            options: WriteOptions.values, synopsis: "DOMAIN KEY VALUE", summary: "suggest a value to every user",
            details: machineDetails, run: MachineCommands.setDefault),
        CommandDefinition(
            path: ["machine", "set-mandatory"], operands: [domain, key, OperandDefinition(name: "VALUE", count: .anyNumber)],
            options: WriteOptions.values, synopsis: "DOMAIN KEY VALUE", summary: "impose a value on every user, and lock the key",
            details: machineDetails, run: MachineCommands.setMandatory),
        CommandDefinition(
            path: ["machine", "reset-default"], operands: [domain, key], summary: "take back what set-default set",
            details: administratorDetails, run: MachineCommands.resetDefault),
        CommandDefinition(
            path: ["machine", "reset-mandatory"], operands: [domain, key], summary: "take back what set-mandatory set",
            details: administratorDetails, run: MachineCommands.resetMandatory),
        CommandDefinition(
            path: ["machine", "reload"], summary: "read all configuration files again", details: administratorDetails,
            run: MachineCommands.reload),
    ]

    private static let administratorDetails = "For root, and for whom polkit allows org.defaultsd1.machine; others get exit 77."
    private static let machineDetails = "VALUE is written as for \"write\". " + administratorDetails

    private static let check = CommandDefinition(
        path: ["check"], operands: [OperandDefinition(name: "FILE"), OperandDefinition(name: "FILE", count: .anyNumber)],
        synopsis: "FILE…",
        summary: "say what is wrong with configuration files",
        details: """
            Without the daemon. Prints FILE:LINE:COLUMN: and why for each fault, with the path of a wrong entry between; exit 65 then.
            Values in defaults.d and mandatory.d are held against the manifests among the files. What a file is, its folder says:
            defaults.d, mandatory.d or apps; elsewhere, one named after an application, such as org.example.App.json, is its
            manifest.
            """, run: CheckCommand.run)

    private static let status = CommandDefinition(
        path: ["status"],
        options: [
            OptionDefinition(
                name: "--acknowledge", summary: "say first that you know of the loss of data that store_state tells of")
        ],
        summary: "print what is known of the daemon, its bus and its store",
        details: """
            A store_state of restored or lost stays until it is acknowledged. Until then a launch or flag without a record isn't
            taken for the first: it may have been lost.
            """, run: StatusCommand.run)

    private static let transfer = [
        CommandDefinition(
            path: ["export"], operands: [OperandDefinition(name: "DOMAIN", count: .anyNumber)],
            options: [OptionDefinition(name: "--onboarding", summary: "with launches and flags")],
            summary: "write your values as JSON to standard output",
            details: """
                Of the domains given, or of all. Your own values only, with their exact types: not what files or applications say.
                The same state gives the same bytes.
                """, run: TransferCommands.export),
        CommandDefinition(
            path: ["import"], operands: [OperandDefinition(name: "FILE")],
            options: [
                OptionDefinition(name: "--replace", summary: "remove what the file doesn't have from each domain that it names")
            ],
            summary: "take over what \"export\" wrote",
            details: """
                FILE may be - for standard input. All of it is taken over, or nothing. Without --replace, keys that the file doesn't
                name stay.
                """, run: TransferCommands.importFile),
        CommandDefinition(
            path: ["forget"], operands: [app], summary: "remove all that is stored of an application",
            details: "Its preferences, what it registered, its launches and its flags.", run: TransferCommands.forget),
    ]
}
