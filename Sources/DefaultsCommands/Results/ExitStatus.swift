/// What the process tells its caller, as the manual lists it; also the status of a command that `inhibit` runs, which can be any.
struct ExitStatus: RawRepresentable, Hashable, Sendable {
    /// The number.
    let rawValue: Int32

    /// Done; for a question: yes.
    static let success = ExitStatus(rawValue: 0)
    /// No, or absent.
    static let no = ExitStatus(rawValue: 1)
    /// A countdown, a guide or a tour was skipped.
    static let skipped = ExitStatus(rawValue: 10)
    /// The command line itself is wrong.
    static let usage = ExitStatus(rawValue: 64)
    /// A name or value that can't be, or doesn't fit.
    static let invalid = ExitStatus(rawValue: 65)
    /// No bus, or no daemon on it.
    static let unavailable = ExitStatus(rawValue: 69)
    /// A disk, or standard output, that can't be written.
    static let storage = ExitStatus(rawValue: 74)
    /// Not now: somebody else has it, or it is over.
    static let notNow = ExitStatus(rawValue: 75)
    /// Locked, or not allowed.
    static let denied = ExitStatus(rawValue: 77)
    /// A countdown, a guide or a tour was interrupted.
    static let interrupted = ExitStatus(rawValue: 130)
}
