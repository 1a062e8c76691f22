import DefaultsModel

extension Instant {
    /// A moment in the life of a machine that has slept before.
    static let start = Instant(boottime: 5_000_000_000_123, monotonic: 3_000_000_000_456, wall: 1_800_000_000_000_000)

    /// Later by what a machine was awake, and by what it slept, in nanoseconds.
    func after(awake: Int64 = 0, asleep: Int64 = 0) -> Instant {
        Instant(boottime: boottime + awake + asleep, monotonic: monotonic + awake, wall: wall + (awake + asleep) / 1000)
    }

    /// Later by milliseconds awake.
    func after(milliseconds: Int64) -> Instant { after(awake: milliseconds * 1_000_000) }
}
