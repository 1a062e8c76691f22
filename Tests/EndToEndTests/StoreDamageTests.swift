import DBusTypes
import DefaultsInterface
import Glibc
import LibDBus
import Support
import Testing

@Suite("A damaged store")
struct StoreDamageTests {
    private static let app = "org.example.App"
    private static let values: [String: Value] = [
        "number": .int64(0x0123_4567_89AB_CDEF), "text": .string(String(repeating: "The quick brown fox. ", count: 20)),
        "list": .array((0..<200).map { Int32($0) }), "flag": .boolean(true),
    ]

    /// What a store was damaged by.
    enum Damage: Sendable, CustomTestStringConvertible {
        case flippedBit(seed: UInt64)
        case cut(percent: Int)

        var testDescription: String {
            switch self {
            case .flippedBit(let seed): "one bit, seed \(seed)"
            case .cut(let percent): "cut at \(percent) %"
            }
        }

        func apply(_ bytes: [UInt8]) -> [UInt8] {
            var bytes = bytes
            switch self {
            case .flippedBit(let seed):
                // Spreads the seeds over the whole file.
                let bit = Int((seed &* 0x9E37_79B9_7F4A_7C15) % UInt64(bytes.count * 8))
                bytes[bit / 8] ^= 1 << (bit % 8)
            case .cut(let percent): bytes.removeLast(bytes.count - bytes.count * percent / 100)
            }
            return bytes
        }
    }

    private static let damages =
        (0..<24).map { Damage.flippedBit(seed: $0) } + [0, 1, 10, 33, 50, 75, 99].map { .cut(percent: $0) }

    @Test(
        "Scenario 5, P8, P9: a damaged store serves the old values, or none and says so, and keeps the file", arguments: damages)
    func damaged(_ damage: Damage) throws {
        let bus = try PrivateBus()
        let daemon = try Daemon(on: bus)
        let client = try Client(on: bus)
        try client.apply(Self.app, Self.values.map { ($0.key, $0.value) })
        try client.set("org.example.Other", "n", .int64(1))
        #expect(try daemon.terminate() == .exited(0))
        let path = daemon.store + "/defaults.sqlite"
        let bytes = damage.apply(try path.bytesOfFile())
        try bytes.write(toFile: path)

        try daemon.restart()
        var missing = 0
        for (key, value) in Self.values {
            do {
                let found = try client.get(Self.app, key)
                if found == nil { missing += 1 } else { #expect(found == value, "\(key)") }
            } catch let error as DBusError {
                #expect(error.name == ErrorNames.unavailable)
            }
        }
        let all = try? client.getAll(Self.app)
        #expect(all == nil || all == Self.values || all == [:])
        let state = try #require(try client.storeState())
        if missing > 0 { #expect(["restored", "lost"].contains(state), "\(missing) values are missing") }
        if state == "restored" || state == "lost" {
            let kept = try (daemon.store + "/damaged-1/defaults.sqlite").bytesOfFile()
            #expect(kept == bytes)
            #expect(daemon.log.contains("is \(state): The store \(daemon.store)"), "\(daemon.log)")
        }
        // Whatever happened, it can be written again, and knows after a restart what it said before.
        try client.set(Self.app, "new", .int64(1))
        try daemon.kill9()
        try daemon.restart()
        #expect(try client.get(Self.app, "new") == .int64(1))
        #expect(try client.storeState() == state)
    }

    @Test(
        "P9: damage met only when a domain is loaded: its state is told before the answer, watchers get what changed",
        arguments: [false, true])
    func damageMetLater(_ hasBackup: Bool) throws {
        let bus = try PrivateBus()
        let daemon = try Daemon(on: bus)
        let client = try Client(on: bus)
        try client.set(Self.app, "secret", .string("a text that stands in one place of the file"))
        try client.set("org.example.Other", "n", .int64(1))
        #expect(try daemon.terminate() == .exited(0))
        let path = daemon.store + "/defaults.sqlite"
        let backup = daemon.store + "/defaults.backup.sqlite"
        unlink(backup)
        if hasBackup { try path.bytesOfFile().write(toFile: backup) }
        try daemon.restart()
        try client.set("org.example.Other", "n", .int64(2))
        #expect(try daemon.terminate() == .exited(0))
        var bytes = try path.bytesOfFile()
        let text = Array("stands in one place".utf8)
        let place = try #require((0..<bytes.count - text.count).first { Array(bytes[$0..<$0 + text.count]) == text })
        bytes[place] ^= 1
        try bytes.write(toFile: path)
        if !hasBackup { unlink(backup) }

        try daemon.restart()
        let watched = try #require(try client.watch("org.example.Other"))
        #expect(watched.values == ["n": .int64(2)])
        #expect(try client.storeState() == "healthy")
        if hasBackup {
            #expect(try client.get(Self.app, "secret") == .string("a text that stands in one place of the file"))
            #expect(try client.storeState() == "restored")
        } else {
            #expect(try client.get(Self.app, "secret") == nil)
            #expect(try client.storeState() == "lost")
        }
        try client.wait("the change of another domain's values") { Change($0)?.domain == "org.example.Other" }
        let change = try #require(client.changes.first)
        #expect(change.writer.isEmpty)
        #expect(change.changed == (hasBackup ? ["n": .int64(1)] : [:]) && change.removed == (hasBackup ? [] : ["n"]))
        #expect(change.revision > watched.revision + 1 << 31)
        for domain in [Self.app, "org.example.Other", "org.example.Never"] {
            #expect(try client.revision(domain) ?? 0 > watched.revision)
        }
        #expect(try client.increment("org.example.Other", "n") == (hasBackup ? 2 : 1), "not from what was lost")
        #expect(try client.revision("org.example.Other") ?? 0 > change.revision)
    }

    @Test("P9: writes under way when damage is met are refused, not made on the store that takes the damaged one's place")
    func writesDuringReplacement() throws {
        let bus = try PrivateBus()
        let daemon = try Daemon(on: bus)
        let client = try Client(on: bus)
        let other = try Client(on: bus)
        try client.set(Self.app, "secret", .string("a text that stands in one place of the file"))
        try client.set("org.example.Other", "n", .int64(10))
        #expect(try daemon.terminate() == .exited(0))
        let path = daemon.store + "/defaults.sqlite"
        try path.bytesOfFile().write(toFile: daemon.store + "/defaults.backup.sqlite")
        var bytes = try path.bytesOfFile()
        let text = Array("stands in one place".utf8)
        let place = try #require((0..<bytes.count - text.count).first { Array(bytes[$0..<$0 + text.count]) == text })
        bytes[place] ^= 1
        try bytes.write(toFile: path)
        try daemon.restart()
        #expect(try client.increment("org.example.Other", "n") == 11)
        let store = try FrozenThread("store", of: daemon.process)
        // The load that meets the damage stands before the first commit, and more has gathered behind it.
        let reading = Pipeline(other)
        reading.get(Self.app, "secret")
        try reading.taken()
        let calls = Pipeline(client)
        for _ in 0..<3 {
            calls.preferences(PreferencesInterface.increment, .string("org.example.Other"), .string("n"), .int64(1))
            calls.preferences(PreferencesInterface.increment, .string("org.example.Other"), .string("n"), .int64(1))
            try calls.taken()
        }
        store.thaw()
        #expect(try reading.wait().first?.values == [.variant(.string("a text that stands in one place of the file"))])
        for answer in try calls.wait() { #expect(answer.error?.name == ErrorNames.unavailable, "\(answer.result)") }
        #expect(
            try client.get("org.example.Other", "n") == .int64(10), "as in the backup, which the increment before it was not in")
        let revision = try #require(try client.revision("org.example.Other"))
        #expect(revision > 1 << 32)
        #expect(try client.increment("org.example.Other", "n") == 11)
        #expect(try client.revision("org.example.Other") == revision + 1)
    }
}
