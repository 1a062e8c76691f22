extension Countdown {
    /// When the next event falls due; nil where nothing will happen by itself.
    var nextDue: Int64? {
        switch (skipDue, tickDue) {
        case (let skip?, let tick?): min(skip, tick)
        case (let due?, nil), (nil, let due?): due
        case (nil, nil): nil
        }
    }

    /// When it becomes skippable, while that is still to be announced.
    private var skipDue: Int64? {
        guard announcesSkip, reason == nil else { return nil }
        return skippableFrom
    }

    /// When the next tick falls due, which at 0 is the end as well.
    private var tickDue: Int64? {
        due(ofTick: max(ticksLeft - 1, 0))
    }

    /// When the tick with this number falls due (C1); nil while the time doesn't run.
    private func due(ofTick number: Int64) -> Int64? {
        guard case .running(let deadline) = phase else { return nil }
        return deadline - number * tick
    }

    /// From when it can be skipped; nil before t0.
    var skippableFrom: Int64? {
        began.map { $0 + skippableAfter }
    }

    /// Whether the deadline has passed, so that it is over though nobody was told yet.
    func isOverdue(at now: Int64) -> Bool {
        guard case .running(let deadline) = phase else { return false }
        return deadline <= now
    }

    /// Why it ended; nil while it lives.
    var reason: CountdownReason? {
        guard case .finished(let reason) = phase else { return nil }
        return reason
    }

    /// The time left; never negative.
    func left(at now: Int64) -> Int64 {
        switch phase {
        case .waiting(let left), .unlimited(let left), .paused(let left): left
        case .running(let deadline): max(deadline - now, 0)
        case .finished: 0
        }
    }

    /// Whether Skip would end it now.
    func isSkippable(at now: Int64) -> Bool {
        guard reason == nil, let skippableFrom else { return false }
        return skippableFrom <= now
    }

    /// Emits what fell due first, if anything did by `now`: SkipAvailable, or the newest tick with the number of those missed, at the
    /// deadline followed by the end (C3).
    ///
    /// Call it until `nextDue` lies beyond `now`.
    mutating func fire(at now: Int64, _ emit: (CountdownEvent) -> Void) {
        let newest = left(at: now).dividedRoundingUp(by: tick)
        let newestDue = tickDue.flatMap { $0 <= now ? due(ofTick: newest) : nil }
        if let skipDue, skipDue <= now, skipDue <= newestDue ?? .max {
            announcesSkip = false
            emit(.skipAvailable)
            return
        }
        guard case .running(let deadline) = phase, newestDue != nil else { return }
        if ticksLeft > 0 {
            let missed = UInt32(clamping: ticksLeft - newest - 1)
            ticksLeft = newest
            emit(tickEvent(at: now, missed: missed))
        }
        if newest == 0 {
            phase = .finished(.elapsed)
            emit(.finished(.elapsed, lateMilliseconds: UInt64((now - deadline) / nanosecondsPerMillisecond)))
        }
    }

    /// The tick with the present count.
    private func tickEvent(at now: Int64, missed: UInt32) -> CountdownEvent {
        .tick(
            remainingTicks: UInt32(clamping: ticksLeft), remainingMilliseconds: left(at: now).milliseconds, missed: missed)
    }

    /// Begins to run, at t0 (C1): gives Tick(N), for a duration of 0 also the end; nothing if it runs already (C5).
    mutating func begin(at now: Int64) -> [CountdownEvent] {
        guard case .waiting(let left) = phase else { return [] }
        began = now
        phase = isUnlimited ? .unlimited(left: left) : .running(deadline: now + left)
        var events = [tickEvent(at: now, missed: 0)]
        if left == 0 { fire(at: now) { events.append($0) } }
        return events
    }

    /// Stops the time with what is left of it; returns whether that changed anything.
    ///
    /// While it waits no time runs that could be stopped: no change.
    mutating func pause(at now: Int64) -> Bool {
        switch phase {
        case .running, .unlimited:
            phase = .paused(left: left(at: now))
            return true
        case .waiting, .paused, .finished:
            return false
        }
    }

    /// Lets the time run on; returns whether that changed anything.
    mutating func resume(at now: Int64) -> Bool {
        guard case .paused(let left) = phase else { return false }
        phase = isUnlimited ? .unlimited(left: left) : .running(deadline: now + left)
        return true
    }

    /// Moves the deadline by `nanoseconds`; gives the tick with the new count while it runs, none while it waits or stands (C6).
    mutating func extend(by nanoseconds: Int64, at now: Int64) -> [CountdownEvent] {
        let newLeft = left(at: now) + nanoseconds
        switch phase {
        case .waiting: phase = .waiting(left: newLeft)
        case .running: phase = .running(deadline: now + newLeft)
        case .unlimited: phase = .unlimited(left: newLeft)
        case .paused: phase = .paused(left: newLeft)
        case .finished: return []
        }
        total += nanoseconds
        ticksLeft = newLeft.dividedRoundingUp(by: tick)
        switch phase {
        case .running, .unlimited: return [tickEvent(at: now, missed: 0)]
        case .waiting, .paused, .finished: return []
        }
    }

    /// Ends it; gives the one Finished, nothing if it ended before.
    mutating func finish(_ reason: CountdownReason) -> [CountdownEvent] {
        guard self.reason == nil else { return [] }
        phase = .finished(reason)
        return [.finished(reason, lateMilliseconds: 0)]
    }
}

extension Int64 {
    /// Milliseconds of nanoseconds, rounded up; for what isn't negative.
    var milliseconds: UInt64 { UInt64(dividedRoundingUp(by: nanosecondsPerMillisecond)) }
}
