import DBusTypes
import DefaultsInterface
import Support
import Testing

@Suite("The daemon, from the socket to the disk")
struct FirstSliceTests {
    @Test("Scenario 1, P7: a Set that was answered survives kill -9 at once")
    func setSurvivesKill() throws {
        let bus = try PrivateBus()
        let daemon = try Daemon(on: bus)
        #expect(try Client(on: bus).set("org.example.App", "theme", .string("dark")) == 2)
        try daemon.kill9()
        try daemon.restart()
        #expect(try Client(on: bus).get("org.example.App", "theme") == .string("dark"))
        #expect(try daemon.terminate() == .exited(0))
    }
}
