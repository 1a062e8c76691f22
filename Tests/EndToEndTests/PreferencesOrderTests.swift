import DBusTypes
import DefaultsInterface
import LibDBus
import Support
import Testing

@Suite("In which order requests take effect and are seen")
struct PreferencesOrderTests {
    private static let app = "org.example.App"
    private let bus: PrivateBus
    private let daemon: Daemon
    private let client: Client

    init() throws {
        bus = try PrivateBus()
        daemon = try Daemon(on: bus)
        client = try Client(on: bus)
    }

    @Test("P6: reads answer the committed state while a write is under way; the writer's own reads wait for it")
    func readsDuringWrite() throws {
        let other = try Client(on: bus)
        try client.set(Self.app, "n", .int64(1))
        let store = try FrozenThread("store", of: daemon.process)
        let calls = Pipeline(client)
        calls.set(Self.app, "n", .int64(2))
        let ownRead = calls.get(Self.app, "n")
        let ownList = calls.preferences(PreferencesInterface.getAll, .string(Self.app))
        try calls.taken()
        #expect(try other.get(Self.app, "n") == .int64(1))
        #expect(try other.revision(Self.app) == 2)
        #expect(calls.answers.isEmpty)
        store.thaw()
        #expect(try calls.wait(for: ownRead).values == [.variant(.int64(2))])
        #expect(try calls.wait(for: ownList).values == [.vardict([("n", .int64(2))]), .uint64(3)])
        #expect(calls.answers.map(\.call) == [0, 1, 2])
        #expect(try other.get(Self.app, "n") == .int64(2))
    }

    @Test("P6: an unchanged or conditional result that rests on a write under way is answered with it, not before")
    func resultsOnPendingState() throws {
        let other = try Client(on: bus)
        let store = try FrozenThread("store", of: daemon.process)
        let calls = Pipeline(client)
        calls.set(Self.app, "n", .int64(1))
        try calls.taken()
        let others = Pipeline(other)
        others.set(Self.app, "n", .int64(1))
        others.preferences(PreferencesInterface.setIfAbsent, .string(Self.app), .string("n"), .variant(.int64(5)))
        others.preferences(
            PreferencesInterface.compareAndSet, .string(Self.app), .string("n"), .variant(.int64(7)), .variant(.int64(8)))
        try others.taken()
        #expect(others.answers.isEmpty)
        store.thaw()
        #expect(
            try others.wait().map(\.values) == [
                [.uint64(2)], [.boolean(false), .variant(.int64(1))], [.boolean(false), .variant(.int64(1))],
            ])
    }

    @Test("P6: Set, Get, Set, Get of one connection without waiting see each other, also in a domain not in memory yet")
    func pipelinedCalls() throws {
        for isCold in [false, true] {
            if isCold {
                try daemon.kill9()
                try daemon.restart()
            }
            let calls = Pipeline(client)
            for number in 1...20 {
                calls.set(Self.app, "n", .int64(Int64(number)))
                calls.get(Self.app, "n")
            }
            let answers = try calls.wait()
            #expect(answers.map(\.call) == Array(0..<40))
            for number in 1...20 { #expect(answers[2 * number - 1].values == [.variant(.int64(Int64(number)))]) }
        }
    }

    @Test("P6: calls behind one that waits for a domain keep their order, and other connections go on")
    func coldDomain() throws {
        let cold = "org.example.Cold"
        try client.set(cold, "n", .int64(1))
        try client.set(Self.app, "n", .int64(1))
        try daemon.kill9()
        try daemon.restart()
        let other = try Client(on: bus)
        #expect(try other.get(Self.app, "n") == .int64(1))
        let store = try FrozenThread("store", of: daemon.process)
        let calls = Pipeline(client)
        calls.get(cold, "n")
        calls.get(Self.app, "n")
        calls.preferences(PreferencesInterface.listDomains)
        calls.set(cold, "n", .int64(2))
        calls.get(cold, "n")
        calls.preferences(PreferencesInterface.synchronize)
        try calls.taken()
        #expect(try other.get(Self.app, "n") == .int64(1))
        #expect(calls.answers.isEmpty)
        store.thaw()
        let answers = try calls.wait()
        #expect(answers.map(\.call) == Array(0..<6))
        #expect(
            answers.map(\.values) == [
                [.variant(.int64(1))], [.variant(.int64(1))], [.array([Self.app, cold])], [.uint64(4)], [.variant(.int64(2))], [],
            ])
    }

    @Test("Synchronize returns after the writes of every connection of the user, also of one whose domain is not in memory yet")
    func synchronize() throws {
        let cold = "org.example.Cold"
        try client.set(cold, "n", .int64(1))
        try daemon.kill9()
        try daemon.restart()
        let other = try Client(on: bus)
        try other.set(Self.app, "n", .int64(1))
        let store = try FrozenThread("store", of: daemon.process)
        let calls = Pipeline(client)
        for _ in 0..<50 { calls.preferences(PreferencesInterface.increment, .string(cold), .string("n"), .int64(1)) }
        try calls.taken()
        let synchronizing = Pipeline(other)
        synchronizing.preferences(PreferencesInterface.synchronize)
        try synchronizing.taken()
        #expect(synchronizing.answers.isEmpty)
        store.thaw()
        #expect(try synchronizing.wait().first?.values == [])
        try daemon.kill9()
        try daemon.restart()
        #expect(try other.get(cold, "n") == .int64(51))
    }

    @Test("The writer that watches gets its reply before the signals of its write, and each signal once")
    func replyBeforeSignals() throws {
        try client.watch(Self.app)
        try client.watch(Self.app)
        try client.watch("global")
        let calls = Pipeline(client)
        for number in 1...50 {
            if number.isMultiple(of: 2) {
                calls.set("global", "g", .int64(Int64(number)))
            } else {
                calls.set(Self.app, "n", .int64(Int64(number)))
            }
        }
        let answers = try calls.wait()
        try client.drain()
        // An application's change is one signal; one of global is two, for the two domains that this connection watches.
        #expect(client.signals.count == 75)
        let first = client.changes.firstIndex { $0.revision == 2 }
        #expect(first == 0)
        for (answer, number) in zip(answers, 1...50) {
            #expect(answer.values == [.uint64(UInt64(number + 1))])
            let ownSignal = try #require(client.changes.firstIndex { $0.revision == UInt64(number + 1) })
            #expect(answer.signalsBefore <= ownSignal)
        }
        #expect(client.changes.map(\.revision) == client.changes.map(\.revision).sorted())
        let pairs = client.changes.filter { $0.changed["g"] != nil }
        #expect(pairs.count == 50)
        #expect(Set(pairs).count == 50)
    }

    @Test("A change that races with Watch is in its answer or in a signal after it, never in neither, never in both")
    func watchRace() throws {
        for round in 0..<40 {
            let app = "org.example.Race\(round)"
            let watcher = try Client(on: bus)
            let increments = Pipeline(client)
            let watching = Pipeline(watcher)
            // Half of the rounds on a connection with a write in flight, whose Watch is answered with its batch.
            if round.isMultiple(of: 2) { watching.set(app, "own", .int64(1)) }
            for number in 1...30 {
                increments.preferences(PreferencesInterface.increment, .string(app), .string("n"), .int64(1))
                if number == 1 + round % 30 { watching.preferences(PreferencesInterface.watch, .string(app)) }
            }
            try increments.wait()
            try watching.wait()
            let answer = try #require(watching.answers.last)
            let watched = try #require(answer.values.flatMap(Watched.init))
            #expect(answer.signalsBefore == 0)
            let start = watched.values["n"]?.get(as: Int64.self) ?? 0
            try watcher.drain()
            let seen = watcher.changes.compactMap { $0.changed["n"]?.get(as: Int64.self) }
            #expect(seen == Array((start + 1)...31).dropLast())
            let revisions = [watched.revision] + watcher.changes.map(\.revision)
            #expect(revisions == revisions.sorted() && Set(revisions).count == revisions.count)
        }
    }
}
