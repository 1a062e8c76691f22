import DBusTypes

/// The interface `org.defaultsd1.Guides`.
public enum GuidesInterface {
    /// The interface's name.
    public static let name: InterfaceName = "org.defaultsd1.Guides"

    /// Defines a guide.
    public static let define: MemberName = "Define"
    /// Takes a guide away.
    public static let remove: MemberName = "Remove"
    /// Forgets what the user did with a guide.
    public static let reset: MemberName = "Reset"
    /// The guides of an application.
    public static let list: MemberName = "List"
    /// The guides that are due.
    public static let pending: MemberName = "Pending"
    /// Shows a guide, if it is due.
    public static let present: MemberName = "Present"
    /// Turns pages.
    public static let advance: MemberName = "Advance"
    /// Goes to a page.
    public static let goTo: MemberName = "GoTo"
    /// Ends a run.
    public static let finish: MemberName = "Finish"
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
                    app, guide, run, ArgumentDescription("page", "u", "The page now shown, counted from 0."),
                    ArgumentDescription("count", "u", "How many pages there are."),
                ],
                "Another page is shown: sent when the number of the page changes, never at Present, to the presenter and to those who watch the application."
            ),
            SignalDescription(
                changed, [app, guide, run, presented],
                "The attributes in the definition of a guide changed while it is presented: sent to the presenter and to those who watch the application."
            ),
            SignalDescription(
                finished,
                [
                    app, guide, run,
                    ArgumentDescription(
                        "outcome", "s", "One of completed, skipped, dismissed, failed, released, timed_out and abandoned."),
                ],
                "A run has ended, once: sent to the presenter and to those who watch the application."),
        ])

    private static let app = ArgumentDescription("app", "s", "An application id, such as org.example.App.")
    private static let guide = ArgumentDescription(
        "guide", "s", "The guide's id: 1 to 64 bytes of UTF-8 without control characters.")
    private static let run = ArgumentDescription("run", "t", "The number of the run, which Present returned and no other has.")
    private static let presented = ArgumentDescription(
        "guide", "a{sv}",
        documentation("The guide, every entry present, beside the entries of its definition.", GuideEntries.all))

    private static let definitions = [
        MethodDescription(
            define,
            in: [
                app, guide,
                ArgumentDescription(
                    "definition", "a{sv}",
                    documentation("What the guide is, all but pages optional, at most 1 MiB.", GuideDefinitionEntries.all)),
            ],
            out: [ArgumentDescription("changed", "b", "Whether this differs from the definition that was there.")],
            "Defines a guide, or replaces its definition and keeps what the user did with it. A higher revision makes it due again; a lower one than the "
                + "present is ignored. InvalidArgument names the entry by its path; at most 256 guides an application."),
        MethodDescription(
            remove, in: [app, guide],
            "Takes away a guide that was defined here, and unless a manifest defines it too, what the user did with it; its run ends as released. NotFound "
                + "where nobody defines it; one that only a manifest defines stays."
        ),
        MethodDescription(
            reset, in: [app, guide],
            "Forgets what the user did with a guide, so that it is new; its run ends as released. NotFound where there is no such guide."
        ),
        MethodDescription(
            list, in: [app],
            out: [
                ArgumentDescription(
                    "guides", "a(sa{sv})",
                    documentation("The id and the state of each, sorted by id.", PresentationListEntries.all))
            ], "Lists the guides of an application, whoever defined them."),
        MethodDescription(
            pending, in: [app],
            out: [
                ArgumentDescription(
                    "guides", "as",
                    "The ids in the order to present them: onboarding, then what's new from the newest version down, at most 10 of those."
                )
            ], "Lists the guides that are due."),
    ]

    private static let presentation = [
        MethodDescription(
            present,
            in: [
                app, guide,
                ArgumentDescription("options", "a{sv}", documentation("All optional.", PresentationOptions.guide)),
            ],
            out: [
                ArgumentDescription("show", "b", "Whether to show it now."),
                ArgumentDescription("reason", "s", "Why not: the first gate that it doesn't pass; empty if it is to be shown."),
                ArgumentDescription("run", "t", "The number of this run, which no other has; 0 if it isn't to be shown."),
                presented,
            ],
            "Asks to present a guide, and begins a run if it is due: the caller then shows the page and reports what the user does. One that was left in "
                + "the middle goes on at its page. NotFound where there is no such guide; InvalidName for a "
                + "countdown_token that is none, AlreadyExists for one that is taken."
        ),
        MethodDescription(
            advance,
            in: [run, ArgumentDescription("by", "i", "How many pages on, or back if negative; clamped to the pages.")],
            out: [presented],
            "Turns pages. One page on from the last completes a guide whose completion is swipe and changes nothing where it is button."
        ),
        MethodDescription(
            goTo, in: [run, ArgumentDescription("page", "u", "The page, counted from 0.")], out: [presented],
            "Goes to a page. NotFound where there is no such page."),
        MethodDescription(
            finish,
            in: [
                run,
                ArgumentDescription(
                    "outcome", "s",
                    "One of completed, skipped, dismissed: seen; failed: not seen, an attempt; released: still due, no attempt."),
            ], out: [presented],
            "Ends a run and its countdown. The first outcome wins: a later call changes nothing and returns that one."),
    ]
}
