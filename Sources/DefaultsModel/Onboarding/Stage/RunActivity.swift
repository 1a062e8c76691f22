/// When each run was last called about: in memory only, since a restart of the daemon is a call about all of them.
public struct RunActivity: Hashable, Sendable {
    /// How long a run keeps the stage without a call, in nanoseconds (S1).
    public static let stageTime: Int64 = 10 * 60 * 1_000_000_000
    /// How long a run whose owner may leave lives without a call, in nanoseconds.
    public static let keepTime: Int64 = 60 * 60 * 1_000_000_000

    /// Nanoseconds of CLOCK_BOOTTIME by run.
    private var calls: [UInt64: Int64] = [:]

    /// Nothing was called about yet.
    public init() {}

    /// Takes note of a call about a run.
    public mutating func note(_ run: UInt64, at now: Instant) { calls[run] = now.boottime }

    /// Forgets all runs but these.
    public mutating func retain(_ runs: [Run]) {
        let ids = Set(runs.map(\.id))
        calls = calls.filter { ids.contains($0.key) }
    }

    /// When a run was last called about, in nanoseconds of CLOCK_BOOTTIME; now where that isn't known.
    func lastCall(_ run: UInt64, at now: Instant) -> Int64 { calls[run] ?? now.boottime }

    /// Whether a run still has the stage, which it loses after ten minutes without a call.
    func holdsStage(_ run: Run, at now: Instant) -> Bool {
        run.isLive && now.boottime - lastCall(run.id, at: now) < Self.stageTime
    }

    /// Whether a run that outlives its owner has been without a call for an hour.
    public func isForsaken(_ run: Run, at now: Instant) -> Bool {
        run.isLive && run.outlivesOwner && now.boottime - lastCall(run.id, at: now) >= Self.keepTime
    }

    /// When something changes by itself for one of `runs`, in nanoseconds of CLOCK_BOOTTIME; nil for never.
    public func nextDeadline(of runs: [Run], at now: Instant) -> Int64? {
        runs.filter(\.isLive).flatMap { run in
            let last = lastCall(run.id, at: now)
            return [last + Self.stageTime, run.outlivesOwner ? last + Self.keepTime : nil].compactMap { $0 }
        }.filter { $0 > now.boottime }.min()
    }
}
