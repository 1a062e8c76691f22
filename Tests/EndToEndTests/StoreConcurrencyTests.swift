import DBusTypes
import DefaultsInterface
import Support
import Testing

@Suite("Several processes at once")
struct StoreConcurrencyTests {
    private static let app = "org.example.App"
    private static let writes = 200

    /// A process of its own that makes `writes` calls, one after another, as `dbus-send` does.
    private func writer(on bus: PrivateBus, _ call: String) throws -> Command {
        let script = """
            for number in $(seq \(Self.writes)); do
              dbus-send --bus=\(bus.address) --print-reply=literal --dest=org.defaultsd1 /org/defaultsd1 \\
                org.defaultsd1.Preferences.\(call) > /dev/null || exit 1
            done
            """
        return try Command("sh", ["-c", script], environment: bus.clientVariables)
    }

    @Test("Scenario 3: two processes with 200 writes each to keys of their own: all are there, each with its revision")
    func separateKeys() throws {
        let bus = try PrivateBus()
        let daemon = try Daemon(on: bus)
        let writers = try ["a", "b"].map {
            try writer(on: bus, "Set string:\(Self.app) string:\($0)$number variant:int32:$number")
        }
        for writer in writers {
            let result = try writer.finish(until: .after(.seconds(100)))
            #expect(result.code == 0, "\(result)")
        }
        try daemon.kill9()
        try daemon.restart()
        let client = try Client(on: bus)
        let values = try #require(try client.getAll(Self.app))
        #expect(values.count == 2 * Self.writes)
        for number in 1...Self.writes {
            #expect(values["a\(number)"] == .int32(Int32(number)))
            #expect(values["b\(number)"] == .int32(Int32(number)))
        }
        #expect(try client.revision(Self.app) == UInt64(2 * Self.writes + 1))
    }

    @Test("Scenario 3: two processes with 200 Increments each of one key: exactly 400")
    func increments() throws {
        let bus = try PrivateBus()
        let daemon = try Daemon(on: bus)
        let watcher = try Client(on: bus)
        try watcher.watch(Self.app)
        let writers = try (0..<2).map { _ in try writer(on: bus, "Increment string:\(Self.app) string:n int64:1") }
        for writer in writers {
            let result = try writer.finish(until: .after(.seconds(100)))
            #expect(result.code == 0, "\(result)")
        }
        let total = 2 * Self.writes
        try watcher.wait(for: total, "the signals")
        #expect(watcher.changes.compactMap { $0.changed["n"] } == (1...total).map { .int64(Int64($0)) })
        #expect(Set(watcher.changes.map(\.writer)).count == total, "each dbus-send is a connection of its own")
        try daemon.kill9()
        try daemon.restart()
        #expect(try watcher.get(Self.app, "n") == .int64(Int64(total)))
    }

    @Test("Scenario 3: twenty connections with 20 Increments each, sent without waiting: every sum is answered once")
    func pipelinedIncrements() throws {
        let bus = try PrivateBus()
        let daemon = try Daemon(on: bus)
        let clients = try (0..<20).map { _ in try Client(on: bus) }
        let pipelines = clients.map(Pipeline.init)
        for _ in 0..<20 {
            for calls in pipelines {
                calls.preferences(PreferencesInterface.increment, .string(Self.app), .string("n"), .int64(1))
            }
        }
        var sums: [Int64] = []
        for calls in pipelines {
            let own = try calls.wait().compactMap { $0.values?.first?.get(as: Int64.self) }
            #expect(own == own.sorted())
            sums += own
        }
        #expect(sums.sorted() == Array(1...400))
        #expect(try daemon.terminate() == .exited(0))
    }
}
