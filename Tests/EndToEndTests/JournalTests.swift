import DBusTypes
import DefaultsInterface
import DefaultsModel
import Glibc
import LibDBus
import Support
import Testing

@Suite("The journal and the status line")
struct JournalTests {
    private let app = "org.example.App"
    private let bus: PrivateBus
    private let daemon: Daemon

    init() throws {
        bus = try PrivateBus()
        daemon = try Daemon(on: bus)
    }

    @Test(
        "Under systemd what an administrator waits for has an id and fields, and no value of a preference",
        .enabled(if: JournalSocket.isPossible, "another journal takes root"))
    func fields() throws {
        try Client(on: bus).set(app, "key", .string("secret"))
        #expect(try daemon.terminate() == .exited(0))
        try [1, 2, 3].write(toFile: daemon.store + "/defaults.sqlite")
        let journal = try JournalSocket()
        let folder = ConfigurationFolder(bus)
        try folder.replace("defaults.d/broken.json", "{")
        let before = daemon.log
        try daemon.restart(through: journal.wrapper)
        let client = try Client(on: bus)
        // A quota, met twice and named once.
        let tooLarge = Value.array([UInt8](repeating: 1, count: 2 << 20))
        for _ in 0..<2 { #expect(try client.error { try client.set(app, "key", tooLarge) }?.name == ErrorNames.limitExceeded) }
        #expect(try daemon.terminate() == .exited(0))
        let entries = try journal.entries(upTo: "MESSAGE=Stopped; all that was accepted is on disk.", from: daemon.process)
        #expect(daemon.log == before, "nothing goes to standard error as a line as well")
        #expect(entries.allSatisfy { $0["SYSLOG_IDENTIFIER"] == "defaultsd" && $0["PRIORITY"] != nil })
        #expect(!"\(entries)".contains("secret"))

        let lost = entries.filter { $0["DEFAULTSD_STORE_STATE"] != nil }
        #expect(lost.count == 1 && lost[0]["PRIORITY"] == "3" && lost[0]["DEFAULTSD_USER"] == String(getuid()))
        #expect(["restored", "lost"].contains(lost[0]["DEFAULTSD_STORE_STATE"]))
        let broken = entries.filter { $0["DEFAULTSD_FILE"] != nil }
        #expect(broken.count == 1 && broken[0]["DEFAULTSD_FILE"] == folder.path + "/defaults.d/broken.json")
        let quota = entries.filter { $0["DEFAULTSD_CALLER"] != nil }
        #expect(quota.count == 1 && quota[0]["DEFAULTSD_CALLER"] == client.name && quota[0]["DEFAULTSD_DOMAIN"] == app)
        #expect(quota[0]["DEFAULTSD_METHOD"] == "org.defaultsd1.Preferences.Set")
        let identifiers = (lost + broken + quota).compactMap { $0["MESSAGE_ID"] }
        #expect(Set(identifiers).count == 3 && identifiers.allSatisfy { $0.utf8.count == 32 })
    }

    @Test("The status line follows the store and the configuration")
    func status() throws {
        let client = try Client(on: bus)
        try client.set(app, "key", .int64(1))
        let folder = ConfigurationFolder(bus)
        try folder.replace("defaults.d/broken.json", "{")
        try client.call(MachineInterface.name, MachineInterface.reload)
        try daemon.waitForStatus("Serving org.defaultsd1; store healthy; 1 fault in the configuration")
        try folder.replace("defaults.d/broken.json", "{}")
        try client.call(MachineInterface.name, MachineInterface.reload)
        try daemon.waitForStatus("Serving org.defaultsd1; store healthy")
        #expect(truncate(daemon.store + "/defaults.sqlite", 0) == 0)
        #expect(try client.error { try client.set(app, "key", .int64(2)) }?.name == ErrorNames.unavailable)
        let state = try #require(try client.storeState())
        #expect(["restored", "lost"].contains(state))
        try daemon.waitForStatus("Serving org.defaultsd1; store \(state)")
        try client.set(app, "key", .int64(3))
        #expect(try client.get(app, "key") == .int64(3))
        try client.call(AdminInterface.name, AdminInterface.acknowledgeLoss)
        try daemon.waitForStatus("Serving org.defaultsd1; store healthy")
    }
}
