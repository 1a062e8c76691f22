import DBusTypes
import Support

/// Several daemons that want one store (scenario 13): one has it, the others say who and end at once, and it changes hands
/// with its holder's death.
enum TwoDaemons {
    private static let domain = "org.example.App"
    private static let inUse: Int32 = 75

    static func run(_ trial: Trial) throws {
        let buses = try (0..<3).map { _ in try PrivateBus() }
        let store = buses[0].folder + "/store"
        let subjects = try buses.map { try Subject(on: $0, store: store) }
        var holder = 0
        try subjects[holder].startReady()
        var slowest = Duration.zero
        var number: Int64 = 0
        for _ in 0..<trial.count(short: 8, long: 200) where trial.isWorthwhile {
            let client = try subjects[holder].connect()
            number += 1
            try client.write(domain, .set("number", .int64(number)))
            for other in subjects.indices where other != holder {
                let start = ContinuousClock.now
                let end = try subjects[other].start()
                slowest = max(slowest, ContinuousClock.now - start)
                trial.strike()
                trial.check(end == .ended(.exited(inUse)), "the daemon on another bus: \(end)")
                let pid = subjects[holder].process?.identifier ?? 0
                trial.check(
                    subjects[other].log.contains("process \(pid)"), "it doesn't name process \(pid): \(subjects[other].log)")
                if end == .ready { try subjects[other].kill9() }
            }
            number += 1
            try client.write(domain, .set("number", .int64(number)))
            try subjects[holder].kill9()
            holder = (holder + 1) % subjects.count
            try subjects[holder].startReady()
            let found = try subjects[holder].connect().values(domain)
            trial.check(found == ["number": .int64(number)], "the next holder of the store has \(found)")
        }
        trial.note("refused within \(slowest)")
    }
}
