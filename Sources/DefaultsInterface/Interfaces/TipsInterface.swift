import DBusTypes

/// The interface `org.defaultsd1.Tips`.
public enum TipsInterface {
    /// The interface's name.
    public static let name: InterfaceName = "org.defaultsd1.Tips"

    /// Defines a tip.
    public static let define: MemberName = "Define"
    /// Takes a tip away.
    public static let remove: MemberName = "Remove"
    /// Forgets what the user did with a tip.
    public static let reset: MemberName = "Reset"
    /// The tips of an application.
    public static let list: MemberName = "List"
    /// Counts an event.
    public static let donate: MemberName = "Donate"
    /// Which tips are available.
    public static let evaluate: MemberName = "Evaluate"
    /// Shows a tip, if it is available.
    public static let present: MemberName = "Present"
    /// Ends a run.
    public static let finish: MemberName = "Finish"
    /// Puts a tip off.
    public static let snooze: MemberName = "Snooze"
    /// The signal that a tip became available, or is no longer.
    public static let statusChanged: MemberName = "StatusChanged"

    /// The interface's description.
    public static let description = InterfaceDescription(
        name,
        "Tips: one hint each, shown when its rules on preferences and events hold. How often new ones are shown is limited by the preference "
            + "onboarding.tip-frequency of the application and onboarding.tip-budget of global, each the milliseconds between two.",
        methods: definitions + presentation,
        signals: [
            SignalDescription(
                statusChanged,
                [
                    app, tip, ArgumentDescription("available", "b", "Whether Present would show it now."),
                    ArgumentDescription("reason", "s", "Why not: the first gate that it doesn't pass; empty if it is available."),
                ],
                "A tip became available, or is no longer, or for another reason: sent to those who watch the application.")
        ])

    private static let app = ArgumentDescription("app", "s", "An application id, such as org.example.App.")
    private static let tip = ArgumentDescription(
        "tip", "s", "The tip's id: 1 to 64 bytes of UTF-8 without control characters.")
    private static let run = ArgumentDescription("run", "t", "The number of the run, which Present returned and no other has.")
    private static let presented = ArgumentDescription(
        "tip", "a{sv}", documentation("The tip, every entry present, beside the entries of its definition.", TipEntries.all))

    private static let definitions = [
        MethodDescription(
            define,
            in: [
                app, tip,
                ArgumentDescription(
                    "definition", "a{sv}",
                    documentation("What the tip is, all optional, at most 1 MiB.", TipDefinitionEntries.all)),
            ],
            out: [ArgumentDescription("changed", "b", "Whether this differs from the definition that was there.")],
            "Defines a tip, or replaces its definition and keeps what the user did with it. InvalidArgument names the entry by its path; at most 256 tips "
                + "an application."),
        MethodDescription(
            remove, in: [app, tip],
            "Takes away a tip that was defined here, and unless a manifest defines it too, what the user did with it; its run ends as released. NotFound "
                + "where nobody defines it; one that only a manifest defines stays."
        ),
        MethodDescription(
            reset, in: [app, tip],
            "Forgets what the user did with a tip, so that it is new; its run ends as released. NotFound where there is no such tip."
        ),
        MethodDescription(
            list, in: [app],
            out: [
                ArgumentDescription(
                    "tips", "a(sa{sv})", documentation("The id and the state of each, sorted by id.", TipListEntries.all))
            ], "Lists the tips of an application, whoever defined them."),
    ]

    private static let presentation = [
        MethodDescription(
            donate,
            in: [
                app, ArgumentDescription("event", "s", "The event's name: 1 to 64 bytes of UTF-8 without control characters."),
                ArgumentDescription("count", "u", "How often it happened."),
            ],
            out: [ArgumentDescription("total", "t", "How often it has happened in all.")],
            "Counts an event, on which rules of tips may be: at once, for every caller. It is on disk within a second; Preferences.Synchronize waits for "
                + "that. At most 1,024 events an application."
        ),
        MethodDescription(
            evaluate, in: [app],
            out: [
                ArgumentDescription(
                    "tips", "a(sbs)",
                    "The id of each tip, whether Present would show it now, and why not, as in List; sorted by id.")
            ], "Says which tips are available, and shows none."),
        MethodDescription(
            present,
            in: [
                app, tip,
                ArgumentDescription("options", "a{sv}", documentation("All optional.", PresentationOptions.common)),
            ],
            out: [
                ArgumentDescription("show", "b", "Whether to show it now."),
                ArgumentDescription("reason", "s", "Why not: the first gate that it doesn't pass; empty if it is to be shown."),
                ArgumentDescription("run", "t", "The number of this run, which no other has; 0 if it isn't to be shown."),
                presented,
            ],
            "Asks to present a tip, and begins a run if it is available. NotFound where there is no such tip."),
        MethodDescription(
            finish,
            in: [
                run,
                ArgumentDescription(
                    "outcome", "s",
                    "One of action: the user did what the tip is about; closed: the user closed it, both of which use it up; hidden: it went from view."
                ),
            ], out: [presented], "Ends a run. The first outcome wins: a later call changes nothing and returns that one."),
        MethodDescription(
            snooze,
            in: [app, tip, ArgumentDescription("duration", "t", "How long, in milliseconds; 0 ends an earlier one.")],
            "Puts a tip off: it isn't available for that long. NotFound where there is no such tip."),
    ]
}
