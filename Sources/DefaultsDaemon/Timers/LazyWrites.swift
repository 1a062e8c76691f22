import DefaultsModel

/// Has what counts in memory only, such as donations, written soon: one alarm for all users, and none where nothing waits.
final class LazyWrites {
    /// How long it may wait for a batch that it can go with, in nanoseconds: it must be on disk within a second.
    private static let delay: Int64 = 500_000_000
    /// After what time a disk that refused it is tried again, in nanoseconds.
    private static let retryDelay: Int64 = 10_000_000_000

    private let clock: any TimeSource
    private var waiting: [UInt32: (session: UserSession, deadline: Int64)] = [:]
    private var alarm: Alarms.Slot?

    init(clock: any TimeSource, alarms: Alarms) {
        self.clock = clock
        alarm = alarms.add { [unowned self] in write() }
    }

    /// Sees to it that what a session has in memory only is written.
    func begin(_ session: UserSession) { wait(session, for: Self.delay) }

    private func wait(_ session: UserSession, for delay: Int64) {
        guard waiting[session.userID] == nil else { return }
        waiting[session.userID] = (session, clock.now.boottime + delay)
        rearm()
    }

    private func write() {
        let now = clock.now.boottime
        for (user, (session, deadline)) in waiting where deadline <= now {
            waiting[user] = nil
            session.writeLazyRows { [self] result in
                if case .failure = result { wait(session, for: Self.retryDelay) }
            }
        }
        rearm()
    }

    private func rearm() { alarm?.set(Alarm(boottime: waiting.values.map(\.deadline).min())) }
}
