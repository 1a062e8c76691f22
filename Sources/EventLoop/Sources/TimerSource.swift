import CSystemd
import Glibc

extension EventLoop {
    /// The clock that a timer follows.
    public enum TimerClock: Sendable {
        /// CLOCK_BOOTTIME: goes on while the machine sleeps; what fell due in its sleep fires at its waking.
        case boottime
        /// CLOCK_MONOTONIC: stands still while the machine sleeps.
        case monotonic

        fileprivate var identifier: clockid_t {
            switch self {
            case .boottime: CLOCK_BOOTTIME
            case .monotonic: CLOCK_MONOTONIC
            }
        }
    }

    /// A timer that fires once each time it is armed.
    public final class TimerSource: Source {
        /// In microseconds.
        ///
        /// sd-event takes 0 for its default, which may be late by 250 ms.
        static let accuracy: UInt64 = 1
        private static let nanosecondsInMicrosecond: Int64 = 1_000
        private var handler: (() -> Void)?

        init(_ loop: EventLoop, handler: @escaping () -> Void) {
            self.handler = handler
            super.init(loop)
        }

        /// Whether it will fire; false again when the handler is called.
        public var isArmed: Bool { pointer.map { sd_event_source_get_enabled($0, nil) > 0 } ?? false }

        /// Has it fire once at `nanoseconds` of its clock, instead of whatever it was armed for.
        ///
        /// Never early: sd-event counts in microseconds, so the time is rounded up. A time in the past fires in the next round. sd-event keeps no order
        /// between two timers that are due in one round: where the order counts, arm one timer for the earliest.
        public func arm(at nanoseconds: Int64) {
            guard let pointer else { return }
            let (quotient, remainder) = max(0, nanoseconds).quotientAndRemainder(dividingBy: Self.nanosecondsInMicrosecond)
            require(
                sd_event_source_set_time(pointer, UInt64(remainder > 0 ? quotient + 1 : quotient)), "sd_event_source_set_time")
            setMode(of: pointer, SD_EVENT_ONESHOT)
        }

        /// Keeps it from firing, also where it is due already and its handler has not begun.
        public func disarm() {
            if let pointer { setMode(of: pointer, SD_EVENT_OFF) }
        }

        /// In microseconds, as sd-event has it; 0 once cancelled.
        var accuracy: UInt64 {
            var accuracy: UInt64 = 0
            if let pointer { require(sd_event_source_get_time_accuracy(pointer, &accuracy), "sd_event_source_get_time_accuracy") }
            return accuracy
        }

        override func dropHandler() { handler = nil }

        fileprivate func handle() { handler?() }
    }

    /// Makes a timer, disarmed, that calls `handler` each time it fires.
    public func addTimer(on clock: TimerClock = .boottime, handler: @escaping () -> Void) throws(EventLoopError) -> TimerSource {
        let source = TimerSource(self, handler: handler)
        try source.register("sd_event_add_time") { pointer, userdata in
            sd_event_add_time(
                event, &pointer, clock.identifier, 0, TimerSource.accuracy,
                { _, _, userdata in
                    TimerSource.from(userdata)?.handle()
                    return 0
                }, userdata)
        }
        source.disarm()
        return source
    }
}
