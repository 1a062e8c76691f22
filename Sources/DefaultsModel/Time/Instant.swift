/// The three clocks at one moment, as the event loop read them; the model never reads a clock itself.
public struct Instant: Hashable, Sendable {
    /// Nanoseconds of CLOCK_BOOTTIME: deadlines; goes on while the machine sleeps.
    public var boottime: Int64
    /// Nanoseconds of CLOCK_MONOTONIC: stands still while the machine sleeps.
    public var monotonic: Int64
    /// Microseconds since the Unix epoch: for people only, never for order (L6).
    public var wall: Int64

    /// Names one moment on all three clocks.
    public init(boottime: Int64, monotonic: Int64, wall: Int64) {
        self.boottime = boottime
        self.monotonic = monotonic
        self.wall = wall
    }
}
