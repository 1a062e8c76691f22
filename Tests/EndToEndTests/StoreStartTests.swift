import DBusTypes
import DefaultsInterface
import Glibc
import Support
import Testing

@Suite("Starts and ends that are cut short")
struct StoreStartTests {
    private static let app = "org.example.App"
    /// What a first start leaves behind on its way, and what a later one does: each a moment to end it.
    private static let files = ["", "/lock", "/commit", "/defaults.sqlite", "/defaults.sqlite-wal"]

    /// Starts a daemon and sends it a signal as soon as the file is there; returns how it ended.
    private func start(on bus: PrivateBus, store: String, until file: String, _ signal: Int32) throws
        -> Support.ExitStatus
    {
        let process = try ChildProcess(
            Programs.path("defaultsd"), ["--address=" + bus.address, "--store=" + store],
            environment: bus.environment.variables)
        let deadline = Deadline.inTenSeconds
        while access(store + file, F_OK) != 0 {
            if deadline.isPast { throw TestFailure("\(file) had not come \(deadline)") }
            sched_yield()
        }
        process.send(signal)
        return try process.wait()
    }

    @Test("P7, P9: kill -9 in the middle of the first start leaves nothing that the next one takes for damage", arguments: files)
    func killedAtFirstStart(_ file: String) throws {
        let bus = try PrivateBus()
        for _ in 0..<3 {
            #expect(try start(on: bus, store: bus.folder + "/store", until: file, SIGKILL) == .signalled(SIGKILL))
        }
        let daemon = try Daemon(on: bus)
        let client = try Client(on: bus)
        #expect(try client.storeState() == "healthy")
        #expect(try client.revision(Self.app) == 1)
        try client.set(Self.app, "n", .int64(1))
        #expect(daemon.log.split(separator: "\n").count == 1, "\(daemon.log)")
        #expect(try daemon.terminate() == .exited(0))
        #expect(try !daemon.store.namesInFolder().contains { $0.contains("new") || $0.hasPrefix("damaged") })
    }

    @Test("SIGTERM before the daemon is ready is exit 0 and leaves a healthy store", arguments: files)
    func stoppedAtStart(_ file: String) throws {
        let bus = try PrivateBus()
        for round in 1...3 {
            let store = bus.folder + "/store-\(round)"
            #expect(try start(on: bus, store: store, until: file, SIGTERM) == .exited(0))
            let daemon = try Daemon(on: bus, store: store)
            let client = try Client(on: bus)
            #expect(try client.storeState() == "healthy")
            try client.set(Self.app, "n", .int64(1))
            #expect(try daemon.terminate() == .exited(0))
        }
    }
}
