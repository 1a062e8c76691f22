import DBusTypes

@testable import DefaultsModel

/// Countdowns the slow and plain way, written from the rules alone: no heap, no slots, every tick looked at.
///
/// Times are whole milliseconds, so that rounding never hides a difference.
final class NaiveCountdowns {
    enum Phase {
        case waiting, running, paused
    }

    enum Refusal: Error {
        case alreadyExists, limitExceeded, alreadyFinished, unknownObject, notYetSkippable, invalidArgument
    }

    final class Entry {
        let key: String
        let owner: Int
        let spec: CountdownSpec
        let unlimited: Bool
        var duration: Int
        var phase = Phase.waiting
        /// What is left, while the time doesn't run.
        var left: Int
        /// When it ends, while the time runs.
        var deadline = 0
        var began: Int?
        /// The lowest number among the ticks sent.
        var shown: Int
        var announced = false

        init(key: String, owner: Int, spec: CountdownSpec, scale: Int) {
            self.key = key
            self.owner = owner
            self.spec = spec
            unlimited = scale == 0
            duration = Int(spec.duration) * max(scale, 1)
            left = duration
            shown = Self.count(duration, Int(spec.tick))
        }

        static func count(_ left: Int, _ tick: Int) -> Int {
            var count = 0
            while count * tick < left { count += 1 }
            return count
        }
    }

    /// Milliseconds of CLOCK_BOOTTIME and CLOCK_MONOTONIC.
    var boottime = 0
    var monotonic = 0
    var live: [Entry] = []
    var ended: [String: Int] = [:]
    let perConnection: Int

    init(perConnection: Int) { self.perConnection = perConnection }

    func clock(_ entry: Entry) -> Int { entry.spec.onSuspend == .continue ? boottime : monotonic }

    func left(_ entry: Entry) -> Int {
        entry.phase == .running && !entry.unlimited ? max(entry.deadline - clock(entry), 0) : entry.left
    }

    func isSkippable(_ entry: Entry) -> Bool {
        entry.began.map { clock(entry) >= $0 + Int(entry.spec.skippableAfter) } ?? false
    }

    /// Everything that a countdown should have sent by now and hasn't: each time that anything was due is looked at.
    func due(_ entry: Entry) -> [CountdownEvent] {
        let now = clock(entry)
        var events: [(at: Int, event: CountdownEvent)] = []
        let isTimed = entry.phase == .running && !entry.unlimited
        if isTimed {
            var numbers: [Int] = []
            for number in stride(from: entry.shown - 1, through: 0, by: -1)
            where entry.deadline - number * Int(entry.spec.tick) <= now {
                numbers.append(number)
            }
            if let newest = numbers.last {
                entry.shown = newest
                let event = CountdownEvent.tick(
                    remainingTicks: UInt32(newest), remainingMilliseconds: UInt64(left(entry)), missed: UInt32(numbers.count - 1))
                events.append((entry.deadline - newest * Int(entry.spec.tick), event))
            }
        }
        let skip = entry.began.map { $0 + Int(entry.spec.skippableAfter) }
        if let skip, entry.spec.skippableAfter > 0, !entry.announced, skip <= now, !isTimed || skip <= entry.deadline {
            entry.announced = true
            let place = events.firstIndex { $0.at >= skip } ?? events.count
            events.insert((skip, .skipAvailable), at: place)
        }
        if isTimed, entry.deadline <= now {
            events.append((entry.deadline, .finished(.elapsed, lateMilliseconds: UInt64(now - entry.deadline))))
            remove(entry)
        }
        return events.map(\.event)
    }

    func remove(_ entry: Entry) {
        live.removeAll { $0 === entry }
        ended[entry.key] = boottime
    }

    func tick(_ entry: Entry) -> CountdownEvent {
        entry.shown = Entry.count(left(entry), Int(entry.spec.tick))
        return .tick(remainingTicks: UInt32(entry.shown), remainingMilliseconds: UInt64(left(entry)), missed: 0)
    }

    func begin(_ entry: Entry) -> [CountdownEvent] {
        entry.began = clock(entry)
        entry.phase = .running
        entry.deadline = clock(entry) + entry.left
        if entry.duration == 0 {
            remove(entry)
            return [tick(entry), .finished(.elapsed, lateMilliseconds: 0)]
        }
        return [tick(entry)]
    }

    func isOver(_ entry: Entry) -> Bool { entry.phase == .running && !entry.unlimited && entry.deadline <= clock(entry) }

    func find(_ key: String) throws -> Entry {
        if let entry = live.first(where: { $0.key == key }) {
            if isOver(entry) { throw Refusal.alreadyFinished }
            return entry
        }
        if let end = ended[key], boottime < end + 5_000 { throw Refusal.alreadyFinished }
        throw Refusal.unknownObject
    }

    func start(_ key: String, owner: Int, spec: CountdownSpec, scale: Int) throws -> (
        before: [CountdownEvent], after: [CountdownEvent]
    ) {
        let old = live.first { $0.key == key }
        if let old, !spec.replace, !isOver(old) { throw Refusal.alreadyExists }
        if live.filter({ $0.owner == owner && $0 !== old }).count >= perConnection { throw Refusal.limitExceeded }
        var before: [CountdownEvent] = []
        if let old {
            before = due(old)
            if live.contains(where: { $0 === old }) {
                before.append(.finished(.cancelled, lateMilliseconds: 0))
                remove(old)
            }
        }
        // A duration of 0 has no time limit to turn off.
        let entry = Entry(key: key, owner: owner, spec: spec, scale: spec.duration == 0 ? 1 : scale)
        live.append(entry)
        ended[key] = nil
        return (before, spec.start == .now ? begin(entry) : [])
    }

    func act(_ name: String, _ key: String, by: Int) throws -> (before: [CountdownEvent], after: [CountdownEvent]) {
        let entry = try find(key)
        if name == "skip", !isSkippable(entry) { throw Refusal.notYetSkippable }
        if name == "extend", by > 0, left(entry) + by > Int(CountdownSpec.maximumDuration) { throw Refusal.invalidArgument }
        let before = name == "ready" && entry.phase != .waiting ? [] : due(entry)
        switch (name, entry.phase) {
        case ("ready", .waiting): return (before, begin(entry))
        case ("pause", .running):
            entry.left = left(entry)
            entry.phase = .paused
        case ("resume", .paused):
            entry.phase = .running
            entry.deadline = clock(entry) + entry.left
        case ("extend", _) where by > 0:
            entry.duration += by
            entry.left += by
            entry.deadline += by
            let event = tick(entry)
            return (before, entry.phase == .running ? [event] : [])
        case ("skip", _), ("cancel", _):
            remove(entry)
            return (before, [.finished(name == "skip" ? .skipped : .cancelled, lateMilliseconds: 0)])
        default: break
        }
        return (before, [])
    }

    func ownerLost(_ owner: Int) -> [String: [CountdownEvent]] {
        var events: [String: [CountdownEvent]] = [:]
        for entry in live where entry.owner == owner && entry.spec.onOwnerLost == .cancel {
            events[entry.key] = due(entry)
            guard live.contains(where: { $0 === entry }) else { continue }
            events[entry.key, default: []].append(.finished(.ownerLost, lateMilliseconds: 0))
            remove(entry)
        }
        return events
    }

    /// The next moment at which anything is due on a clock.
    func next(_ policy: CountdownSpec.SuspendPolicy) -> Int? {
        live.filter { $0.spec.onSuspend == policy }.flatMap { entry in
            var times: [Int] = []
            if entry.phase == .running && !entry.unlimited {
                times.append(entry.deadline - max(entry.shown - 1, 0) * Int(entry.spec.tick))
            }
            if let began = entry.began, entry.spec.skippableAfter > 0, !entry.announced {
                times.append(began + Int(entry.spec.skippableAfter))
            }
            return times
        }.min()
    }
}
