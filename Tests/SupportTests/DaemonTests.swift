import DBusTypes
import Glibc
import LibDBus
import Support
import Testing

@Suite("The daemon under test")
struct DaemonTests {
    @Test("It serves on its bus when it is made, and again after kill -9 and a restart; SIGTERM ends it with 0")
    func life() throws {
        let bus = try PrivateBus()
        let daemon = try Daemon(on: bus)
        let first = daemon.process.identifier
        #expect(try owner(on: bus) == first)
        try daemon.kill9()
        #expect(try owner(on: bus) == nil)
        try daemon.restart()
        #expect(daemon.process.identifier != first)
        #expect(try owner(on: bus) == daemon.process.identifier)
        #expect(try daemon.terminate() == .exited(0))
        #expect(access(daemon.store + "/defaults.sqlite", F_OK) == 0)
        #expect(daemon.log.contains(daemon.store))
    }

    @Test("A daemon that doesn't start fails the test with its own words")
    func failedStart() throws {
        let bus = try PrivateBus()
        let failure = try #require(throws: TestFailure.self) { try Daemon(on: bus, arguments: ["--no-such-option"]) }
        #expect(failure.description.contains("exit code 64 before it sent READY=1"))
        #expect(failure.description.contains("--no-such-option"))
    }

    @Test("Restarting one that still runs is refused")
    func restartRunning() throws {
        let daemon = try Daemon(on: try PrivateBus())
        #expect(throws: TestFailure.self) { try daemon.restart() }
        #expect(daemon.process.poll() == nil)
    }

    @Test("The test clock moves time on")
    func testClock() throws {
        let bus = try PrivateBus()
        let daemon = try Daemon(on: bus, arguments: ["--test-clock"])
        let loop = PollLoop()
        let connection = try BusConnection(address: bus.address)
        connection.attach(to: loop)
        var finished = false
        _ = try connection.subscribe(
            MatchRule(sender: "org.defaultsd1", interface: "org.defaultsd1.Countdown", member: "Finished")
        ) { _ in finished = true }
        let spec: [(String, Value)] = [("duration", .uint64(3_600_000))]
        _ = try connection.call(
            "org.defaultsd1", "/org/defaultsd1", "org.defaultsd1.Countdowns", "Start", [.string("hour"), .vardict(spec)])
        let clock = TestClock(connection)
        try clock.setWall(microseconds: 0)
        try clock.advance(milliseconds: 3_599_999)
        #expect(!finished)
        try clock.suspend(milliseconds: 1)
        try Await.until("the end of the countdown", on: loop) { finished }
        #expect(try daemon.terminate() == .exited(0))
    }

    /// The process that has the daemon's name, as the bus sees it.
    private func owner(on bus: PrivateBus) throws -> pid_t? {
        let result = try Command.run(
            "busctl",
            [
                "--address=" + bus.address, "call", "org.freedesktop.DBus", "/", "org.freedesktop.DBus",
                "GetConnectionUnixProcessID", "s", "org.defaultsd1",
            ], environment: bus.environment.variables)
        guard result.code == 0 else { return nil }
        return result.output.split(separator: " ").last.flatMap { pid_t($0.dropLast()) }
    }
}
