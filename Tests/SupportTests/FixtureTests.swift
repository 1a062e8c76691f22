import Glibc
import Support
import Testing

@Suite("What tests stand on")
struct FixtureTests {
    @Test("A temporary folder is private, and goes with all that is in it")
    func temporaryFolder() throws {
        let path: String
        do {
            let folder = try TemporaryFolder()
            path = folder.path
            #expect(try path.modeOfFile() == 0o700)
            let inner = try folder.makeFolder("inner")
            try "text".write(toNewFile: inner + "/file")
            #expect(try String(contentsOfFile: inner + "/file") == "text")
            #expect(symlink("/", folder.path("link")) == 0)
        }
        #expect(access(path, F_OK) != 0)
        #expect(access("/usr", F_OK) == 0)
    }

    @Test("The private environment has no bus, and a home of its own")
    func environment() throws {
        let folder = try TemporaryFolder()
        let environment = try PrivateEnvironment(in: folder)
        let paths = environment.variables.filter { $0.key == "HOME" || $0.key.hasPrefix("XDG_") }
        #expect(paths.count == 6)
        #expect(paths.allSatisfy { $0.value.hasPrefix(folder.path + "/") })
        #expect(!environment.variables.keys.contains { $0.hasPrefix("DBUS_") })
    }

    @Test("A private bus answers at its address, has the private environment, and ends with its owner")
    func privateBus() throws {
        let identifier: pid_t
        do {
            let bus = try PrivateBus()
            identifier = bus.processID
            let result = try Command.run(
                "busctl", ["--address=" + bus.address, "call", "org.freedesktop.DBus", "/", "org.freedesktop.DBus", "ListNames"],
                environment: bus.environment.variables)
            #expect(result.output.hasPrefix("as 2 \"org.freedesktop.DBus\""), "\(result)")
            let environment = try String(contentsOfFile: "/proc/\(identifier)/environ").split(separator: "\0")
            #expect(environment.contains("HOME=\(bus.environment.home)"))
        }
        #expect(kill(identifier, 0) != 0 && errno == ESRCH)
    }

    @Test("A stopped bus is gone for its clients; stopping it again is no error")
    func stoppedBus() throws {
        let bus = try PrivateBus()
        bus.stop()
        bus.stop()
        let result = try Command.run(
            "busctl", ["--address=" + bus.address, "list"], environment: bus.environment.variables)
        #expect(result.code == 1, "\(result)")
    }

    @Test("A system bus has the distribution's policy: no name may be owned but what a policy file allows")
    func systemBus() throws {
        let policies = try TemporaryFolder()
        try """
        <busconfig><policy context="default"><allow own="org.example.Allowed"/></policy></busconfig>
        """.write(toNewFile: policies.path("example.conf"))
        let bus = try PrivateBus(kind: .system(policies: [policies.path]))
        func request(_ name: String) throws -> Command.Result {
            let call = ["call", "org.freedesktop.DBus", "/", "org.freedesktop.DBus", "RequestName", "su", name, "0"]
            return try Command.run("busctl", ["--address=" + bus.address] + call, environment: bus.environment.variables)
        }
        #expect(try request("org.example.Allowed").output == "u 1\n")
        let refused = try request("org.example.Other")
        #expect(refused.code == 1 && refused.errors.contains("denied"), "\(refused)")
    }

    @Test("The notify socket waits for its line, and fails when the process ends without it")
    func notifySocket() throws {
        let folder = try TemporaryFolder()
        let socket = try NotifySocket(path: folder.path("notify"))
        let environment = ["PATH": "/usr/bin:/bin", "NOTIFY_SOCKET": socket.path]
        let silent = try ChildProcess("true", environment: environment)
        let failure = try #require(throws: TestFailure.self) { try socket.wait(for: "READY=1", from: silent) }
        #expect(failure.description == "the process ended with exit code 0 before it sent READY=1")
        let service = try ChildProcess(
            "systemd-notify", ["--ready", "--status=up", "--no-block"], environment: environment)
        try socket.wait(for: "READY=1", from: service)
    }
}
