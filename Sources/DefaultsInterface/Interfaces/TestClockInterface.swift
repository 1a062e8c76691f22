import DBusTypes

/// The interface `org.defaultsd1.TestClock`, there only where the daemon was started with `--test-clock`.
public enum TestClockInterface {
    /// The interface's name.
    public static let name: InterfaceName = "org.defaultsd1.TestClock"

    /// Lets time pass.
    public static let advance: MemberName = "Advance"
    /// Sets the wall clock.
    public static let setWall: MemberName = "SetWall"
    /// Lets the machine sleep.
    public static let suspend: MemberName = "Suspend"

    /// The interface's description.
    public static let description = InterfaceDescription(
        name,
        "Time for tests: it stands still but for these calls. What falls due meanwhile happens in order, each at its own time.",
        methods: [
            MethodDescription(
                advance, in: [ArgumentDescription("duration", "t", "How much, in milliseconds.")], "Moves all clocks on."),
            MethodDescription(
                setWall, in: [ArgumentDescription("time", "x", "The time of day, in microseconds since the Unix epoch.")],
                "Sets the wall clock, and no other."),
            MethodDescription(
                suspend, in: [ArgumentDescription("duration", "t", "How long, in milliseconds.")],
                "Moves the clocks on as if the machine had slept: all but the one that stands still then."),
        ])
}
