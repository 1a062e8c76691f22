/// How a program ends a guide or a tour.
public enum RunEnding: String, Hashable, Sendable, CaseIterable {
    /// The user came to its end: seen.
    case completed
    /// The user skipped it: seen.
    case skipped
    /// The user closed it: seen.
    case dismissed
    /// It couldn't be shown: not seen, an attempt.
    case failed
    /// It is given back: still due, no attempt.
    case released
}
