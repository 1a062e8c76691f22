import Glibc

/// CLOCK_BOOTTIME, the clock of countdowns, in nanoseconds.
public func boottime() -> Int64 {
    var time = timespec()
    clock_gettime(CLOCK_BOOTTIME, &time)
    return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
}

/// CLOCK_MONOTONIC in nanoseconds: the clock that peers in C and Swift take their moments from.
public func monotonic() -> Int64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
}
