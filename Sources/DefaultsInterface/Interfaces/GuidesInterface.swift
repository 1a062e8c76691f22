import DBusTypes

/// The interface `org.defaultsd1.Guides`.
public enum GuidesInterface {
    /// The interface's name.
    public static let name: InterfaceName = "org.defaultsd1.Guides"

    /// Defines a guide.
    public static let define = PresentedItem.define
    /// Takes a guide away.
    public static let remove = PresentedItem.remove
    /// Forgets what the user did with a guide.
    public static let reset = PresentedItem.reset
    /// The guides of an application.
    public static let list = PresentedItem.list
    /// The guides that are due.
    public static let pending: MemberName = "Pending"
    /// Shows a guide, if it is due.
    public static let present: MemberName = "Present"
    /// Turns pages.
    public static let advance: MemberName = "Advance"
    /// Goes to a page.
    public static let goTo: MemberName = "GoTo"
    /// Ends a run.
    public static let finish = PresentedItem.finish
    /// The signal that another page is shown.
    public static let pageChanged: MemberName = "PageChanged"
    /// The signal that the attributes of a guide changed while it is presented.
    public static let changed: MemberName = "Changed"
    /// The signal that a run has ended.
    public static let finished: MemberName = "Finished"

    /// The interface's description.
    public static let description = InterfaceDescription(
        name,
        "Guides: pages that are shown once a revision, after a first launch or an upgrade. One guide, tour or tip at a time is presented to a user, "
            + "over all applications; seen means that the user ended it.",
        methods: definitions + presentation,
        signals: [
            SignalDescription(
                pageChanged,
                [
                    PresentedItem.app, guide.item, guide.run,
                    ArgumentDescription("page", "u", "The page now shown, counted from 0."),
                    ArgumentDescription("count", "u", "How many pages there are."),
                ],
                "Another page is shown: sent when the number of the page changes, never at Present, to the presenter and to those who watch the application."
            ),
            guide.changing(changed, to: presented),
            guide.ending(finished, outcomes: "completed, skipped, dismissed, failed, released, timed_out and abandoned"),
        ])

    private static let guide = PresentedItem("guide", begin: present)
    private static let presented = ArgumentDescription(
        "guide", "a{sv}",
        documentation("The guide, every entry present, beside the entries of its definition.", GuideEntries.all))

    private static let definitions =
        guide.definitions(
            GuideDefinitionEntries.all, requirement: "all but pages optional",
            revisions: "A higher revision makes it due again; a lower one than the present is ignored. ",
            listing: PresentationListEntries.all) + [
            MethodDescription(
                pending, in: [PresentedItem.app],
                out: [
                    ArgumentDescription(
                        "guides", "as",
                        "The ids in the order to present them: onboarding, then what's new from the newest version down, at most 10 of those."
                    )
                ], "Lists the guides that are due.")
        ]

    private static let presentation = [
        guide.beginning(
            PresentationOptions.guide, returning: presented,
            "Asks to present a guide, and begins a run if it is due: the caller then shows the page and reports what the user does. One that was left in "
                + "the middle goes on at its page. NotFound where there is no such guide; InvalidName for a "
                + "countdown_token that is none, AlreadyExists for one that is taken."),
        MethodDescription(
            advance,
            in: [guide.run, ArgumentDescription("by", "i", "How many pages on, or back if negative; clamped to the pages.")],
            out: [presented],
            "Turns pages. One page on from the last completes a guide whose completion is swipe and changes nothing where it is button."
        ),
        MethodDescription(
            goTo, in: [guide.run, ArgumentDescription("page", "u", "The page, counted from 0.")], out: [presented],
            "Goes to a page. NotFound where there is no such page."),
        MethodDescription(
            finish, in: [guide.run, PresentedItem.outcome], out: [presented],
            "Ends a run and its countdown. \(PresentedItem.firstOutcomeWins)"),
    ]
}
