import DefaultsModel

/// A clock that stands still but for what a test tells it (`--test-clock`).
///
/// It begins at the machine's time, so that records of an earlier run still make sense.
final class TestClock: TimeSource {
    private(set) var now: Instant
    private var alarm = Alarm()

    init(startingAt instant: Instant) { now = instant }

    func setAlarm(_ alarm: Alarm) { self.alarm = alarm }

    var onAlarm: (() -> Void)?

    /// Moves all clocks on; what falls due on the way fires in order, each at its own time.
    func advance(byNanoseconds duration: Int64) {
        let end = now.boottime + duration
        while let wait = alarm.wait(from: now), now.boottime + max(wait, 0) <= end {
            move(by: max(wait, 0))
            fire()
        }
        move(by: end - now.boottime)
    }

    /// Has the machine sleep: CLOCK_MONOTONIC stands still, and what fell due fires when it wakes.
    func suspend(forNanoseconds duration: Int64) {
        now.boottime += duration
        now.wall += duration / 1_000
        while let wait = alarm.wait(from: now), wait <= 0 { fire() }
    }

    /// Calls the handler of an alarm that is due; it does a bounded part of the work, and sets the alarm to when it wants to go on.
    private func fire() {
        guard let onAlarm else { preconditionFailure("an alarm is set by who handles it") }
        onAlarm()
    }

    /// Sets the wall clock, in microseconds since the Unix epoch.
    func setWall(_ microseconds: Int64) { now.wall = microseconds }

    /// Whether the clocks can be moved so far: their numbers are 64 bits wide.
    func canMove(byNanoseconds duration: Int64) -> Bool {
        // Deadlines lie up to 30 days, stretched tenfold, beyond now.
        let room: Int64 = 1 << 60
        return now.boottime < room - duration && now.wall < Int64.max - duration / 1_000
    }

    private func move(by nanoseconds: Int64) {
        now.boottime += nanoseconds
        now.monotonic += nanoseconds
        now.wall += nanoseconds / 1_000
    }
}
