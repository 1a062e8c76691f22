/// What the process tells its caller, as the manual lists it.
enum ExitStatus: Int32, Sendable {
    /// Done; for a question: yes.
    case success = 0
    /// No, or absent.
    case no = 1
    /// A countdown was skipped.
    case skipped = 10
    /// The command line itself is wrong.
    case usage = 64
    /// A name or value that can't be, or doesn't fit.
    case invalid = 65
    /// No bus, or no daemon on it.
    case unavailable = 69
    /// A disk, or standard output, that can't be written.
    case storage = 74
    /// Not now: somebody else has it, or it is over.
    case notNow = 75
    /// Locked, or not allowed.
    case denied = 77
    /// A countdown was interrupted.
    case interrupted = 130
}
