import CLinux
import Glibc
import Support
import Testing

@Suite("Mirrors under fire")
struct MirrorHammerTests {
    private static let readers = 4
    private static let writers = 3
    /// Four domains with two preferences each, and one in `global`, as the helper has them.
    private static let preferences = 9

    /// `DEFAULTSD_HAMMER_SECONDS` for longer, `DEFAULTSD_HAMMER_SEED` for the same numbers again.
    private static func setting(_ name: String) -> UInt64? { getenv(name).flatMap { UInt64(String(cString: $0)) } }

    @Test(
        "P6, scenario 10: with readers and writers in many processes and the daemon killed at random, no acknowledged value is ever missed by a read that is not stale, and each change is told once",
        .timeLimit(.minutes(10)))
    func hammer() throws {
        let seed = Self.setting("DEFAULTSD_HAMMER_SEED") ?? .random(in: 0...UInt64.max)
        let duration = Self.setting("DEFAULTSD_HAMMER_SECONDS") ?? 8
        print("DEFAULTSD_HAMMER_SEED=\(seed) DEFAULTSD_HAMMER_SECONDS=\(duration)")
        var random = SeededGenerator(seed: seed)
        let bus = try PrivateBus()
        let daemon = try Daemon(on: bus)
        let path = bus.folder + "/scoreboard"
        let phase = try phaseWord(path)
        defer { munmap(phase, 8) }
        func start(_ role: String, _ preferences: [Int] = []) throws -> Command {
            try Command(
                Programs.helper("MirrorHammer"), [role, bus.address, path, "\(random.next())"] + preferences.map { "\($0)" },
                environment: bus.environment.variables)
        }
        let readers = try (0..<Self.readers).map { _ in try start("reader") }
        let writers = try (0..<Self.writers).map { number in
            try start("writer", Array(stride(from: number, to: Self.preferences, by: Self.writers)))
        }
        let end = ContinuousClock.now + .seconds(Int(duration))
        var kills = 0
        while ContinuousClock.now < end {
            usleep(.random(in: 20_000..<600_000, using: &random))
            if Int.random(in: 0..<4, using: &random) == 0 { try daemon.terminate() } else { try daemon.kill9() }
            usleep(.random(in: 0..<100_000, using: &random))
            try daemon.restart()
            kills += 1
        }
        clinux_store(phase, 1)
        let written = try writers.map { try $0.finish(until: .after(.seconds(30))) }
        clinux_store(phase, 2)
        let read = try readers.map { try $0.finish(until: .after(.seconds(30))) }
        for result in written + read { #expect(result.code == 0, "seed \(seed): \(result)") }
        let replies = total("replies", written)
        let fresh = total("fresh", read)
        print(
            "\(kills) ends, \(replies) acknowledged writes, \(fresh) fresh and \(total("stale", read)) stale reads, \(total("changes", read)) changes told"
        )
        #expect(kills > 0 && replies > 0 && fresh > 0 && total("stale", read) > 0 && total("changes", read) > 0)
    }

    /// The word by which the helpers are told how far the run is; the file is theirs from then on.
    private func phaseWord(_ path: String) throws -> UnsafeMutablePointer<UInt64> {
        let file = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw TestFailure("open \(path): \(String(cString: strerror(errno)))") }
        defer { close(file) }
        guard ftruncate(file, 4_096) == 0, let address = mmap(nil, 8, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0),
            address != MAP_FAILED
        else { throw TestFailure("mmap \(path): \(String(cString: strerror(errno)))") }
        return address.bindMemory(to: UInt64.self, capacity: 1)
    }

    /// The sum of what the helpers print behind a word.
    private func total(_ word: Substring, _ results: [Command.Result]) -> Int {
        results.reduce(0) { sum, result in
            let words = result.output.split(whereSeparator: \.isWhitespace)
            guard let place = words.firstIndex(of: word), place + 1 < words.count else { return sum }
            return sum + (Int(words[place + 1]) ?? 0)
        }
    }
}
