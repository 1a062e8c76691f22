import DBusTypes

/// A countdown as the store keeps it: an `a{sv}` that holds until the next call, since it has the absolute deadline (C9).
struct CountdownRecord: Hashable, Sendable {
    /// The version of this format.
    private static let format: UInt32 = 1
    /// Beyond this no time is believed: about 73 years of uptime, so that sums of times never overflow.
    private static let latest: Int64 = 1 << 61

    let owner: BusName
    /// The application in whose sandbox the owner is; nil outside any.
    let app: DomainName?
    /// The place among all started, so that those that fall due together keep their order.
    let order: UInt64
    /// The boot of the machine on which the times mean something.
    let bootID: String
    /// The bus on which the owner's name means something.
    let busGUID: String

    /// What it is for.
    let purpose: String

    private let countdown: Countdown

    init(_ slot: CountdownSlot, bootID: String, busGUID: String) {
        owner = slot.owner.name
        app = slot.owner.app
        order = slot.order
        self.bootID = bootID
        self.busGUID = busGUID
        purpose = slot.identity.purpose
        countdown = slot.countdown
    }

    /// Says only how a countdown has ended, for the transaction of what it ended with.
    ///
    /// It names no boot: a bus doesn't outlive one.
    init(ended reason: CountdownReason, of owner: ConnectionName) {
        self.owner = owner.name
        app = nil
        order = 0
        bootID = ""
        busGUID = owner.bus
        purpose = ""
        countdown = Countdown(spec: CountdownSpec(), isUnlimited: false, phase: .finished(reason), total: 0, began: nil)
    }

    /// Whether only its end is still to be told.
    var isEnd: Bool { countdown.reason != nil }

    /// The countdown at this moment: in phase, and with the ticks up to now taken as sent.
    ///
    /// Of an expired one Tick(0) is still to come: it always does (C3).
    func countdown(at now: Instant) -> Countdown {
        var countdown = countdown
        let left = countdown.left(at: now.reading(for: countdown.onSuspend))
        countdown.ticksLeft = max(left.dividedRoundingUp(by: countdown.tick), 1)
        return countdown
    }

    /// The `a{sv}` for the store.
    var stored: Value {
        let (state, time) =
            switch countdown.phase {
            case .waiting(let left): ("waiting", left)
            case .running(let deadline): ("running", deadline)
            case .unlimited(let left): ("unlimited", left)
            case .paused(let left): ("paused", left)
            case .finished: (Countdown.Phase.finishedName, Int64(0))
            }
        var entries: [(String, Value)] = [
            ("format", .uint32(Self.format)), ("owner", .string(owner.text)), ("order", .uint64(order)),
            ("boot", .string(bootID)), ("bus", .string(busGUID)),
            ("tick", .uint64(countdown.tick.milliseconds)), ("skippable_after", .uint64(countdown.skippableAfter.milliseconds)),
            ("on_suspend", .string(countdown.onSuspend.rawValue)), ("on_owner_lost", .string(countdown.onOwnerLost.rawValue)),
            ("purpose", .string(purpose)), ("unlimited", .boolean(countdown.isUnlimited)), ("total", .int64(countdown.total)),
            ("state", .string(state)), ("time", .int64(time)),
        ]
        if let reason = countdown.reason { entries.append(("reason", .string(reason.rawValue))) }
        if let app { entries.append(("app", .string(app.text))) }
        if let began = countdown.began { entries.append(("began", .int64(began))) }
        return .vardict(entries)
    }

    /// Reads what `stored` gave; nil for anything else, also where a number can't be.
    init?(stored: Value) {
        guard let entries = stored.dictionary, entries["format"]?.get() == Self.format,
            let owner = entries["owner"]?.get(as: String.self).flatMap(BusName.init), owner.isUnique,
            let order = entries["order"]?.get(as: UInt64.self), order <= Self.latest,
            let bootID = entries["boot"]?.get(as: String.self), let busGUID = entries["bus"]?.get(as: String.self),
            let spec = CountdownSpec(recorded: entries),
            let isUnlimited = entries["unlimited"]?.get(as: Bool.self),
            let total = entries["total"]?.get(as: Int64.self), (0...Self.latest).contains(total),
            let phase = Countdown.Phase(recorded: entries, latest: Self.latest)
        else { return nil }
        var began: Int64?
        if let value = entries["began"] {
            guard let time = value.get(as: Int64.self), (0...Self.latest).contains(time) else { return nil }
            began = time
        }
        switch phase {
        case .waiting, .finished: break
        case .running, .unlimited, .paused: if began == nil { return nil }
        }
        var app: DomainName?
        if let value = entries["app"] {
            guard let name = value.get(as: String.self).flatMap(DomainName.init), !name.isGlobal else { return nil }
            app = name
        }
        self.owner = owner
        self.app = app
        self.order = order
        self.bootID = bootID
        self.busGUID = busGUID
        purpose = spec.purpose
        countdown = Countdown(spec: spec, isUnlimited: isUnlimited, phase: phase, total: total, began: began)
    }
}

extension CountdownSpec {
    /// Reads what a record has of the spec by the rules of Start; nil where it breaks them.
    fileprivate init?(recorded entries: DictionaryValue) {
        let names = ["tick", "skippable_after", "on_suspend", "on_owner_lost", "purpose"]
        var spec: [(String, Value)] = []
        for name in names {
            guard let value = entries[name] else { return nil }
            spec.append((name, value))
        }
        guard let read = try? CountdownSpec(DictionaryValue(spec)) else { return nil }
        self = read
    }
}

extension Countdown.Phase {
    fileprivate static let finishedName = "finished"

    /// Reads the state in a record; nil where there is none.
    fileprivate init?(recorded entries: DictionaryValue, latest: Int64) {
        guard let state = entries["state"]?.get(as: String.self), let time = entries["time"]?.get(as: Int64.self),
            (0...latest).contains(time)
        else { return nil }
        switch state {
        case "waiting": self = .waiting(left: time)
        case "running": self = .running(deadline: time)
        case "unlimited": self = .unlimited(left: time)
        case "paused": self = .paused(left: time)
        case Self.finishedName:
            guard let reason = entries["reason"]?.get(as: String.self).flatMap(CountdownReason.init) else { return nil }
            self = .finished(reason)
        default: return nil
        }
    }
}
