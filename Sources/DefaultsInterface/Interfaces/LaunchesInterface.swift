import DBusTypes

/// The interface `org.defaultsd1.Launches`.
public enum LaunchesInterface {
    /// The interface's name.
    public static let name: InterfaceName = "org.defaultsd1.Launches"

    /// Records a launch.
    public static let record: MemberName = "Record"
    /// The last launch.
    public static let query: MemberName = "Query"
    /// The versions launched.
    public static let history: MemberName = "History"
    /// True exactly once.
    public static let once: MemberName = "Once"
    /// True once for each version that is higher than all before.
    public static let onceForVersion: MemberName = "OnceForVersion"
    /// The flags that are set.
    public static let flags: MemberName = "Flags"
    /// Clears a flag.
    public static let resetFlag: MemberName = "ResetFlag"
    /// Forgets an application.
    public static let forget: MemberName = "Forget"
    /// The signal that a launch was recorded.
    public static let recorded: MemberName = "Recorded"

    /// The interface's description.
    public static let description = InterfaceDescription(
        name,
        "Which versions of an application have run, and what happens exactly once. All of it is by user, over all processes, and on disk before the reply.",
        methods: launches + flagMethods,
        signals: [
            SignalDescription(
                recorded, [app, launch],
                "A launch was recorded: sent to those who watch the application, after the reply to the one who recorded it.")
        ])

    private static let app = ArgumentDescription("app", "s", "An application id, such as org.example.App.")
    private static let version = ArgumentDescription(
        "version", "s", "A version: 1 to 128 bytes, not only spaces, without control characters.")
    private static let flag = ArgumentDescription(
        "flag", "s", "A flag's name: 1 to 64 bytes of UTF-8 without control characters.")
    private static let launch = ArgumentDescription(
        "launch", "a{sv}", documentation("The launch, every entry present.", LaunchEntries.all))

    private static let launches = [
        MethodDescription(
            record,
            in: [
                app, version,
                ArgumentDescription("options", "a{sv}", documentation("All optional.", RecordOptions.all)),
            ], out: [launch],
            "Records a launch and says what kind it is. Of processes that record the same transition at once, one is its owner and the others get "
                + "same; a connection that asks again for the same version gets the same answer and is not counted again."),
        MethodDescription(
            query, in: [app], out: [launch], "Returns the last launch and records nothing. NotFound where none was ever recorded."
        ),
        MethodDescription(
            history, in: [app],
            out: [
                ArgumentDescription(
                    "history", "a(sxxt)",
                    "Version, first and last seen in microseconds since the Unix epoch, number of launches; newest first, at most 64."
                )
            ], "Lists the versions that were launched."),
        MethodDescription(
            forget, in: [app], "Forgets the launches, the history and the flags of an application. Nothing to forget is no error."
        ),
    ]

    private static let flagMethods = [
        MethodDescription(
            once, in: [app, flag],
            out: [ArgumentDescription("first", "b", "Whether this is the one call that gets true.")],
            "Sets a flag and says whether it was clear: true exactly once per user, application and flag, over all processes and crashes."
        ),
        MethodDescription(
            onceForVersion, in: [app, flag, version],
            out: [ArgumentDescription("first", "b", "Whether this is the one call that gets true for this version.")],
            "As Once, and again for each version higher than all before; for versions that don't compare, once for each text."),
        MethodDescription(
            flags, in: [app],
            out: [
                ArgumentDescription(
                    "flags", "a(sx)", "Each flag and when it was set, in microseconds since the Unix epoch, sorted by name.")
            ], "Lists the flags that are set."),
        MethodDescription(resetFlag, in: [app, flag], "Clears a flag, so that Once is true again. A clear one is no error."),
    ]
}
