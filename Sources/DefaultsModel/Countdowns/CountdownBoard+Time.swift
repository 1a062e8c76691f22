import DBusTypes

extension CountdownBoard {
    /// Gives what fell due by `now`, in due order, each countdown's newest tick only (C3).
    ///
    /// At most `limit` actions, or one more, since Tick(0) and its Finished stay together: with thousands due at one moment the daemon
    /// serves calls in between and comes back while `nextDeadline` is in the past.
    public mutating func advance(to now: Instant, limit: Int = .max, into actions: inout [CountdownAction]) {
        let end = limit == .max ? Int.max : actions.count + limit
        while actions.count < end, let index = earliestDue(at: now) {
            fire(index, at: now, into: &actions)
            settle(index, at: now)
        }
    }

    /// Gives what fell due by `now`, in due order.
    public mutating func advance(to now: Instant) -> [CountdownAction] {
        var actions: [CountdownAction] = []
        advance(to: now, into: &actions)
        return actions
    }

    /// Ends the countdowns of a connection that has gone, but for those that run on without it (C8).
    public mutating func ownerLost(_ name: BusName, at now: Instant) -> [CountdownAction] {
        var actions: [CountdownAction] = []
        for index in places(of: name) where slot(index).countdown.onOwnerLost == .cancel {
            actions += end(index, as: .ownerLost, at: now)
        }
        return actions
    }

    /// Keeps a countdown silent until `release`, while a reply about it waits for the disk: no tick may overtake the reply.
    ///
    /// Holds nest. Does nothing for one that doesn't live.
    public mutating func hold(_ id: CountdownID) {
        guard let index = liveIndex(of: id) else { return }
        slots[index]?.holds += 1
        schedule(index)
    }

    /// Ends one `hold`, once the reply and what comes after it were sent; gives what fell due meanwhile, coalesced.
    public mutating func release(_ id: CountdownID, at now: Instant) -> [CountdownAction] {
        guard let index = liveIndex(of: id), slot(index).holds > 0 else { return [] }
        slots[index]?.holds -= 1
        guard slot(index).holds == 0 else { return [] }
        let actions = catchUp(index, at: now)
        settle(index, at: now)
        return actions
    }

    /// Whether a countdown lives and is kept silent by a `hold`.
    public func isHeld(_ id: CountdownID) -> Bool { liveIndex(of: id).map { slot($0).holds > 0 } ?? false }

    /// Gives what fell due first for one countdown.
    private mutating func fire(_ index: Int, at now: Instant, into actions: inout [CountdownAction]) {
        let slot = slot(index)
        var countdown = slot.countdown
        countdown.fire(at: now.reading(for: countdown.onSuspend)) { actions.append(slot.action($0)) }
        slots[index]?.countdown = countdown
    }

    /// Gives all that fell due for one countdown by `now`; the caller settles it.
    mutating func catchUp(_ index: Int, at now: Instant) -> [CountdownAction] {
        var actions: [CountdownAction] = []
        let reading = now.reading(for: slot(index).countdown.onSuspend)
        while let due = slot(index).countdown.nextDue, due <= reading { fire(index, at: now, into: &actions) }
        return actions
    }

    /// Brings the timers up to what a countdown does next; takes one that ended off the board.
    mutating func settle(_ index: Int, at now: Instant) {
        if slot(index).countdown.reason == nil {
            schedule(index)
        } else {
            remove(index, at: now)
        }
    }

    /// Ends one that lives, by itself if its deadline has passed, else for `reason`; takes it off the board.
    mutating func end(_ index: Int, as reason: CountdownReason, at now: Instant) -> [CountdownAction] {
        var actions = catchUp(index, at: now)
        let slot = slot(index)
        actions += slot.actions(slots[index]?.countdown.finish(reason) ?? [])
        remove(index, at: now)
        return actions
    }
}

// MARK: - Looking

extension CountdownBoard {
    /// Whether a countdown lives.
    public func isLive(_ id: CountdownID) -> Bool { liveIndex(of: id) != nil }

    /// A countdown's state; throws `AlreadyFinished` for 5 s after its end, then `UnknownObject`.
    public func state(of id: CountdownID, at now: Instant) throws(ModelError) -> CountdownState {
        slot(try index(of: id, at: now)).state(at: now)
    }

    /// Whose countdown it is or was, for the check of who may act on it; nil where there is none, or it ended more than 5 s ago.
    public func owner(of id: CountdownID, at now: Instant) -> CountdownOwner? {
        liveIndex(of: id).map { slot($0).owner } ?? finished.owner(of: id, at: now)
    }

    /// A user's countdowns that live, in the order in which they were started; only those of one application's sandbox where `app` names it (P15).
    public func list(user: UInt32, app: DomainName? = nil, at now: Instant) -> [(id: CountdownID, state: CountdownState)] {
        slots.compactMap { $0 }.filter { $0.owner.user == user && (app == nil || $0.owner.app == app) }.sorted {
            $0.order < $1.order
        }.map { ($0.id, $0.state(at: now)) }
    }
}

extension Countdown {
    /// The state that callers see.
    func state(of identity: CountdownIdentity, at now: Instant) -> CountdownState {
        let reading = now.reading(for: onSuspend)
        let left = left(at: reading)
        let name: CountdownState.Phase =
            switch phase {
            case .waiting: .waiting
            case .running, .unlimited: .running
            case .paused: .paused
            case .finished: .finished
            }
        return CountdownState(
            phase: name, duration: total.milliseconds, tick: tick.milliseconds, remaining: left.milliseconds,
            remainingTicks: UInt32(clamping: left.dividedRoundingUp(by: tick)), isSkippable: isSkippable(at: reading),
            owner: identity.owner.name,
            purpose: identity.purpose, reason: reason)
    }
}
