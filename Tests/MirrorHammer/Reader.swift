import DBusTypes
import DefaultsKit
import Glibc
import LibDBus
import Support

/// Reads through a mirror, and fails where a value that a writer's reply has made old is returned as current.
final class Reader {
    private let board: Scoreboard
    private var random: SeededGenerator
    private let loop = PollLoop()
    private let domains: [MirroredDomain]
    private let mirror: PreferencesMirror
    /// What was read last as current, by domain and preference.
    private var read: [String: UInt64] = [:]
    /// What was told last, by domain and preference.
    private var told: [String: UInt64] = [:]
    private var fresh = 0
    private var stale = 0
    private var changes = 0
    private var failure: String?

    init(_ board: Scoreboard, _ random: SeededGenerator, address: String) throws {
        self.board = board
        self.random = random
        mirror = try PreferencesMirror(address: address, loop: loop)
        domains = try Scoreboard.domains.map { [mirror] in try Self.watch($0, mirror) }
        for domain in domains {
            for (key, value) in domain.readAll().values { told["\(domain.name) \(key)"] = value.get(as: UInt64.self) }
            // From here on: what was read just now is told to no one.
            domain.onChange = { [unowned self, unowned domain] change in tell(change, of: domain) }
        }
    }

    /// The daemon may be down just now.
    private static func watch(_ name: String, _ mirror: PreferencesMirror) throws -> MirroredDomain {
        let deadline = ContinuousClock.now + .seconds(10)
        while true {
            do throws(DBusError) {
                return try mirror.watch(name)
            } catch {
                guard .now < deadline else { throw error }
                usleep(5_000)
            }
        }
    }

    /// Returns what went wrong, if anything did.
    func run() -> String? {
        while board.phase != .ending, failure == nil {
            if let domain = domains.randomElement(using: &random) { look(domain) }
            switch Int.random(in: 0..<8, using: &random) {
            case 0: loop.iterate(deadline: .now)
            case 1...2: usleep(.random(in: 0..<2_000, using: &random))
            default: break
            }
        }
        settle()
        print("fresh \(fresh) stale \(stale) changes \(changes)")
        return failure
    }

    private func look(_ domain: MirroredDomain) {
        for (number, preference) in Scoreboard.preferences.enumerated()
        where preference.domain == domain.name || preference.domain == "global" {
            // Before the read: what is acknowledged by now, the read must know.
            let acknowledged = board.acknowledged(number)
            let value = domain.read(preference.key)
            if value.isStale {
                stale += 1
                continue
            }
            fresh += 1
            let id = "\(domain.name) \(preference.key)"
            let seen = value.value?.get(as: UInt64.self) ?? 0
            if seen < acknowledged { failure = "\(id): \(seen) was read as current when \(acknowledged) had been acknowledged" }
            if seen < read[id] ?? 0 { failure = "\(id): \(seen) was read as current after \(read[id] ?? 0)" }
            read[id] = seen
        }
    }

    private func tell(_ change: MirroredChange, of domain: MirroredDomain) {
        changes += 1
        if !change.removed.isEmpty { failure = "\(domain.name): \(change.removed) were told as removed, and no one did that" }
        for (key, value) in change.changed {
            let id = "\(domain.name) \(key)"
            let new = value.get(as: UInt64.self) ?? 0
            if new <= told[id] ?? 0 { failure = "\(id): \(new) was told after \(told[id] ?? 0)" }
            told[id] = new
        }
    }

    /// Nothing is written any more: each value must become current, and must have been told.
    private func settle() {
        let deadline = ContinuousClock.now + .seconds(10)
        while failure == nil {
            loop.iterate(deadline: .now + .milliseconds(10))
            for domain in domains { look(domain) }
            loop.iterate(deadline: .now)
            if domains.allSatisfy({ !$0.read("first").isStale }) && read.allSatisfy({ told[$0.key] ?? 0 == $0.value }) { return }
            if .now > deadline { failure = "what was read last, \(read), isn't what was told last, \(told)" }
        }
    }
}
