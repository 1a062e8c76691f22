import DBusTypes
import DefaultsModel

/// A generator whose numbers are the same in each run (SplitMix64).
struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}

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
