import DBusTypes

/// The interface `org.defaultsd1.Tours`.
public enum ToursInterface {
    /// The interface's name.
    public static let name: InterfaceName = "org.defaultsd1.Tours"

    /// Defines a tour.
    public static let define = PresentedItem.define
    /// Takes a tour away.
    public static let remove = PresentedItem.remove
    /// Forgets what the user did with a tour.
    public static let reset = PresentedItem.reset
    /// The tours of an application.
    public static let list = PresentedItem.list
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
    public static let finish = PresentedItem.finish
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
        methods: tour.definitions(
            TourDefinitionEntries.all, requirement: "all but steps optional", listing: PresentationListEntries.all)
            + presentation,
        signals: [
            SignalDescription(
                stepChanged,
                [
                    PresentedItem.app, tour.item, tour.run, ArgumentDescription("step", "s", "The step now shown."),
                    ArgumentDescription("index", "u", "Its place, counted from 0."),
                    ArgumentDescription("count", "u", "How many steps there are."),
                    ArgumentDescription("sequence", "t", "What Next takes to end this step."),
                ],
                "Another step is shown: sent to the presenter and to those who watch the application, never at Start."),
            tour.changing(changed, to: presented),
            tour.ending(
                finished, outcomes: "completed, skipped, dismissed, failed, released, unavailable and abandoned",
                ArgumentDescription("shown", "as", "The steps that were shown, in the order in which they were first left.")),
        ])

    private static let tour = PresentedItem("tour", begin: start)
    private static let step = ArgumentDescription("step", "s", "The id of a step.")
    private static let presented = ArgumentDescription(
        "step", "a{sv}", documentation("The step to show, every entry present, beside its own.", TourEntries.all))

    private static let presentation = [
        tour.beginning(
            PresentationOptions.common, returning: presented,
            "Asks to present a tour, and begins a run if it is due, at the step where it was left. NotFound where there is no such tour."
        ),
        MethodDescription(
            next,
            in: [tour.run, step, ArgumentDescription("sequence", "t", "The step's sequence, as the caller last got it.")],
            out: [presented],
            "Ends a step and goes on to the next; from the last it completes the tour. Where the step or its sequence is no longer the present one, it "
                + "changes nothing and returns the present one as stale."),
        MethodDescription(back, in: [tour.run], out: [presented], "Goes back a step; from the first, it changes nothing."),
        MethodDescription(
            goTo, in: [tour.run, step], out: [presented], "Goes to a step. NotFound where the tour has no such step."),
        MethodDescription(
            stepUnavailable, in: [tour.run, step], out: [presented],
            "Passes over a step that can't be shown, in the direction of travel. Past the last, the tour is completed if any step was shown, and "
                + "otherwise unavailable: not seen, an attempt."),
        MethodDescription(
            finish, in: [tour.run, PresentedItem.outcome], out: [presented], "Ends a run. \(PresentedItem.firstOutcomeWins)"),
    ]
}
