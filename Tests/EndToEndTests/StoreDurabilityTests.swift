import DBusTypes
import DefaultsInterface
import Glibc
import LibDBus
import Support
import Testing

@Suite("What was answered is on disk")
struct StoreDurabilityTests {
    private static let app = "org.example.App"

    /// A write, and what a reader then finds: by key, nil for no value.
    struct Write: Sendable, CustomTestStringConvertible {
        let name: String
        let make: @Sendable (Client) throws -> Void
        let expected: [String: Value]

        var testDescription: String { name }
    }

    private static let writes = [
        Write(name: "Set", make: { try $0.set(app, "old", .int64(2)) }, expected: ["old": .int64(2), "other": .int64(1)]),
        Write(
            name: "SetIfAbsent",
            make: { try $0.preferences(PreferencesInterface.setIfAbsent, .string(app), .string("new"), .variant(.int64(2))) },
            expected: ["old": .int64(1), "other": .int64(1), "new": .int64(2)]),
        Write(
            name: "CompareAndSet",
            make: {
                try $0.preferences(
                    PreferencesInterface.compareAndSet, .string(app), .string("old"), .variant(.int64(1)), .variant(.int64(2)))
            }, expected: ["old": .int64(2), "other": .int64(1)]),
        Write(
            name: "Increment", make: { try $0.increment(app, "old") }, expected: ["old": .int64(2), "other": .int64(1)]),
        Write(
            name: "Apply", make: { try $0.apply(app, [("new", .int64(2))], reset: ["old"]) },
            expected: ["new": .int64(2), "other": .int64(1)]),
        Write(name: "Reset", make: { try $0.reset(app, "old") }, expected: ["other": .int64(1)]),
        Write(
            name: "ResetDomain", make: { try $0.preferences(PreferencesInterface.resetDomain, .string(app)) }, expected: [:]),
    ]

    @Test("Scenario 1, P7: every write that was answered survives kill -9 at once, and its revision with it", arguments: writes)
    func writeSurvivesKill(_ write: Write) throws {
        let bus = try PrivateBus()
        let daemon = try Daemon(on: bus)
        let writer = try Client(on: bus)
        try writer.apply(Self.app, [("old", .int64(1)), ("other", .int64(1))])
        try write.make(writer)
        let revision = try writer.revision(Self.app)
        try daemon.kill9()
        try daemon.restart()
        let reader = try Client(on: bus)
        #expect(try reader.getAll(Self.app) == write.expected)
        #expect(try reader.revision(Self.app) == revision)
        #expect(revision == 3)
    }

    @Test("P7: kill -9 with a commit under way loses nothing that was answered and leaves no half of an Apply")
    func killDuringCommits() throws {
        let bus = try PrivateBus()
        let daemon = try Daemon(on: bus)
        for round in 0..<8 {
            let writer = try Client(on: bus)
            let calls = Pipeline(writer)
            let base = Int64(round) * 1_000
            for number in 1...100 {
                calls.preferences(
                    PreferencesInterface.apply, .string(Self.app),
                    .vardict([("a", .int64(base + Int64(number))), ("b", .int64(base + Int64(number)))]),
                    .array([String]()), .uint64(0))
            }
            // Somewhere in the middle, another place each time.
            try calls.wait(untilCount: 1 + round * 11)
            try daemon.kill9()
            try calls.wait()
            let answered = calls.answers.filter { $0.error == nil }.map { base + Int64($0.call) + 1 }
            try daemon.restart()
            let values = try #require(try Client(on: bus).getAll(Self.app))
            let stored = try #require(values["a"]?.get(as: Int64.self))
            #expect(values["b"] == .int64(stored))
            #expect(stored >= answered.max() ?? base)
            #expect(stored <= base + 100)
        }
    }

    @Test("P7: SIGTERM and SIGINT answer and store every write that was taken in", arguments: [SIGTERM, SIGINT])
    func stopWithWritesInFlight(_ signal: Int32) throws {
        let bus = try PrivateBus()
        let daemon = try Daemon(on: bus)
        let writer = try Client(on: bus)
        try writer.increment(Self.app, "sum")
        let store = try FrozenThread("store", of: daemon.process)
        let calls = Pipeline(writer)
        for _ in 0..<200 { calls.preferences(PreferencesInterface.increment, .string(Self.app), .string("sum"), .int64(1)) }
        try calls.taken()
        daemon.process.send(signal)
        store.thaw()
        #expect(try daemon.process.wait() == .exited(0))
        let answers = try calls.wait()
        #expect(answers.map(\.values) == (2...201).map { [.int64($0)] })
        try daemon.restart()
        #expect(try Client(on: bus).get(Self.app, "sum") == .int64(201))
        #expect(daemon.log.split(separator: "\n").count == 3, "one line a start and one a stop:\n\(daemon.log)")
    }

    @Test("Scenario 10, P6: a restart gives another instance, the same revision, and a change in the gap a higher one")
    func restartIsSeen() throws {
        let bus = try PrivateBus()
        let daemon = try Daemon(on: bus)
        let reader = try Client(on: bus)
        try reader.set(Self.app, "theme", .string("light"))
        let before = try #require(try reader.watch(Self.app))
        #expect(before.instance != 0)
        #expect(try reader.admin(AdminInterface.instance) == before.instance)
        try daemon.kill9()
        try daemon.restart()
        let unchanged = try #require(try Client(on: bus).watch(Self.app))
        #expect(unchanged.instance != before.instance && unchanged.instance != 0)
        #expect(unchanged.revision == before.revision)
        #expect(unchanged.values == before.values)
        try Client(on: bus).set(Self.app, "theme", .string("dark"))
        #expect(try reader.get(Self.app, "theme") == .string("dark"))
        let after = try #require(try reader.watch(Self.app))
        #expect(after.revision == before.revision + 1)
        #expect(after.values == ["theme": .string("dark")])
        try reader.drain()
        #expect(reader.changes.isEmpty, "a daemon started anew knows no watcher of the one before")
    }

    @Test("Scenario 11: memory stays flat however often one key is set")
    func memoryStaysFlat() throws {
        let bus = try PrivateBus()
        let daemon = try Daemon(on: bus)
        let client = try Client(on: bus)
        let value = [UInt8](repeating: 1, count: 8_000)
        func set(_ count: Int) throws -> Int {
            let calls = Pipeline(client)
            while calls.answers.count < count {
                while calls.sent < min(count, calls.answers.count + 100) {
                    calls.set(Self.app, "volume", .structure([.int64(Int64(calls.sent)), .bytes(value)]))
                }
                client.loop.iterate(deadline: .now + .seconds(1))
            }
            #expect(calls.answers.allSatisfy { $0.error == nil })
            let pages = try String(contentsOfFile: "/proc/\(daemon.process.identifier)/statm").split(separator: " ")
            return (Int(pages[1]) ?? 0) * Int(getpagesize())
        }
        let before = try set(500)
        let after = try set(2_500)
        // These sets alone are 20 MB.
        #expect(after < before + 6_000_000, "\(before) bytes grew to \(after)")
    }

    @Test("Scenario 11: a thousand Sets on one key at once end with the last, and another client is served among them")
    func floodOnOneKey() throws {
        let bus = try PrivateBus()
        let daemon = try Daemon(on: bus)
        let flooder = try Client(on: bus)
        let other = try Client(on: bus)
        let watcher = try Client(on: bus)
        try watcher.watch(Self.app)
        let calls = Pipeline(flooder)
        let own = Pipeline(other)
        var turn = 0
        while calls.answers.count < 1_000 {
            // Fewer than the limit of unanswered calls, so that none is refused.
            while calls.sent < min(1_000, calls.answers.count + 200) {
                calls.set(Self.app, "volume", .int64(Int64(calls.sent + 1)))
            }
            if own.sent == own.answers.count { own.set(Self.app, "own", .int64(Int64(own.sent))) }
            flooder.loop.iterate(deadline: .now + .milliseconds(1))
            other.loop.iterate(deadline: .now)
            turn += 1
        }
        try own.wait()
        #expect(calls.answers.allSatisfy { $0.error == nil })
        #expect(own.answers.allSatisfy { $0.error == nil })
        #expect(own.answers.count >= 3, "the other client was served \(own.answers.count) times in \(turn) turns")
        // Before the kill: what was answered is on disk, but its signal may be on its way only.
        try watcher.wait(for: 1_000, "the signals") { Change($0)?.changed["volume"] != nil }
        try daemon.kill9()
        try daemon.restart()
        #expect(try other.get(Self.app, "volume") == .int64(1_000))
        #expect(try other.get(Self.app, "own") == .int64(Int64(own.sent - 1)))
        let revisions = watcher.changes.map(\.revision)
        #expect(revisions == revisions.sorted() && Set(revisions).count == revisions.count)
        #expect(watcher.changes.compactMap { $0.changed["volume"] } == (1...1_000).map { .int64($0) })
    }
}
