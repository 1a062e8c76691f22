import DBusTypes
import DefaultsInterface
import LibDBus
import Support
import Testing

@Suite("P12: limits")
struct PreferencesLimitTests {
    private static let app = "org.example.App"

    private func isLimit(_ error: DBusError?, naming number: String) -> Bool {
        error?.name == ErrorNames.limitExceeded && error?.message.contains(number) == true
    }

    @Test("P12: a connection may wait for 256 answers; the next call is refused at once, others aren't")
    func unansweredCalls() throws {
        let bus = try PrivateBus()
        let daemon = try Daemon(on: bus)
        let client = try Client(on: bus)
        let other = try Client(on: bus)
        let store = try FrozenThread("store", of: daemon.process)
        let calls = Pipeline(client)
        for number in 0..<256 { calls.set(Self.app, "n", .int64(Int64(number))) }
        let refused = [calls.set(Self.app, "refused", .int64(1)), calls.get(Self.app, "n")]
        for call in refused { #expect(isLimit(try calls.wait(for: call).error, naming: "256")) }
        #expect(calls.answers.count == 2)
        #expect(try other.get(Self.app, "n") == nil)
        store.thaw()
        try calls.wait()
        #expect(calls.answers.filter { $0.error == nil }.map(\.call) == Array(0..<256))
        #expect(try client.getAll(Self.app) == ["n": .int64(255)])
    }

    @Test("P12: with --limits=none a connection may wait for more answers and watch more domains")
    func noLimits() throws {
        let bus = try PrivateBus()
        let daemon = try Daemon(on: bus, arguments: ["--limits=none"])
        let client = try Client(on: bus)
        let store = try FrozenThread("store", of: daemon.process)
        let calls = Pipeline(client)
        for number in 0..<1_000 { calls.set(Self.app, "n", .int64(Int64(number))) }
        try calls.taken()
        store.thaw()
        #expect(try calls.wait().allSatisfy { $0.error == nil })
        for number in 0..<1_030 { try client.watch("org.example.App\(number)") }
    }

    @Test("P12: a connection may watch 1,024 domains; the next is refused, one watched already isn't, one less gives room")
    func watches() throws {
        let bus = try PrivateBus()
        let daemon = try Daemon(on: bus)
        let client = try Client(on: bus)
        for number in 0..<1_024 { try client.watch("org.example.App\(number)") }
        #expect(isLimit(try client.error { try client.watch("org.example.More") }, naming: "1024"))
        try client.watch("org.example.App7")
        try client.unwatch("org.example.App7")
        try client.watch("org.example.More")
        #expect(isLimit(try client.error { try client.watch("org.example.App7") }, naming: "1024"))
        try Client(on: bus).set("global", "n", .int64(1))
        try client.wait(for: 1_024, "the signals")
        try client.drain()
        #expect(client.signals.count == 1_024)
        #expect(Set(client.changes.map(\.domain)).count == 1_024)
        #expect(try daemon.terminate() == .exited(0))
    }

    @Test("P12: Watches sent without waiting are limited as those sent one by one")
    func pipelinedWatches() throws {
        let bus = try PrivateBus()
        let daemon = try Daemon(on: bus)
        let client = try Client(on: bus)
        for number in 0..<1_000 { try client.watch("org.example.App\(number)") }
        let store = try FrozenThread("store", of: daemon.process)
        let calls = Pipeline(client)
        calls.set(Self.app, "n", .int64(1))
        for number in 1_000..<1_100 {
            calls.preferences(PreferencesInterface.watch, .string("org.example.App\(number)"))
        }
        try calls.taken()
        store.thaw()
        #expect(try calls.wait().filter { $0.error == nil }.count == 25)
    }

    @Test("P12: a value may have 16 levels and 1 MiB; more is refused and nothing stored")
    func values() throws {
        let bus = try PrivateBus()
        let daemon = try Daemon(on: bus)
        let client = try Client(on: bus)
        func nested(_ depth: Int) -> Value { (0..<depth).reduce(Value.int64(0)) { inner, _ in .structure([inner]) } }
        try client.set(Self.app, "deep", nested(16))
        #expect(isLimit(try client.error { try client.set(Self.app, "deep", nested(17)) }, naming: "16"))
        #expect(try client.get(Self.app, "deep") == nested(16))
        // Four bytes of length come before the bytes.
        let largest = Value.bytes(Array(repeating: 1, count: (1 << 20) - 4))
        try client.set(Self.app, "large", largest)
        #expect(
            isLimit(
                try client.error { try client.set(Self.app, "large", .bytes(Array(repeating: 2, count: (1 << 20) - 3))) },
                naming: "1048576"))
        try daemon.kill9()
        try daemon.restart()
        #expect(try client.get(Self.app, "large") == largest)
        #expect(try client.revision(Self.app) == 3)
    }

    @Test("P12: a domain may have 10,000 keys; the next is refused, a change of one there isn't")
    func keys() throws {
        let bus = try PrivateBus()
        let daemon = try Daemon(on: bus)
        let client = try Client(on: bus)
        try client.apply(Self.app, (0..<9_999).map { ("key \($0)", .int64(Int64($0))) })
        #expect(isLimit(try client.error { try client.apply(Self.app, [("a", .int64(1)), ("b", .int64(1))]) }, naming: "10000"))
        try client.set(Self.app, "a", .int64(1))
        #expect(isLimit(try client.error { try client.set(Self.app, "b", .int64(1)) }, naming: "10000"))
        #expect(try client.set(Self.app, "a", .int64(2)) == 4)
        try client.apply(Self.app, [("b", .int64(1))], reset: ["a"])
        try client.set("org.example.Other", "b", .int64(1))
        try daemon.kill9()
        try daemon.restart()
        #expect(isLimit(try client.error { try client.set(Self.app, "c", .int64(1)) }, naming: "10000"))
        #expect(try client.listKeys(Self.app)?.count == 10_000)
        #expect(try client.getAll(Self.app)?.count == 10_000)
    }

    @Test(
        "P12: a domain may have 16 MiB and a user 64 MiB, also when the writes are under way at once; a domain is still read whole"
    )
    func sizes() throws {
        let bus = try PrivateBus()
        let daemon = try Daemon(on: bus)
        let client = try Client(on: bus)
        let value = Value.bytes(Array(repeating: 1, count: (1 << 20) - 64))
        for domain in ["org.example.A", "org.example.B", "org.example.C", "org.example.D"] {
            let calls = Pipeline(client)
            for number in 0..<17 { calls.set(domain, "k\(number)", value) }
            let answers = try calls.wait().sorted { $0.call < $1.call }
            #expect(answers.prefix(16).allSatisfy { $0.error == nil })
            #expect(isLimit(answers[16].error, naming: "16777216"))
        }
        #expect(isLimit(try client.error { try client.set("org.example.E", "k", value) }, naming: "67108864"))
        try client.reset("org.example.A", "k0")
        try client.set("org.example.E", "k", value)
        try daemon.kill9()
        try daemon.restart()
        #expect(isLimit(try client.error { try client.set("org.example.F", "k", value) }, naming: "67108864"))
        let all = try #require(try client.getAll("org.example.B"))
        #expect(all.count == 16 && all.values.allSatisfy { $0 == value })
        // global is part of every application's values: together they can be more than one message holds.
        try client.preferences(PreferencesInterface.resetDomain, .string("org.example.C"))
        let calls = Pipeline(client)
        for number in 0..<15 { calls.set("global", "g\(number)", value) }
        #expect(try calls.wait().allSatisfy { $0.error == nil })
        #expect(try client.error { try client.getAll("org.example.B") }?.name == ErrorNames.limitExceeded)
        #expect(try client.error { try client.watch("org.example.B") }?.name == ErrorNames.limitExceeded)
        #expect(try client.get("org.example.B", "g14") == value)
        #expect(try client.listKeys("org.example.B")?.count == 31)
    }
}
