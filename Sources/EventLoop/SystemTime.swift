import Glibc

/// The system's three clocks, read one at a time.
public enum SystemTime {
    /// Nanoseconds of CLOCK_BOOTTIME: since the machine started, its sleep included.
    public static var boottime: Int64 { nanoseconds(CLOCK_BOOTTIME) }

    /// Nanoseconds of CLOCK_MONOTONIC: since the machine started, without its sleep.
    public static var monotonic: Int64 { nanoseconds(CLOCK_MONOTONIC) }

    /// Microseconds since the Unix epoch (CLOCK_REALTIME); jumps when someone sets the clock.
    public static var wall: Int64 { nanoseconds(CLOCK_REALTIME) / 1_000 }

    private static func nanoseconds(_ clock: clockid_t) -> Int64 {
        var time = timespec()
        let result = clock_gettime(clock, &time)
        precondition(result == 0, "clock_gettime knows the clocks that every Linux has")
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }
}
