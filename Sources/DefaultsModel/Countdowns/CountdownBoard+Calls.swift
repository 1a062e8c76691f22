import DBusTypes

extension CountdownBoard {
    /// Starts a countdown (C1): with `start: now` it runs from this moment, and Tick(N) comes after the reply.
    ///
    /// A live one with the same token is `AlreadyExists`, or with `replace` is cancelled, its end before the reply (C7). Throws
    /// `InvalidName` for a token that breaks the rule, `LimitExceeded` when a limit is reached (C8). A countdown that is over at once has
    /// no record.
    public mutating func start(
        token: String, spec: CountdownSpec, scale: CountdownScale = .standard, owner: CountdownOwner, at now: Instant
    ) throws(ModelError) -> CountdownReply {
        let id = try CountdownID(owner: owner.name, token: token)
        let replaced = try checkStart(id, spec: spec, owner: owner, at: now)
        var before: [CountdownAction] = []
        var wasRecorded = false
        if let replaced {
            wasRecorded = slot(replaced).isRecorded
            before = end(replaced, as: .cancelled, at: now)
        }
        var countdown = Countdown(spec: spec, scale: scale)
        let events = spec.start == .now ? countdown.begin(at: now.reading(for: spec.onSuspend)) : []
        let isOver = countdown.reason != nil
        let index = insert(
            countdown, CountdownIdentity(id: id, owner: owner, purpose: spec.purpose), isRecorded: isOver ? wasRecorded : true)
        // The record under this key is now the new one's: the end of the old one must not remove it.
        before = before.map { CountdownAction($0.identity, $0.event, forgets: false) }
        return finishCall(index, before: before, events: events, writes: !isOver, at: now)
    }

    /// Checks whether a countdown may be started, and returns the index of the one that it replaces; nil where it replaces none.
    func checkStart(
        _ id: CountdownID, spec: CountdownSpec, owner: CountdownOwner, at now: Instant
    ) throws(ModelError) -> Int? {
        let replaced = liveIndex(of: id)
        if let replaced, !spec.replace,
            !slot(replaced).countdown.isOverdue(at: now.reading(for: slot(replaced).countdown.onSuspend))
        {
            throw .alreadyExists(
                "token \"\(id.token)\" is a live countdown of this connection; use another token, or replace: true to cancel that one"
            )
        }
        try checkLimits(for: owner, replacing: replaced)
        return replaced
    }

    private func checkLimits(for owner: CountdownOwner, replacing replaced: Int?) throws(ModelError) {
        let spared = replaced == nil ? 0 : 1
        let counts = counts(of: owner)
        if counts.connection - spared >= limits.perConnection {
            throw .limitExceeded("this connection has \(counts.connection) live countdowns; it may have \(limits.perConnection)")
        }
        let sparedOfUser = replaced.map { slot($0).owner.user == owner.user ? 1 : 0 } ?? 0
        if counts.user - sparedOfUser >= limits.perUser {
            throw .limitExceeded("user \(owner.user) has \(counts.user) live countdowns; a user may have \(limits.perUser)")
        }
        if liveCount - spared >= limits.total {
            throw .limitExceeded("there are \(liveCount) live countdowns; there may be \(limits.total) in all")
        }
    }

    /// Starts the time of one that waits, Tick(N) after the reply; a second Ready changes nothing (C5).
    public mutating func ready(_ id: CountdownID, at now: Instant) throws(ModelError) -> CountdownReply {
        let index = try callableIndex(of: id, at: now)
        guard case .waiting = slot(index).countdown.phase else { return finishCall(index, at: now) }
        let before = catchUp(index, at: now)
        let events = change(index, at: now) { $0.begin(at: $1) }
        return finishCall(index, before: before, events: events, writes: slot(index).countdown.reason == nil, at: now)
    }

    /// Stops the time and keeps what is left; a second Pause, and one while it waits, changes nothing (C6).
    public mutating func pause(_ id: CountdownID, at now: Instant) throws(ModelError) -> CountdownReply {
        let index = try callableIndex(of: id, at: now)
        let before = catchUp(index, at: now)
        let changed = change(index, at: now) { $0.pause(at: $1) }
        return finishCall(index, before: before, writes: changed, at: now)
    }

    /// Lets the time run on with what was left; changes nothing where it runs or waits.
    public mutating func resume(_ id: CountdownID, at now: Instant) throws(ModelError) -> CountdownReply {
        let index = try callableIndex(of: id, at: now)
        let before = catchUp(index, at: now)
        let changed = change(index, at: now) { $0.resume(at: $1) }
        return finishCall(index, before: before, writes: changed, at: now)
    }

    /// Adds `milliseconds` to what is left; one tick with the new count after the reply while it runs, none otherwise (C6).
    ///
    /// 0 changes nothing. Throws `InvalidArgument` where more than 30 days would be left.
    public mutating func extend(_ id: CountdownID, by milliseconds: UInt64, at now: Instant) throws(ModelError) -> CountdownReply
    {
        let index = try callableIndex(of: id, at: now)
        let countdown = slot(index).countdown
        let left = countdown.left(at: now.reading(for: countdown.onSuspend)).milliseconds
        let (sum, overflow) = left.addingReportingOverflow(milliseconds)
        guard milliseconds == 0 || !overflow && sum <= CountdownSpec.maximumDuration else {
            let most = CountdownSpec.maximumDuration - min(left, CountdownSpec.maximumDuration)
            throw .invalidArgument(
                "by is \(milliseconds) milliseconds and \(left) are left; by may be at most \(most), so that 30 days are left")
        }
        let before = catchUp(index, at: now)
        guard milliseconds > 0 else { return finishCall(index, before: before, at: now) }
        let events = change(index, at: now) { $0.extend(by: Int64(milliseconds) * nanosecondsPerMillisecond, at: $1) }
        return finishCall(index, before: before, events: events, writes: true, at: now)
    }

    /// Ends it as `skipped`, after the reply; throws `NotYetSkippable` with the milliseconds left before skippable_after or Ready (C5).
    public mutating func skip(_ id: CountdownID, at now: Instant) throws(ModelError) -> CountdownReply {
        let index = try callableIndex(of: id, at: now)
        let countdown = slot(index).countdown
        guard let skippableFrom = countdown.skippableFrom else {
            throw .notYetSkippable(
                "countdown \(id) waits for Ready; it can be skipped \(countdown.skippableAfter.milliseconds) milliseconds after that"
            )
        }
        let early = skippableFrom - now.reading(for: countdown.onSuspend)
        guard early <= 0 else {
            throw .notYetSkippable("countdown \(id) can be skipped in \(early.milliseconds) milliseconds; wait for SkipAvailable")
        }
        return try end(id, as: .skipped, writes: true, at: now)
    }

    /// Ends it as `cancelled`, after the reply.
    public mutating func cancel(_ id: CountdownID, at now: Instant) throws(ModelError) -> CountdownReply {
        try end(id, as: .cancelled, writes: true, at: now)
    }

    /// Ends it with what it belongs to, after the reply; that has stored the end.
    public mutating func finish(
        _ id: CountdownID, reason: CountdownReason, at now: Instant
    ) throws(ModelError) -> CountdownReply {
        try end(id, as: reason, writes: false, at: now)
    }

    /// Ends it; with `writes` the end is on disk before the reply, so that none that was answered goes on after a crash (C4).
    private mutating func end(
        _ id: CountdownID, as reason: CountdownReason, writes: Bool, at now: Instant
    ) throws(ModelError) -> CountdownReply {
        let index = try callableIndex(of: id, at: now)
        let before = catchUp(index, at: now)
        let events = change(index, at: now) { countdown, _ in countdown.finish(reason) }
        return finishCall(index, before: before, events: events, writes: writes, at: now)
    }

    /// The place of a countdown that a call may act on: it lives, and its deadline hasn't passed.
    ///
    /// One whose deadline has passed is finished in all but name: its Tick(0) and Finished come with the next `advance`.
    private func callableIndex(of id: CountdownID, at now: Instant) throws(ModelError) -> Int {
        let index = try index(of: id, at: now)
        let countdown = slot(index).countdown
        guard !countdown.isOverdue(at: now.reading(for: countdown.onSuspend)) else {
            throw .alreadyFinished(
                "countdown \(id) has ended: \(CountdownReason.elapsed.rawValue); its token can be started again")
        }
        return index
    }

    private mutating func change<Result>(
        _ index: Int, at now: Instant, _ body: (inout Countdown, Int64) -> Result
    ) -> Result {
        guard var slot = slots[index] else { preconditionFailure("an index on the board is taken until it is removed") }
        let result = body(&slot.countdown, now.reading(for: slot.countdown.onSuspend))
        slots[index] = slot
        return result
    }

    /// Ends a call: what it caused goes after the reply, the timers are brought up to date, one that ended leaves the board.
    private mutating func finishCall(
        _ index: Int, before: [CountdownAction] = [], events: [CountdownEvent] = [], writes: Bool = false, at now: Instant
    ) -> CountdownReply {
        if writes { slots[index]?.isRecorded = true }
        let slot = slot(index)
        let reply = CountdownReply(
            id: slot.id, state: slot.state(at: now), beforeReply: before,
            // An end that is on disk is forgotten with the next record that is written: it has no third write (C9).
            afterReply: events.map { CountdownAction(slot.identity, $0, forgets: !writes && slot.action($0).forgets) },
            record: writes ? record(of: slot) : nil)
        settle(index, at: now)
        return reply
    }
}
