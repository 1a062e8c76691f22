import DefaultsModel
import EventLoop

/// When to be woken: nanoseconds on each clock, nil for never.
struct Alarm: Equatable {
    var boottime: Int64?
    var monotonic: Int64?

    /// Nanoseconds until the earlier of the two, if the machine doesn't sleep; negative where it is past.
    func wait(from now: Instant) -> Int64? {
        let waits = [boottime.map { $0 - now.boottime }, monotonic.map { $0 - now.monotonic }].compactMap { $0 }
        return waits.min()
    }
}

/// Where the daemon reads the time: the machine's clocks, or with `--test-clock` a clock that a test moves.
protocol TimeSource: AnyObject {
    /// All three clocks now.
    var now: Instant { get }
    /// Called when the alarm is due.
    var onAlarm: (() -> Void)? { get set }

    /// Wakes at that moment and, until it is set again, only then.
    func setAlarm(_ alarm: Alarm)
}

/// The machine's clocks, with one kernel timer each.
final class SystemTimeSource: TimeSource {
    private var boottime: EventLoop.TimerSource?
    private var monotonic: EventLoop.TimerSource?
    var onAlarm: (() -> Void)?

    init(_ loop: EventLoop) throws(EventLoopError) {
        boottime = try loop.addTimer(on: .boottime) { [unowned self] in onAlarm?() }
        monotonic = try loop.addTimer(on: .monotonic) { [unowned self] in onAlarm?() }
    }

    var now: Instant { Self.read() }

    /// Reads the three clocks.
    static func read() -> Instant {
        Instant(boottime: SystemTime.boottime, monotonic: SystemTime.monotonic, wall: SystemTime.wall)
    }

    func setAlarm(_ alarm: Alarm) {
        Self.set(boottime, alarm.boottime)
        Self.set(monotonic, alarm.monotonic)
    }

    private static func set(_ timer: EventLoop.TimerSource?, _ nanoseconds: Int64?) {
        if let nanoseconds { timer?.arm(at: nanoseconds) } else { timer?.disarm() }
    }
}
