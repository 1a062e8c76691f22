import DBusTypes

/// The interface `org.defaultsd1.Tours`.
public enum ToursInterface {
    /// The interface's name.
    public static let name: InterfaceName = "org.defaultsd1.Tours"

    /// Defines a tour.
    public static let define: MemberName = "Define"
    /// Takes a tour away.
    public static let remove: MemberName = "Remove"
    /// Forgets what the user did with a tour.
    public static let reset: MemberName = "Reset"
    /// The tours of an application.
    public static let list: MemberName = "List"
    /// Starts or resumes a tour, if it is due.
    public static let start: MemberName = "Start"
    /// Ends a step and goes on to the next.
    public static let next: MemberName = "Next"
    /// Goes back a step.
    public static let back: MemberName = "Back"
    /// Goes to a step.
    public static let goTo: MemberName = "GoTo"
    /// Passes over a step that can't be shown.
    public static let stepUnavailable: MemberName = "StepUnavailable"
    /// Ends a run.
    public static let finish: MemberName = "Finish"
    /// The signal that another step is shown.
    public static let stepChanged: MemberName = "StepChanged"
    /// The signal that the definition of a tour changed while it is presented.
    public static let changed: MemberName = "Changed"
    /// The signal that a run has ended.
    public static let finished: MemberName = "Finished"

    /// The interface's description.
    public static let description = InterfaceDescription(
        name,
        "Tours: steps, each of which points at something, shown one after the other. A tour goes on where it was left, by the id of its step; a raised "
            + "revision starts it again.",
        methods: definitions + presentation,
        signals: [
            SignalDescription(
                stepChanged,
                [
                    app, tour, run, ArgumentDescription("step", "s", "The step now shown."),
                    ArgumentDescription("index", "u", "Its place, counted from 0."),
                    ArgumentDescription("count", "u", "How many steps there are."),
                    ArgumentDescription("sequence", "t", "What Next takes to end this step."),
                ],
                "Another step is shown: sent to the presenter and to those who watch the application, never at Start."),
            SignalDescription(
                changed, [app, tour, run, presented],
                "The attributes in the definition of a tour changed while it is presented: sent to the presenter and to those who watch the application."
            ),
            SignalDescription(
                finished,
                [
                    app, tour, run,
                    ArgumentDescription(
                        "outcome", "s", "One of completed, skipped, dismissed, failed, released, unavailable and abandoned."),
                    ArgumentDescription("shown", "as", "The steps that were shown, in the order in which they were first left."),
                ], "A run has ended, once: sent to the presenter and to those who watch the application."),
        ])

    private static let app = ArgumentDescription("app", "s", "An application id, such as org.example.App.")
    private static let tour = ArgumentDescription(
        "tour", "s", "The tour's id: 1 to 64 bytes of UTF-8 without control characters.")
    private static let run = ArgumentDescription("run", "t", "The number of the run, which Start returned and no other has.")
    private static let step = ArgumentDescription("step", "s", "The id of a step.")
    private static let presented = ArgumentDescription(
        "step", "a{sv}", documentation("The step to show, every entry present, beside its own.", TourEntries.all))

    private static let definitions = [
        MethodDescription(
            define,
            in: [
                app, tour,
                ArgumentDescription(
                    "definition", "a{sv}",
                    documentation("What the tour is, all but steps optional, at most 1 MiB.", TourDefinitionEntries.all)),
            ],
            out: [ArgumentDescription("changed", "b", "Whether this differs from the definition that was there.")],
            "Defines a tour, or replaces its definition and keeps what the user did with it. InvalidArgument names the entry by its path; at most 256 "
                + "tours an application."),
        MethodDescription(
            remove, in: [app, tour],
            "Takes away a tour that was defined here, and unless a manifest defines it too, what the user did with it; its run ends as released. NotFound "
                + "where nobody defines it; one that only a manifest defines stays."
        ),
        MethodDescription(
            reset, in: [app, tour],
            "Forgets what the user did with a tour, so that it is new; its run ends as released. NotFound where there is no such tour."
        ),
        MethodDescription(
            list, in: [app],
            out: [
                ArgumentDescription(
                    "tours", "a(sa{sv})",
                    documentation("The id and the state of each, sorted by id.", PresentationListEntries.all))
            ], "Lists the tours of an application, whoever defined them."),
    ]

    private static let presentation = [
        MethodDescription(
            start,
            in: [
                app, tour,
                ArgumentDescription("options", "a{sv}", documentation("All optional.", PresentationOptions.common)),
            ],
            out: [
                ArgumentDescription("show", "b", "Whether to show it now."),
                ArgumentDescription("reason", "s", "Why not: the first gate that it doesn't pass; empty if it is to be shown."),
                ArgumentDescription("run", "t", "The number of this run, which no other has; 0 if it isn't to be shown."),
                presented,
            ],
            "Asks to present a tour, and begins a run if it is due, at the step where it was left. NotFound where there is no such tour."
        ),
        MethodDescription(
            next,
            in: [run, step, ArgumentDescription("sequence", "t", "The step's sequence, as the caller last got it.")],
            out: [presented],
            "Ends a step and goes on to the next; from the last it completes the tour. Where the step or its sequence is no longer the present one, it "
                + "changes nothing and returns the present one as stale."),
        MethodDescription(back, in: [run], out: [presented], "Goes back a step; from the first, it changes nothing."),
        MethodDescription(
            goTo, in: [run, step], out: [presented], "Goes to a step. NotFound where the tour has no such step."),
        MethodDescription(
            stepUnavailable, in: [run, step], out: [presented],
            "Passes over a step that can't be shown, in the direction of travel. Past the last, the tour is completed if any step was shown, and "
                + "otherwise unavailable: not seen, an attempt."),
        MethodDescription(
            finish,
            in: [
                run,
                ArgumentDescription(
                    "outcome", "s",
                    "One of completed, skipped, dismissed: seen; failed: not seen, an attempt; released: still due, no attempt."),
            ], out: [presented], "Ends a run. The first outcome wins: a later call changes nothing and returns that one."),
    ]
}
