import DefaultsModel

/// Shares the one alarm of a time source among all who want to be woken.
final class Alarms {
    /// One wish to be woken; `Alarms` must outlive it.
    final class Slot {
        fileprivate(set) var alarm = Alarm()
        fileprivate let handler: () -> Void
        private unowned let alarms: Alarms

        fileprivate init(_ alarms: Alarms, _ handler: @escaping () -> Void) {
            self.alarms = alarms
            self.handler = handler
        }

        /// Wakes at that moment and, until it is set again, only then.
        func set(_ alarm: Alarm) {
            guard alarm != self.alarm else { return }
            self.alarm = alarm
            alarms.rearm()
        }
    }

    private let clock: any TimeSource
    private var slots: [Slot] = []

    /// Takes over the alarm of `clock`.
    init(_ clock: any TimeSource) {
        self.clock = clock
        clock.onAlarm = { [unowned self] in fire() }
    }

    /// Adds someone to wake; a handler sets its alarm to when it wants to go on.
    func add(_ handler: @escaping () -> Void) -> Slot {
        let slot = Slot(self, handler)
        slots.append(slot)
        return slot
    }

    private func fire() {
        let now = clock.now
        for slot in slots where slot.alarm.wait(from: now).map({ $0 <= 0 }) ?? false {
            slot.alarm = Alarm()
            slot.handler()
        }
        rearm()
    }

    private func rearm() {
        clock.setAlarm(
            Alarm(boottime: slots.compactMap(\.alarm.boottime).min(), monotonic: slots.compactMap(\.alarm.monotonic).min()))
    }
}
