import DBusTypes

/// All countdowns of all users, and the one moment at which the daemon must wake up for them.
///
/// Pure: it is told the time, and says what to send. Every call costs O(log n) of the live countdowns, `advance` that for each event.
/// A call that throws has changed nothing; what fell due before it comes with the next `advance`, for which `nextDeadline` is then
/// already in the past.
///
/// Use: a call gives a `CountdownReply`. If it has a record, write it, and meanwhile `hold` the countdown; then send `beforeReply`, the
/// reply, `afterReply`, and what `release` gives.
public struct CountdownBoard: Sendable {
    /// How many may live at once.
    public let limits: CountdownLimits
    /// Which boot of the machine this is: deadlines mean nothing after another (C9).
    let bootID: String
    /// The GUID of the bus: another bus hands out the same unique names (S1).
    let busGUID: String

    /// The countdowns that live, at fixed indices; nil where one has gone.
    var slots: [CountdownSlot?] = []
    /// Indices of `slots` that are free.
    private var free: [Int] = []
    /// Where each countdown that lives is.
    private var indices: [CountdownID: Int] = [:]
    /// The first and last of each connection's countdowns, a list linked through the slots.
    private var owners: [BusName: OwnedCountdowns] = [:]
    /// How many each user has.
    private var users: [UInt32: Int] = [:]
    /// Who falls due when, on CLOCK_BOOTTIME.
    private var boottime = DeadlineHeap()
    /// Who falls due when, on CLOCK_MONOTONIC.
    private var monotonic = DeadlineHeap()
    /// Those that ended lately.
    var finished = FinishedCountdowns()
    /// How many were ever started: the order of those that fall due together.
    private var started: UInt64 = 0

    /// One connection's countdowns.
    private struct OwnedCountdowns {
        var first: Int
        var last: Int
        var count: Int
    }

    /// Makes an empty board for one boot of the machine and one bus.
    public init(bootID: String, busGUID: String, limits: CountdownLimits = .standard) {
        self.bootID = bootID
        self.busGUID = busGUID
        self.limits = limits
    }

    /// How many live.
    public var liveCount: Int { indices.count }

    /// When to wake up next, on each clock.
    public var nextDeadline: CountdownDeadline {
        CountdownDeadline(boottime: boottime.first?.deadline, monotonic: monotonic.first?.deadline)
    }
}

/// When something falls due next: one kernel timer a clock serves all countdowns.
public struct CountdownDeadline: Hashable, Sendable {
    /// Nanoseconds of CLOCK_BOOTTIME; nil where nothing will fall due on it.
    public let boottime: Int64?
    /// Nanoseconds of CLOCK_MONOTONIC; nil where nothing will fall due on it.
    public let monotonic: Int64?

    /// Names the next deadline on each clock.
    public init(boottime: Int64?, monotonic: Int64?) {
        self.boottime = boottime
        self.monotonic = monotonic
    }
}

// MARK: - The places

extension CountdownBoard {
    /// Where a countdown that lives is; throws `AlreadyFinished` for 5 s after its end, then `UnknownObject`.
    ///
    /// One that lives comes before one of the same token that ended.
    func index(of id: CountdownID, at now: Instant) throws(ModelError) -> Int {
        if let index = indices[id] { return index }
        if let reason = finished.reason(of: id, at: now) {
            throw .alreadyFinished("countdown \(id) has ended: \(reason.rawValue); its token can be started again")
        }
        throw .unknownObject("there is no countdown \(id); Countdowns.List tells those that live")
    }

    /// Where a countdown that lives is; nil where it doesn't.
    func liveIndex(of id: CountdownID) -> Int? { indices[id] }

    /// The countdown at an index that is known to be taken.
    func slot(_ index: Int) -> CountdownSlot {
        guard let slot = slots[index] else { preconditionFailure("an index on the board is taken until it is removed") }
        return slot
    }

    /// Whether a user has countdowns that live.
    public func hasLive(user: UInt32) -> Bool { users[user] != nil }

    /// How many countdowns a connection has, and how many a user.
    func counts(of owner: CountdownOwner) -> (connection: Int, user: Int) {
        (owners[owner.name]?.count ?? 0, users[owner.user] ?? 0)
    }

    /// The places of a connection's countdowns in the order started.
    func places(of name: BusName) -> [Int] {
        var places: [Int] = []
        var next = owners[name]?.first
        while let index = next {
            places.append(index)
            next = slots[index]?.next
        }
        return places
    }

    /// Puts a countdown on the board; the caller schedules it.
    mutating func insert(
        _ countdown: Countdown, _ identity: CountdownIdentity, isRecorded: Bool, order: UInt64? = nil
    ) -> Int {
        let order = order ?? started
        var slot = CountdownSlot(identity: identity, order: order, countdown: countdown, isRecorded: isRecorded)
        let owner = identity.owner
        started = max(started, order + 1)
        let index: Int
        if let last = free.popLast() {
            index = last
        } else {
            index = slots.count
            slots.append(nil)
        }
        if var owned = owners[owner.name] {
            slot.previous = owned.last
            slots[owned.last]?.next = index
            owned.last = index
            owned.count += 1
            owners[owner.name] = owned
        } else {
            owners[owner.name] = OwnedCountdowns(first: index, last: index, count: 1)
        }
        slots[index] = slot
        indices[identity.id] = index
        users[owner.user, default: 0] += 1
        return index
    }

    /// Takes a countdown off the board; one that ended is remembered for 5 s.
    mutating func remove(_ index: Int, at now: Instant) {
        let slot = slot(index)
        boottime.remove(index)
        monotonic.remove(index)
        slots[index] = nil
        free.append(index)
        indices[slot.id] = nil
        if let previous = slot.previous { slots[previous]?.next = slot.next }
        if let next = slot.next { slots[next]?.previous = slot.previous }
        if var owned = owners[slot.owner.name] {
            owned.count -= 1
            if owned.first == index, let next = slot.next { owned.first = next }
            if owned.last == index, let previous = slot.previous { owned.last = previous }
            owners[slot.owner.name] = owned.count == 0 ? nil : owned
        }
        let left = (users[slot.owner.user] ?? 1) - 1
        users[slot.owner.user] = left == 0 ? nil : left
        if let reason = slot.countdown.reason { finished.insert(slot.id, owner: slot.owner, reason: reason, at: now) }
    }

    /// Brings the heap up to what falls due next for a countdown; one on hold is in no heap.
    mutating func schedule(_ index: Int) {
        let slot = slot(index)
        let due = slot.holds == 0 ? slot.countdown.nextDue : nil
        switch slot.countdown.onSuspend {
        case .continue: boottime.set(index, deadline: due, order: slot.order)
        case .pause: monotonic.set(index, deadline: due, order: slot.order)
        }
    }

    /// What fell due earliest by `now`, by how long it has been due, over both clocks; nil where nothing has.
    func earliestDue(at now: Instant) -> Int? {
        let left = boottime.first.map { (late: now.boottime - $0.deadline, item: $0.item) }
        let right = monotonic.first.map { (late: now.monotonic - $0.deadline, item: $0.item) }
        let latest =
            switch (left, right) {
            case (let left?, let right?): left.late != right.late ? (left.late > right.late ? left : right) : earlier(left, right)
            case (let only?, nil), (nil, let only?): only
            case (nil, nil): (late: Int64(-1), item: 0)
            }
        return latest.late >= 0 ? latest.item : nil
    }

    private func earlier(_ left: (late: Int64, item: Int), _ right: (late: Int64, item: Int)) -> (late: Int64, item: Int) {
        slot(left.item).order < slot(right.item).order ? left : right
    }
}
