import DBusTypes
import DefaultsInterface
import Glibc
import LibDBus
import Support
import Testing

/// Stands in for polkit: answers what a test tells it to, and remembers what it was asked.
private final class Polkit: InterfaceHandler {
    let description = InterfaceDescription(
        "org.freedesktop.PolicyKit1.Authority", "Says who may do what.",
        methods: [
            MethodDescription(
                "CheckAuthorization",
                in: [
                    ArgumentDescription("subject", "(sa{sv})", ""), ArgumentDescription("action_id", "s", ""),
                    ArgumentDescription("details", "a{ss}", ""), ArgumentDescription("flags", "u", ""),
                    ArgumentDescription("cancellation_id", "s", ""),
                ], out: [ArgumentDescription("result", "(bba{ss})", "")], "Decides.")
        ])
    private let connection: BusConnection
    private let server: ObjectServer
    let loop = PollLoop()
    var answer = false
    private(set) var asked: [[Value]] = []

    init(on bus: PrivateBus) throws {
        connection = try BusConnection(address: bus.address)
        server = ObjectServer(connection)
        server.export("/org/freedesktop/PolicyKit1/Authority", [self])
        connection.attach(to: loop)
        guard try connection.requestName("org.freedesktop.PolicyKit1") == .owned else {
            throw TestFailure("polkit's name is taken")
        }
    }

    func handle(_ call: IncomingCall) {
        asked.append(call.arguments)
        let details = Value.dictionary(DictionaryValue(unchecked: [], key: .string, value: .string))
        call.reply([.structure([.boolean(answer), .boolean(false), details])])
    }

    func close() { connection.close() }
}

@Suite("Who may change the machine's values", .timeLimit(.minutes(2)))
struct LayersPolkitTests {
    private let bus: PrivateBus
    private let daemon: ChildProcess
    private let policies: TemporaryFolder

    /// The daemon of the machine, on a system bus of the test's own.
    init() throws {
        try #require(getuid() == 0, "one must be root to be someone else too")
        policies = try TemporaryFolder()
        try """
        <busconfig><policy context="default">
          <allow own="*"/><allow send_destination="*"/><allow receive_sender="*"/>
        </policy></busconfig>
        """.write(toNewFile: policies.path("test.conf"))
        bus = try PrivateBus(kind: .system(policies: [policies.path]))
        // The bus's folder is for its owner; nobody must come to its socket.
        #expect(chmod(bus.folder, 0o755) == 0)
        var variables = bus.environment.variables
        let socket = try NotifySocket(path: bus.folder + "/notify-system")
        variables["NOTIFY_SOCKET"] = socket.path
        let log = open(bus.folder + "/system.log", O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
        defer { close(log) }
        daemon = try ChildProcess(
            Programs.path("defaultsd"),
            [
                "--system", "--address=" + bus.address, "--store=" + bus.folder + "/store", "--config=" + bus.folder + "/config",
            ], environment: variables, output: log, errors: log)
        try socket.wait(for: "READY=1", from: daemon)
    }

    /// Calls SetDefault as the user nobody; returns what busctl printed, while `polkit` answers.
    private func setAsNobody(_ value: Int, _ polkit: Polkit? = nil) throws -> Command.Result {
        let command = try Command(
            "setpriv",
            [
                "--reuid=65534", "--regid=65534", "--clear-groups", "busctl", "--address=" + bus.address, "call",
                "org.defaultsd1",
                "/org/defaultsd1", "org.defaultsd1.Machine", "SetDefault", "ssv", "org.example.App", "k", "i", String(value),
            ], environment: bus.environment.variables)
        if let polkit {
            try Await.until("the command's end", on: polkit.loop, deadline: .inTenSeconds) {
                polkit.loop.iterate(deadline: .now)
                usleep(10_000)
                return command.process.poll() != nil
            }
        }
        return try command.finish()
    }

    @Test("Without polkit only root may; with it, whom it allows the action org.defaultsd1.machine")
    func polkit() throws {
        let client = try Client(on: bus)
        let refused = try setAsNobody(1)
        #expect(refused.code != 0 && refused.errors.contains("Access denied"), "\(refused)")
        #expect(try client.get("org.example.App", "k") == nil)

        let polkit = try Polkit(on: bus)
        defer { polkit.close() }
        let denied = try setAsNobody(1, polkit)
        #expect(denied.code != 0 && denied.errors.contains("Access denied"), "\(denied)")
        let asked = try #require(polkit.asked.first)
        #expect(asked[1] == .string("org.defaultsd1.machine"))
        guard case .structure(let subject) = asked[0] else { throw TestFailure("\(asked)") }
        #expect(subject[0] == .string("system-bus-name"))
        #expect(try client.get("org.example.App", "k") == nil)

        polkit.answer = true
        let allowed = try setAsNobody(2, polkit)
        #expect(allowed.code == 0, "\(allowed)")
        #expect(try client.get("org.example.App", "k") == .int32(2))

        // Root is asked for by no one.
        let before = polkit.asked.count
        try client.call(
            MachineInterface.name, MachineInterface.setDefault, .string("org.example.App"), .string("k"), .variant(.int32(3)))
        #expect(polkit.asked.count == before)
        #expect(try client.get("org.example.App", "k") == .int32(3))
        daemon.send(SIGTERM)
        #expect(try daemon.wait() == .exited(0))
    }
}
