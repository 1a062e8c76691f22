import DBusTypes

/// The interface `org.defaultsd1.Tips`.
public enum TipsInterface {
    /// The interface's name.
    public static let name: InterfaceName = "org.defaultsd1.Tips"

    /// Defines a tip.
    public static let define = PresentedItem.define
    /// Takes a tip away.
    public static let remove = PresentedItem.remove
    /// Forgets what the user did with a tip.
    public static let reset = PresentedItem.reset
    /// The tips of an application.
    public static let list = PresentedItem.list
    /// Counts an event.
    public static let donate: MemberName = "Donate"
    /// Which tips are available.
    public static let evaluate: MemberName = "Evaluate"
    /// Shows a tip, if it is available.
    public static let present: MemberName = "Present"
    /// Ends a run.
    public static let finish = PresentedItem.finish
    /// Puts a tip off.
    public static let snooze: MemberName = "Snooze"
    /// The signal that a tip became available, or is no longer.
    public static let statusChanged: MemberName = "StatusChanged"

    /// The interface's description.
    public static let description = InterfaceDescription(
        name,
        "Tips: one hint each, shown when its rules on preferences and events hold. How often new ones are shown is limited by the preference "
            + "onboarding.tip-frequency of the application and onboarding.tip-budget of global, each the milliseconds between two.",
        methods: tip.definitions(
            TipDefinitionEntries.all, requirement: "all optional", listing: TipListEntries.all) + presentation,
        signals: [
            SignalDescription(
                statusChanged,
                [
                    PresentedItem.app, tip.item, ArgumentDescription("available", "b", "Whether Present would show it now."),
                    ArgumentDescription("reason", "s", "Why not: the first gate that it doesn't pass; empty if it is available."),
                ],
                "A tip became available, or is no longer, or for another reason: sent to those who watch the application.")
        ])

    private static let tip = PresentedItem("tip", begin: present)
    private static let presented = ArgumentDescription(
        "tip", "a{sv}", documentation("The tip, every entry present, beside the entries of its definition.", TipEntries.all))

    private static let presentation = [
        MethodDescription(
            donate,
            in: [
                PresentedItem.app,
                ArgumentDescription("event", "s", "The event's name: 1 to 64 bytes of UTF-8 without control characters."),
                ArgumentDescription("count", "u", "How often it happened."),
            ],
            out: [ArgumentDescription("total", "t", "How often it has happened in all.")],
            "Counts an event, on which rules of tips may be: at once, for every caller. It is on disk within a second; Preferences.Synchronize waits for "
                + "that. At most 1,024 events an application."
        ),
        MethodDescription(
            evaluate, in: [PresentedItem.app],
            out: [
                ArgumentDescription(
                    "tips", "a(sbs)",
                    "The id of each tip, whether Present would show it now, and why not, as in List; sorted by id.")
            ], "Says which tips are available, and shows none."),
        tip.beginning(
            PresentationOptions.common, returning: presented,
            "Asks to present a tip, and begins a run if it is available. NotFound where there is no such tip."),
        MethodDescription(
            finish,
            in: [
                tip.run,
                ArgumentDescription(
                    "outcome", "s",
                    "One of action: the user did what the tip is about; closed: the user closed it, both of which use it up; hidden: it went from view."
                ),
            ], out: [presented], "Ends a run. \(PresentedItem.firstOutcomeWins)"),
        MethodDescription(
            snooze,
            in: [
                PresentedItem.app, tip.item,
                ArgumentDescription("duration", "t", "How long, in milliseconds; 0 ends an earlier one."),
            ],
            "Puts a tip off: it isn't available for that long. NotFound where there is no such tip."),
    ]
}
