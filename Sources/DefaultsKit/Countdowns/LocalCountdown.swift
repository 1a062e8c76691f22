/// The countdown's own clockwork in this process: what it does where the daemon is away, by the daemon's rules (C1, C3, C5, C6).
///
/// Numbers only; all times are nanoseconds of one clock, and everything is computed from the deadline, so nothing drifts.
struct LocalCountdown {
    enum Phase: Hashable {
        case waiting(left: Int64)
        case running(deadline: Int64)
        /// The user turned time limits off (C10).
        case unlimited(left: Int64)
        case paused(left: Int64)
        case finished(Countdown.Reason)
    }

    static let millisecond: Int64 = 1_000_000

    let tick: Int64
    let skippableAfter: Int64
    private let isUnlimited: Bool
    private(set) var phase: Phase
    /// When the time began to run; nil while waiting.
    private(set) var began: Int64?
    /// The number in the newest tick that was told; one more than the first while none was.
    private var told: Int64
    private var announcesSkip: Bool

    /// A countdown that waits; `scale` is the user's, 0 for no limit.
    init(duration: Int64, tick: Int64, skippableAfter: Int64, scale: Double) {
        self.tick = max(tick, Self.millisecond)
        self.skippableAfter = skippableAfter
        isUnlimited = scale == 0 && duration > 0
        let total = isUnlimited ? duration : Int64((Double(duration) * scale).rounded())
        phase = .waiting(left: total)
        told = total.dividedRoundingUp(by: self.tick) + 1
        announcesSkip = skippableAfter > 0
    }

    var isFinished: Bool { if case .finished = phase { true } else { false } }

    private func left(at now: Int64) -> Int64 {
        switch phase {
        case .waiting(let left), .unlimited(let left), .paused(let left): left
        case .running(let deadline): max(deadline - now, 0)
        case .finished: 0
        }
    }

    // MARK: Time

    /// What has fallen due, as one tick for all (C3).
    mutating func advance(to now: Int64) -> [Countdown.Event] {
        var events: [Countdown.Event] = []
        if announcesSkip, let began, began + skippableAfter <= now {
            announcesSkip = false
            events.append(.skipAvailable)
        }
        guard case .running(let deadline) = phase else { return events }
        tell(left(at: now), into: &events)
        if deadline <= now { events.append(finish(.elapsed)) }
        return events
    }

    /// When something falls due next; nil for never.
    var nextDue: Int64? {
        let skip = announcesSkip ? began.map { $0 + skippableAfter } : nil
        guard case .running(let deadline) = phase else { return isFinished ? nil : skip }
        let due = told > 0 ? deadline - (told - 1) * tick : deadline
        return skip.map { min($0, due) } ?? due
    }

    private mutating func tell(_ left: Int64, into events: inout [Countdown.Event], always: Bool = false) {
        let ticks = left.dividedRoundingUp(by: tick)
        guard ticks < told || always else { return }
        let missed = max(told - ticks - 1, 0)
        told = ticks
        events.append(.tick(Countdown.Tick(remainingTicks: Int(ticks), remaining: .nanoseconds(left), missed: Int(missed))))
    }

    // MARK: Calls

    private mutating func finish(_ reason: Countdown.Reason) -> Countdown.Event {
        phase = .finished(reason)
        return .finished(reason)
    }

    /// Carries out what is asked for; the events follow it.
    mutating func act(_ action: CountdownAction, at now: Int64) throws(DefaultsError) -> [Countdown.Event] {
        var events = advance(to: now)
        if case .finished(let reason) = phase, events.isEmpty {
            throw DefaultsError(.alreadyFinished, "The countdown has ended: \(reason.rawValue).")
        }
        switch (action, phase) {
        case (_, .finished): break
        case (.ready, .waiting(let left)):
            began = now
            phase = isUnlimited ? .unlimited(left: left) : .running(deadline: now + left)
            tell(left, into: &events)
            events += advance(to: now)
        case (.pause, .running(let deadline)): phase = .paused(left: deadline - now)
        case (.resume, .paused(let left)): phase = .running(deadline: now + left)
        case (.extend(let duration), _): try extend(by: duration.inNanoseconds, at: now, &events)
        case (.skip, _):
            guard let began, now >= began + skippableAfter else {
                let wait = began.map { $0 + skippableAfter - now } ?? skippableAfter
                throw DefaultsError(
                    .notYetSkippable,
                    "The countdown can be skipped in \(wait.dividedRoundingUp(by: Self.millisecond)) milliseconds.")
            }
            events.append(finish(.skipped))
        case (.cancel, _): events.append(finish(.cancelled))
        case (.ready, _), (.pause, _), (.resume, _): break
        }
        return events
    }

    /// The longest that may be left: 30 days.
    private static let longest: Int64 = 30 * 24 * 60 * 60 * 1_000 * millisecond

    private mutating func extend(by amount: Int64, at now: Int64, _ events: inout [Countdown.Event]) throws(DefaultsError) {
        guard amount >= 0, amount <= Self.longest - min(left(at: now), Self.longest) else {
            throw DefaultsError(.invalidArgument, "A countdown can be extended by 0 milliseconds and more, up to 30 days in all.")
        }
        guard amount > 0 else { return }
        switch phase {
        case .waiting(let left):
            phase = .waiting(left: left + amount)
            told = (left + amount).dividedRoundingUp(by: tick) + 1
        case .paused(let left):
            phase = .paused(left: left + amount)
            told = (left + amount).dividedRoundingUp(by: tick) + 1
        case .unlimited(let left):
            phase = .unlimited(left: left + amount)
            tell(left + amount, into: &events, always: true)
        case .running(let deadline):
            phase = .running(deadline: deadline + amount)
            tell(deadline + amount - now, into: &events, always: true)
        case .finished: break
        }
    }

    // MARK: The daemon's word

    /// Takes over what the daemon says, so that this goes on from there if it leaves.
    mutating func follow(_ phase: Phase, at now: Int64) {
        if case .running = phase, began == nil { began = now }
        self.phase = phase
    }

    /// Takes note of a tick that the daemon sent; false for one that was told already.
    mutating func follow(_ tick: Countdown.Tick, at now: Int64, isDuplicate: Bool) -> Bool {
        if began == nil { began = now }
        if !isUnlimited { phase = .running(deadline: now + tick.remaining.inNanoseconds) }
        guard !isDuplicate || Int64(tick.remainingTicks) < told else { return false }
        told = Int64(tick.remainingTicks)
        return true
    }

    /// The daemon said that it can be skipped; false where that was told already.
    mutating func followSkip() -> Bool {
        defer { announcesSkip = false }
        return announcesSkip
    }
}

extension Int64 {
    /// The quotient rounded up; for what isn't negative.
    func dividedRoundingUp(by divisor: Int64) -> Int64 { self / divisor + (self % divisor == 0 ? 0 : 1) }
}

extension Duration {
    /// Nanoseconds, at most what 64 bits hold.
    var inNanoseconds: Int64 {
        let (seconds, attoseconds) = components
        let (product, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
        guard !overflow else { return seconds < 0 ? .min : .max }
        return product.addingReportingOverflow(attoseconds / 1_000_000_000).partialValue
    }

    /// Milliseconds, rounded up.
    var inMilliseconds: Int64 {
        let nanoseconds = inNanoseconds
        return nanoseconds < 0
            ? nanoseconds / LocalCountdown.millisecond : nanoseconds.dividedRoundingUp(by: LocalCountdown.millisecond)
    }
}
