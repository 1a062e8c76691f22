import Glibc

/// The moment until which a test waits.
///
/// A test waits for what happens, never for time to pass; the deadline only keeps a failure from hanging, so it is generous.
public struct Deadline: Sendable, CustomStringConvertible {
    /// When it is.
    public let instant: ContinuousClock.Instant
    private let duration: Duration

    /// A deadline so long from now.
    public static func after(_ duration: Duration) -> Deadline { Deadline(instant: .now + duration, duration: duration) }

    /// What fits nearly everything: far longer than a busy machine needs, far shorter than a person would wait.
    public static var inTenSeconds: Deadline { .after(.seconds(10)) }

    /// Whether it has passed.
    public var isPast: Bool { instant <= .now }

    /// How long it was, for messages.
    public var description: String { "after \(duration)" }

    /// Milliseconds left for poll(2), rounded up; 0 once it has passed.
    var milliseconds: Int32 {
        let (seconds, attoseconds) = (instant - .now).components
        return Int32(clamping: max(0, seconds * 1_000 + attoseconds / 1_000_000_000_000_000 + 1))
    }

    /// Waits for one of the descriptors; the entries with what happened, or nil at the deadline.
    func poll(_ entries: [pollfd]) throws -> [pollfd]? {
        var entries = entries
        while !isPast {
            let count = Glibc.poll(&entries, nfds_t(entries.count), milliseconds)
            if count > 0 { return entries }
            if count < 0 && errno != EINTR { throw TestFailure("poll: \(String(cString: strerror(errno)))") }
        }
        return nil
    }
}
