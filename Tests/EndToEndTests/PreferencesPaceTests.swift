import DBusTypes
import DefaultsInterface
import LibDBus
import Support
import Testing

@Suite("Callers who ask for much")
struct PreferencesPaceTests {
    private typealias Members = PreferencesInterface
    private let large = "org.example.Large"

    @Test("Between two large answers to one connection everyone else's turn comes")
    func turns() throws {
        let bus = try PrivateBus()
        let daemon = try Daemon(on: bus)
        let client = try Client(on: bus)
        for number in 0..<8 {
            try client.set(large, "key \(number)", .array([UInt8](repeating: 7, count: 1_000_000)))
        }
        let heavy = try Client(on: bus)
        try heavy.drain()
        let frozen = try FrozenThread("defaultsd", of: daemon.process)
        let pipeline = Pipeline(heavy)
        for _ in 0..<40 { pipeline.preferences(Members.getAll, .string(large)) }
        heavy.connection.flush()
        // Behind all of them: a turn at a time would come only after 320 MB.
        let reply = client.begin(Members.name, Members.listKeys, .string("org.example.Small"))
        client.connection.flush()
        frozen.thaw()
        try client.finish(reply)
        try daemon.kill9()
        let answers = try pipeline.wait()
        let served = answers.count { $0.values != nil }
        #expect(served < 10, "\(served) of 40 large answers came before the small one")
    }

    @Test("One connection's large answers all come, in order, when it reads")
    func all() throws {
        let bus = try PrivateBus()
        let daemon = try Daemon(on: bus)
        let client = try Client(on: bus)
        for number in 0..<4 { try client.set(large, "key \(number)", .array([UInt8](repeating: 7, count: 1_000_000))) }
        let pipeline = Pipeline(client)
        for number in 0..<30 {
            pipeline.preferences(Members.getAll, .string(large))
            pipeline.set(large, "small", .int64(Int64(number)))
            pipeline.get(large, "small")
        }
        let answers = try pipeline.wait()
        #expect(answers.map(\.call) == Array(0..<90))
        for number in 0..<30 { #expect(answers[3 * number + 2].values == [.variant(.int64(Int64(number)))]) }
        #expect(try daemon.terminate() == .exited(0))
    }
}
