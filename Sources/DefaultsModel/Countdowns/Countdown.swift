/// One countdown: a state machine that takes a call or a moment and says which events follow.
///
/// It holds numbers only, so that a copy costs nothing. All times are nanoseconds of the clock that the spec's `on_suspend` names (C2). Everything is computed from the absolute
/// deadline, so nothing drifts (C3). The calls expect that what fell due before was taken with `fire`, and that `isOverdue` is false.
public struct Countdown: Hashable, Sendable {
    /// What the time does.
    enum Phase: Hashable, Sendable {
        /// Ready hasn't come; `left` is the time that will then run.
        case waiting(left: Int64)
        /// The time runs until `deadline`.
        case running(deadline: Int64)
        /// The user turned time limits off (C10): `left` is shown and never gets less.
        case unlimited(left: Int64)
        /// The time stands still with `left` to go.
        case paused(left: Int64)
        /// It ended.
        case finished(CountdownReason)
    }

    /// What the time does while the machine sleeps, which is to say on which clock it runs.
    let onSuspend: CountdownSpec.SuspendPolicy
    /// What happens when the owner's connection ends.
    let onOwnerLost: CountdownSpec.OwnerLostPolicy
    /// Whether the user turned time limits off when it was started.
    let isUnlimited: Bool
    /// The time between two ticks.
    let tick: Int64
    /// How long after t0 it can't be skipped; 0 for not at all.
    let skippableAfter: Int64

    /// What the time does.
    var phase: Phase
    /// How long it runs in all: the scaled duration, and what Extend added.
    var total: Int64
    /// The number in the newest tick; before the first, what that will be.
    var ticksLeft: Int64
    /// When the time began to run; nil while waiting.
    var began: Int64?
    /// Whether SkipAvailable is still to come.
    var announcesSkip: Bool

    /// Makes a countdown that waits, with the user's scale applied to its duration (C10).
    ///
    /// A duration of 0 has no time limit to turn off: it ends at once, whatever the scale.
    init(spec: CountdownSpec, scale: CountdownScale) {
        var milliseconds = Int64(spec.duration)
        var isUnlimited = false
        switch scale {
        case .stretched(let factor): milliseconds = Int64((Double(milliseconds) * factor).rounded())
        case .unlimited: isUnlimited = milliseconds > 0
        }
        let total = milliseconds * nanosecondsPerMillisecond
        self.init(spec: spec, isUnlimited: isUnlimited, phase: .waiting(left: total), total: total, began: nil)
        ticksLeft = total.dividedRoundingUp(by: tick)
    }

    /// Takes a countdown up as it was; the caller sets the number of its newest tick.
    init(spec: CountdownSpec, isUnlimited: Bool, phase: Phase, total: Int64, began: Int64?) {
        onSuspend = spec.onSuspend
        onOwnerLost = spec.onOwnerLost
        self.isUnlimited = isUnlimited
        tick = Int64(spec.tick) * nanosecondsPerMillisecond
        skippableAfter = Int64(spec.skippableAfter) * nanosecondsPerMillisecond
        self.phase = phase
        self.total = total
        self.began = began
        announcesSkip = skippableAfter > 0
        ticksLeft = 0
    }
}

/// The interface speaks of milliseconds, the clocks of nanoseconds.
let nanosecondsPerMillisecond: Int64 = 1_000_000

extension Int64 {
    /// The quotient rounded up; for what isn't negative.
    func dividedRoundingUp(by divisor: Int64) -> Int64 { self / divisor + (self % divisor == 0 ? 0 : 1) }
}

extension Instant {
    /// The clock on which a countdown with this policy runs (C2).
    func reading(for policy: CountdownSpec.SuspendPolicy) -> Int64 {
        switch policy {
        case .continue: boottime
        case .pause: monotonic
        }
    }
}
