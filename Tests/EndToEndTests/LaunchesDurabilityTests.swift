import DBusTypes
import DefaultsInterface
import Glibc
import LibDBus
import Support
import Testing

@Suite("Launches: over crashes")
struct LaunchesDurabilityTests {
    @Test("Scenario 16, L1: twenty connections record at once: one owner, nineteen the same, each counted")
    func oneOwner() throws {
        let time = try TimedDaemon()
        let clients = try (0..<20).map { _ in try Client(on: time.bus) }
        for (version, owner) in [("1.0", "first owner"), ("1.1", "upgrade minor owner"), ("1.1.1", "upgrade patch owner")] {
            let replies = clients.map { $0.beginRecord(version) }
            for (client, reply) in zip(clients, replies) { try client.finish(reply) }
            let words = try replies.map { try $0.result?.get().first?.dictionary?.launchWords ?? "" }
            #expect(words.sorted() == ([owner] + Array(repeating: "same", count: 19)).sorted())
        }
        #expect(try time.client.query().number("launches") == 60)
        #expect(try time.client.query().number("launches_of_version") == 20)
    }

    @Test("Scenario 16, L1, L2: killed midway, everyone asks again: exactly one owner over all time")
    func killedMidway() throws {
        let bus = try PrivateBus()
        let daemon = try Daemon(on: bus)
        for round in 0..<25 {
            let app = "org.example.Round\(round)"
            let clients = try (0..<20).map { _ in try Client(on: bus) }
            let replies = clients.map { $0.beginRecord("1.0", app: app) }
            for client in clients { client.connection.flush() }
            // From "nothing is handled" to "all is answered", depending on the round.
            for client in clients.prefix(round) { client.loop.iterate(deadline: .now + .microseconds(200 * round)) }
            try daemon.kill9()
            try daemon.restart()
            var owners = 0
            for (client, reply) in zip(clients, replies) {
                try client.finish(reply)
                switch reply.result {
                case .success(let values)?:
                    if values.first?.dictionary?.flag("owner") == true { owners += 1 }
                default:
                    // No answer came: the program asks again, on the same connection.
                    if try client.record("1.0", app: app).flag("owner") == true { owners += 1 }
                }
            }
            #expect(owners == 1, "round \(round)")
            let last = try Client(on: bus).record("1.0", app: app)
            #expect(last.launchWords == "same")
        }
    }

    @Test("L1, L2: twenty processes record at once through busctl: one owner")
    func processes() throws {
        let time = try TimedDaemon()
        let commands = try (0..<20).map { _ in
            try Command(
                "busctl",
                [
                    "--address=" + time.bus.address, "call", "org.defaultsd1", "/org/defaultsd1", "org.defaultsd1.Launches",
                    "Record", "ssa{sv}", launchApp, "1.0", "0",
                ], environment: time.bus.clientVariables)
        }
        let results = try commands.map { try $0.finish() }
        #expect(results.allSatisfy { $0.code == 0 })
        #expect(results.count { $0.output.contains("\"owner\" b true") } == 1)
        #expect(try time.client.query().number("launches") == 20)
    }

    @Test("P7: a launch and a flag that were answered survive kill -9 at once, all parts of them")
    func answeredIsKept() throws {
        let bus = try PrivateBus()
        let daemon = try Daemon(on: bus)
        try Client(on: bus).record("1.0", [("existing_user", .boolean(true))])
        try Client(on: bus).record("2.0-beta1")
        #expect(try Client(on: bus).once("news", for: "1.5"))
        #expect(try Client(on: bus).once("tour"))
        let (launch, history) = (try Client(on: bus).query(), try Client(on: bus).history())
        try daemon.kill9()
        try daemon.restart()
        let client = try Client(on: bus)
        #expect(try client.query() == launch)
        #expect(try client.history() == history)
        #expect(try client.flags() == ["news", "tour"])
        #expect(try !client.once("tour") && !client.once("news", for: "1.5"))
        #expect(try client.once("news", for: "1.5.1"))
        #expect(try client.record("2.0").launchWords == "upgrade major owner")
    }

    @Test("L7: Once, killed midway, asked again: true at most once, and once it was true it never is again")
    func onceKilledMidway() throws {
        let bus = try PrivateBus()
        let daemon = try Daemon(on: bus)
        for round in 0..<15 {
            let flag = Value.string("f\(round)")
            let clients = try (0..<10).map { _ in try Client(on: bus) }
            let replies = clients.map { $0.begin(LaunchesInterface.name, LaunchesInterface.once, .string(launchApp), flag) }
            for client in clients.prefix(round) { client.loop.iterate(deadline: .now + .microseconds(200 * round)) }
            try daemon.kill9()
            try daemon.restart()
            for (client, reply) in zip(clients, replies) { try client.finish(reply) }
            let early = replies.count { (try? $0.result?.get().first?.get(as: Bool.self)) == true }
            let late = try clients.count { _ in try Client(on: bus).once("f\(round)") }
            #expect(early + late <= 1, "round \(round)")
            #expect(try clients[0].flags().contains("f\(round)"))
        }
    }

    @Test("Scenario 17, P8: a store that was lost answers unknown, never first; Once is Unavailable")
    func lostStore() throws {
        let bus = try PrivateBus()
        let daemon = try Daemon(on: bus)
        try Client(on: bus).record("1.0")
        try daemon.kill9()
        // All that is there of it is cut to nothing.
        for name in ["defaults.sqlite", "defaults.sqlite-wal"] { #expect(truncate(daemon.store + "/" + name, 0) == 0) }
        try daemon.restart()
        let client = try Client(on: bus)
        let launch = try client.record("1.0")
        #expect(launch.launchWords == "unknown owner")
        #expect(try client.error { try client.once("tour") }?.name == ErrorNames.unavailable)
        #expect(try client.error { try client.once("news", for: "1.0") }?.name == ErrorNames.unavailable)
        #expect(try Client(on: bus).record("1.0").launchWords == "same")
    }

    @Test("P11: a full disk: Record and Once are StorageFull and nothing is recorded; then they work again, as first")
    func fullDisk() throws {
        let time = try TimedDaemon()
        try time.client.set("org.example.App", "k", .uint32(1))
        let fault = try DiskFault(of: time.daemon, "pwrite64:error=ENOSPC")
        for _ in 0..<2 {
            #expect(try time.client.error { try time.client.record("1.0") }?.name == ErrorNames.storageFull)
            #expect(try time.client.error { try time.client.once("tour") }?.name == ErrorNames.storageFull)
        }
        #expect(try time.client.error { try time.client.query() }?.name == ErrorNames.notFound)
        #expect(try time.client.flags().isEmpty)
        try fault.end()
        #expect(try time.client.record("1.0").launchWords == "first owner")
        #expect(try time.client.once("tour"))
    }
}
