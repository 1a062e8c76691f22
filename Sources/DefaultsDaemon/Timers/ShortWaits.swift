import EventLoop

/// Calls back after some microseconds, by one timer for all who wait.
final class ShortWaits {
    private var timer: EventLoop.TimerSource?
    private var waits: [(end: Int64, body: () -> Void)] = []

    /// Adds its timer to a loop.
    init(_ loop: EventLoop) throws(EventLoopError) {
        timer = try loop.addTimer(on: .monotonic) { [unowned self] in fire() }
    }

    /// Calls `body` once, `nanoseconds` from now.
    func wait(_ nanoseconds: Int64, _ body: @escaping () -> Void) {
        waits.append((SystemTime.monotonic + nanoseconds, body))
        arm()
    }

    private func fire() {
        let now = SystemTime.monotonic
        let due = waits.filter { $0.end <= now }
        waits.removeAll { $0.end <= now }
        for wait in due { wait.body() }
        arm()
    }

    private func arm() {
        if let first = waits.map(\.end).min() { timer?.arm(at: first) }
    }
}
