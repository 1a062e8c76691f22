import DBusTypes

/// The interface `org.defaultsd1.Countdowns`.
public enum CountdownsInterface {
    /// The interface's name.
    public static let name: InterfaceName = "org.defaultsd1.Countdowns"

    /// Starts a countdown.
    public static let start: MemberName = "Start"
    /// The live countdowns.
    public static let list: MemberName = "List"

    /// The interface's description.
    public static let description = InterfaceDescription(
        name, "Starts and lists countdowns; each is an object of its own, with the interface \(CountdownInterface.name).",
        methods: [
            MethodDescription(
                start,
                in: [
                    ArgumentDescription("token", "s", "The countdown's name among the caller's: 1 to 64 of A-Z, a-z, 0-9 and _."),
                    ArgumentDescription("spec", "a{sv}", documentation("All optional.", CountdownSpecEntries.all)),
                ],
                out: [
                    ArgumentDescription(
                        "countdown", "o",
                        "The countdown's path: \(WellKnown.countdownsPath)/SENDER/TOKEN, with the caller's unique name without its colon and with "
                            + "_ for each dot, so that the caller can subscribe to its signals before it starts."),
                    CountdownInterface.state,
                ],
                "Starts a countdown, which the caller owns. AlreadyExists where the caller has a live one with the token, unless replace is true."
            ),
            MethodDescription(
                list,
                out: [
                    ArgumentDescription("countdowns", "a(oa{sv})", "Path and state of each, sorted by path.")
                ], "Lists the live countdowns of the caller's user, whoever owns them."),
        ])
}
