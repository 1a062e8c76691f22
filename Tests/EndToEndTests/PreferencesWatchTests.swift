import DBusTypes
import DefaultsInterface
import LibDBus
import Support
import Testing

@Suite("Who is told of changes")
struct PreferencesWatchTests {
    private static let app = "org.example.App"
    private let bus: PrivateBus
    private let daemon: Daemon
    private let writer: Client

    init() throws {
        bus = try PrivateBus()
        daemon = try Daemon(on: bus)
        writer = try Client(on: bus)
    }

    @Test("Signals go to those who watch the domain, no one else, whatever matches they have")
    func unicast() throws {
        let watcher = try Client(on: bus)
        let bystander = try Client(on: bus)
        try bystander.connection.subscribe(MatchRule()) { _ in }
        try bystander.watch("org.example.Other")
        let watched = try #require(try watcher.watch(Self.app))
        #expect(watched.values == [:] && watched.revision == 1 && watched.slot == 0)
        try writer.set(Self.app, "theme", .string("dark"))
        try watcher.drain()
        try bystander.drain()
        try writer.drain()
        #expect(watcher.changes == [Change(Self.app, ["theme": .string("dark")], 2, by: writer.name)])
        #expect(bystander.signals.isEmpty)
        #expect(writer.signals.isEmpty)
    }

    @Test("P5: a change of global is a signal for global, and one for each watched domain whose effective values moved")
    func global() throws {
        let watcher = try Client(on: bus)
        try writer.set("org.example.Own", "theme", .string("own"))
        for domain in [Self.app, "org.example.Own", "org.example.Another", "global"] { try watcher.watch(domain) }
        try writer.set("global", "theme", .string("dark"))
        try watcher.drain()
        #expect(
            Set(watcher.changes)
                == Set(
                    [Self.app, "org.example.Another", "global"].map {
                        Change($0, ["theme": .string("dark")], 3, by: writer.name)
                    }))
        #expect(watcher.signals.count == 3)
        watcher.forgetSignals()
        try watcher.unwatch("global")
        try watcher.unwatch("org.example.Another")
        try writer.reset("global", "theme")
        try watcher.drain()
        #expect(watcher.changes == [Change(Self.app, removed: ["theme"], 4, by: writer.name)])
    }

    @Test("A change of global reaches a domain that one connection watches anew while another leaves it")
    func watchedAnewWhileLeft() throws {
        let leaving = try Client(on: bus)
        let coming = try Client(on: bus)
        try leaving.watch(Self.app)
        let store = try FrozenThread("store", of: daemon.process)
        // The write makes the Watch wait for its batch, in which the last watcher leaves first.
        let calls = Pipeline(coming)
        calls.set(Self.app, "own", .int64(1))
        try calls.taken()
        let others = Pipeline(leaving)
        others.preferences(PreferencesInterface.unwatch, .string(Self.app))
        try others.taken()
        calls.preferences(PreferencesInterface.watch, .string(Self.app))
        try calls.taken()
        store.thaw()
        try calls.wait()
        try others.wait()
        try writer.set("global", "theme", .string("dark"))
        try coming.drain()
        #expect(coming.changes == [Change(Self.app, ["theme": .string("dark")], 3, by: writer.name)])
    }

    @Test("Unwatch ends the signals, of that domain alone; not watching is no error")
    func unwatch() throws {
        let watcher = try Client(on: bus)
        try watcher.unwatch(Self.app)
        try watcher.watch(Self.app)
        try watcher.watch("org.example.Other")
        try watcher.unwatch(Self.app)
        try writer.set(Self.app, "n", .int64(1))
        try writer.set("org.example.Other", "n", .int64(1))
        try watcher.drain()
        #expect(watcher.changes.map(\.domain) == ["org.example.Other"])
        #expect(try watcher.watch(Self.app)?.values == ["n": .int64(1)])
        try writer.set(Self.app, "n", .int64(2))
        try watcher.drain()
        #expect(watcher.changes.map(\.domain) == ["org.example.Other", Self.app])
    }

    @Test("Watch and Unwatch sent without waiting take effect in their order, also behind a write under way")
    func pipelinedWatch() throws {
        for endsWatching in [false, true] {
            let watcher = try Client(on: bus)
            let store = try FrozenThread("store", of: daemon.process)
            let calls = Pipeline(watcher)
            calls.set(Self.app, "own", .boolean(endsWatching))
            for _ in 0..<3 {
                calls.preferences(PreferencesInterface.watch, .string(Self.app))
                calls.preferences(PreferencesInterface.unwatch, .string(Self.app))
            }
            if endsWatching { calls.preferences(PreferencesInterface.watch, .string(Self.app)) }
            try calls.taken()
            store.thaw()
            #expect(try calls.wait().allSatisfy { $0.error == nil })
            for domain in [Self.app, "global"] { try writer.set(domain, "n \(domain)", .boolean(endsWatching)) }
            try watcher.drain()
            #expect(watcher.changes.count == (endsWatching ? 2 : 0))
        }
    }

    @Test("More watchers than the daemon has matches for single peers: each is told, and their leaving harms no one")
    func manyWatchers() throws {
        let stayer = try Client(on: bus)
        do {
            let watchers = try (0..<300).map { _ in try Client(on: bus) }
            for watcher in watchers { try watcher.watch(Self.app) }
            try stayer.watch(Self.app)
            try writer.set(Self.app, "n", .int64(1))
            for watcher in watchers {
                try watcher.wait("the signal")
                #expect(watcher.changes.count == 1)
            }
        }
        try writer.set(Self.app, "n", .int64(2))
        try stayer.wait(for: 2, "the signals")
        let newcomer = try Client(on: bus)
        #expect(try newcomer.watch(Self.app)?.values == ["n": .int64(2)])
        try writer.set(Self.app, "n", .int64(3))
        try newcomer.wait("the signal")
        try stayer.wait(for: 3, "the signals")
        #expect(daemon.log.split(separator: "\n").count == 1, "\(daemon.log)")
    }

    @Test("One transaction is one signal a domain, with what a Get at that revision returns")
    func signalContents() throws {
        let watcher = try Client(on: bus)
        try writer.apply(Self.app, [("gone", .int64(1)), ("kept", .int64(1))])
        try watcher.watch(Self.app)
        let empty = Value.array([String]())
        try writer.apply(Self.app, [("empty", empty), ("kept", .int64(1)), ("new", .byte(1))], reset: ["gone"])
        try watcher.drain()
        #expect(watcher.changes == [Change(Self.app, ["empty": empty, "new": .byte(1)], removed: ["gone"], 3, by: writer.name)])
        #expect(try watcher.getAll(Self.app) == ["empty": empty, "kept": .int64(1), "new": .byte(1)])
    }

    @Test("A watcher that leaves at once, and one whose Watch is answered after it left, cost the daemon nothing")
    func watchersThatLeave() throws {
        let stayer = try Client(on: bus)
        try stayer.watch(Self.app)
        for round in 0..<30 {
            let leaver = try Client(on: bus)
            let calls = Pipeline(leaver)
            calls.set(Self.app, "n", .int64(Int64(round)))
            calls.preferences(PreferencesInterface.watch, .string(Self.app))
            leaver.loop.iterate(deadline: .now)
            leaver.connection.flush()
            leaver.connection.close()
        }
        // The bus keeps no order between connections: ask until the last one's write is there.
        try stayer.wait(for: 30, "the leavers' writes") { Change($0)?.changed["n"] != nil }
        try writer.set(Self.app, "last", .int64(1))
        try stayer.wait("the last change") { Change($0)?.changed["last"] != nil }
        #expect(Set(stayer.changes.map(\.writer)).count == 31)
        #expect(daemon.process.poll() == nil)
        #expect(daemon.log.split(separator: "\n").count == 1, "\(daemon.log)")
    }

    @Test("ListKeys and ListDomains are sorted by bytes and leave out what has no value; names are checked")
    func lists() throws {
        #expect(try writer.listDomains() == [])
        #expect(try writer.listKeys("org.example.Never") == [])
        #expect(try writer.getAll("org.example.Never") == [:])
        #expect(try writer.get("org.example.Never", "key") == nil)
        let keys = ["b", "a", "é", "Z", "k.with/slash é", "~", "\u{10000}", "\u{FFFD}", "a b", "0"]
        let sorted = keys.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
        for key in keys { try writer.set("org.example.B", key, .boolean(true)) }
        for domain in ["org.example.a", "org.example-x.A", "a.b", "global"] { try writer.set(domain, "k", .boolean(true)) }
        #expect(try writer.listKeys("global") == ["k"])
        #expect(try writer.listKeys("org.example.B") == (sorted + ["k"]).sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) })
        let domains = ["a.b", "global", "org.example-x.A", "org.example.B", "org.example.a"]
        #expect(try writer.listDomains() == domains)
        try daemon.kill9()
        try daemon.restart()
        #expect(try writer.listDomains() == domains, "also of domains that are not in memory")
        try writer.reset("a.b", "k")
        #expect(try writer.listDomains() == Array(domains.dropFirst()))
        for domain in [
            "", "example", "org..x", ".org.x", "org.x.", "org.exämple", "Global", String(repeating: "a.", count: 127) + "bc",
        ] {
            let error = try writer.error { try writer.preferences(PreferencesInterface.get, .string(domain), .string("k")) }
            #expect(error?.name == ErrorNames.invalidName, "\(domain)")
        }
        for key in ["", "a\u{1}", "a\u{7F}", "\u{85}", String(repeating: "k", count: 256)] {
            #expect(try writer.error { try writer.set(Self.app, key, .int64(1)) }?.name == ErrorNames.invalidName, "\(key)")
        }
        try writer.set(Self.app, String(repeating: "k", count: 255), .int64(1))
    }
}
