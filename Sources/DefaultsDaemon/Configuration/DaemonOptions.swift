/// What the command line of `defaultsd` says.
public struct DaemonOptions: Equatable, Sendable {
    /// How paths, stores and users work; where the bus is, is `address`'s to say.
    public enum Mode: String, Sendable {
        /// One user's data on the user's session bus.
        case session
        /// Everyone's data, kept apart by user, on the system bus.
        case system
    }

    /// What to do.
    public enum Action: Equatable, Sendable {
        /// Serve until stopped.
        case serve
        /// Write the interfaces' XML files into a directory.
        case introspect(directory: String)
        /// Print the help.
        case help
        /// Print the version.
        case version
    }

    /// What to do.
    public var action = Action.serve
    /// How paths, stores and users work.
    public var mode = Mode.session
    /// The bus to serve on; nil for the well-known one of the mode.
    public var address: String?
    /// The folder of the store; nil for the mode's default.
    public var store: String?
    /// The configuration folders, later ones before earlier ones; nil for the default ones.
    public var configuration: [String]?
    /// Whether time stands still but for `org.defaultsd1.TestClock`.
    public var usesTestClock = false
    /// Whether the limits of `semantics.md` C8 and P12 hold.
    public var hasLimits = true

    /// The defaults.
    public init() {}
}
