import LibDBus

/// Waiting for what a loop brings.
public enum Await {
    /// Runs `loop` until `condition` holds; throws, naming `what` was waited for, at the deadline.
    public static func until(
        _ what: String, on loop: PollLoop, deadline: Deadline = .inTenSeconds, _ condition: () throws -> Bool
    ) throws {
        while try !condition() {
            if deadline.isPast { throw TestFailure("\(what) had not come \(deadline)") }
            loop.iterate(deadline: deadline.instant)
        }
    }
}
