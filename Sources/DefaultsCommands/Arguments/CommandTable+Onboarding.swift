extension CommandTable {
    private static let guide = OperandDefinition(name: "GUIDE")
    private static let tour = OperandDefinition(name: "TOUR")
    private static let tip = OperandDefinition(name: "TIP")
    private static let replay = OptionDefinition(
        name: "--replay", summary: "show it whatever you have seen, and record nothing of it")

    /// The commands on guides, tours and tips.
    static let presentations = guides + tours + tips

    private static let guides = [
        CommandDefinition(
            path: ["guide", "list"], operands: [app], summary: "list the guides of APP", details: listDetails(.guide)
        ) { context throws(Failure) in try PresentationCommands.list(.guide, context) },
        CommandDefinition(
            path: ["guide", "show"], operands: [app, guide], summary: "print the state of a guide", details: showDetails
        ) { context throws(Failure) in try PresentationCommands.show(.guide, context) },
        CommandDefinition(
            path: ["guide", "present"], operands: [app, guide], options: [replay],
            summary: "show a guide in the terminal, if it is due",
            details: """
                →, l, space or Enter turns to the next page, ← or h back. Going on from the last page completes the guide; one with a
                button is completed by Enter or space there. s skips it or its countdown, q or Escape dismisses it, Ctrl-C releases it:
                it is due again.


                """ + playDetails("guide is printed page by page and released", skips: true),
            run: { context throws(Failure) in try PresentationCommands.play(.guide, context) }),
        CommandDefinition(
            path: ["guide", "reset"], operands: [app, guide], summary: "forget what you have seen of a guide",
            details: resetDetails
        ) { context throws(Failure) in try PresentationCommands.reset(.guide, context) },
        CommandDefinition(
            path: ["guide", "remove"], operands: [app, guide], summary: "remove a guide that APP has defined",
            details: removeDetails
        ) { context throws(Failure) in try PresentationCommands.remove(.guide, context) },
    ]

    private static let tours = [
        CommandDefinition(
            path: ["tour", "list"], operands: [app], summary: "list the tours of APP", details: listDetails(.tour)
        ) { context throws(Failure) in try PresentationCommands.list(.tour, context) },
        CommandDefinition(
            path: ["tour", "show"], operands: [app, tour], summary: "print the state of a tour", details: showDetails
        ) { context throws(Failure) in try PresentationCommands.show(.tour, context) },
        CommandDefinition(
            path: ["tour", "start"], operands: [app, tour], options: [replay],
            summary: "show a tour in the terminal, if it is due, from the step where it was left",
            details: """
                →, l, space or Enter goes to the next step, ← or h back. Going on from the last step completes the tour. s skips it, q or
                Escape dismisses it, Ctrl-C releases it: it is due again.


                """ + playDetails("tour is printed step by step and released", skips: true),
            run: { context throws(Failure) in try PresentationCommands.play(.tour, context) }),
        CommandDefinition(
            path: ["tour", "reset"], operands: [app, tour], summary: "forget what you have seen of a tour", details: resetDetails
        ) { context throws(Failure) in try PresentationCommands.reset(.tour, context) },
        CommandDefinition(
            path: ["tour", "remove"], operands: [app, tour], summary: "remove a tour that APP has defined", details: removeDetails
        ) { context throws(Failure) in try PresentationCommands.remove(.tour, context) },
    ]

    private static let tips = [
        CommandDefinition(
            path: ["tip", "list"], operands: [app], summary: "list the tips of APP", details: listDetails(.tip)
        ) { context throws(Failure) in try PresentationCommands.list(.tip, context) },
        CommandDefinition(
            path: ["tip", "present"], operands: [app, tip], options: [replay],
            summary: "show a tip in the terminal, if it is available",
            details: """
                Enter or space does what the tip is about and q or Escape closes it, both of which use it up; h or Ctrl-C hides it.


                """ + playDetails("tip is printed and hidden", skips: false),
            run: { context throws(Failure) in try PresentationCommands.play(.tip, context) }),
        CommandDefinition(
            path: ["tip", "donate"],
            operands: [app, OperandDefinition(name: "EVENT"), OperandDefinition(name: "COUNT", count: .optional)],
            summary: "count an event, once or COUNT times, and print how often it happened",
            details: "Tips of APP may be shown only after some events.", run: TipCommands.donate),
        CommandDefinition(
            path: ["tip", "snooze"], operands: [app, tip, OperandDefinition(name: "SECONDS")], summary: "put a tip off",
            details: "It isn't available for that long. 0 ends an earlier snooze.", run: TipCommands.snooze),
        CommandDefinition(
            path: ["tip", "reset"], operands: [app, tip], summary: "forget what you have seen of a tip", details: resetDetails
        ) { context throws(Failure) in try PresentationCommands.reset(.tip, context) },
    ]

    private static func listDetails(_ kind: PresentationKind) -> String {
        "Prints, with tabs between them, and - for what is empty:\n\n"
            + HelpText.entries(
                [("id", "the \(kind.rawValue)")] + PresentationCommands.columns(kind).map { ($0.name, $0.documentation) })
    }

    private static let showDetails = """
        Prints what "list" prints, NAME, a tab and the value, and the reason why it would not be shown now; - where it would.
        Exit 1 if there is none.
        """

    private static let resetDetails = "It is then as if it had never been shown. What is new already is no error."

    private static let removeDetails =
        "With what you have seen of it. One from a configuration file stays, and is new. What there is not is no error."

    private static func playDetails(_ plainly: String, skips: Bool) -> String {
        """
        Prints how it ended, and exits 0 when the user or its time has ended it\(skips ? ", 10 if it was skipped" : ""),
        130 if it was interrupted or ended by something else.
        Exits 1 with the reason if it isn't due, 75 if it is, but something else is being shown or holds it back. Where standard input
        or output is no terminal, and with --json or --quiet, the \(plainly).
        """
    }

    /// The commands on what decides whether something is shown.
    static let onboarding = [
        CommandDefinition(
            path: ["explain"],
            operands: [app, OperandDefinition(name: "guide|tour|tip|preference"), OperandDefinition(name: "ID")],
            summary: "say why something is shown, or a value is what it is, and why not",
            details: """
                Prints a line for each gate, in the order in which they count: its name, yes if it is passed or no, and why, with the
                data used. The first no is the reason. Exit 1 if there is nothing of that ID.
                """, run: ExplainCommand.run),
        CommandDefinition(
            path: ["inhibit"],
            operands: [OperandDefinition(name: "COMMAND"), OperandDefinition(name: "ARGUMENT", count: .anyNumber)],
            options: [
                OptionDefinition(name: "--why", argument: "TEXT", summary: "what to tell those who ask; COMMAND by default")
            ],
            synopsis: "[--why=TEXT] COMMAND…", endsOptionsAtOperand: true,
            summary: "run a command while nothing new is shown to you",
            details: """
                No guide, tour or tip begins, whatever the application; what is shown already stays. Options go before COMMAND: what
                follows is its own. Exits as COMMAND does, with 128 and the signal's number if one ended it, 127 if there is no COMMAND
                and 126 if it can't be run.
                  defaultsctl inhibit --why="Presentation" impressive slides.pdf
                """, run: InhibitCommand.run),
        CommandDefinition(
            path: ["stats"], operands: [app], summary: "print how often guides, tours and tips were shown and how they ended",
            details: """
                One line each: what it is, its id, how often it was shown, how often it ended in each way, and the furthest page or step
                that was reached, counted from 0. It is kept on this machine alone, and only where the policy allows it.
                """, run: StatisticsCommand.run),
    ]
}
