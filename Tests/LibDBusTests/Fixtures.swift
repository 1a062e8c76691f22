import DBusTypes
import LibDBus
import Support
import Testing

/// In the tests that see libdbus itself, the name means the binding's error.
typealias DBusError = LibDBus.DBusError

/// A service that gives back what it gets, under the name `org.example.Echo`.
final class EchoHandler: InterfaceHandler {
    static let interface: InterfaceName = "org.example.Echo"

    let description = InterfaceDescription(
        interface, "Gives back what it gets.",
        methods: [
            MethodDescription(
                "Echo", in: [ArgumentDescription("value", "v", "Anything.")], out: [ArgumentDescription("value", "v")],
                "The same value."),
            MethodDescription(
                "Add", in: [ArgumentDescription("a", "i"), ArgumentDescription("b", "i")], out: [ArgumentDescription("sum", "i")],
                "The sum; an error where it overflows."),
            MethodDescription("Later", "Answers when told to."),
            MethodDescription("Drop", "Never answers."),
            MethodDescription(
                "Grow", in: [ArgumentDescription("size", "u")], out: [ArgumentDescription("bytes", "ay")], "Bytes."),
            MethodDescription("Whoami", out: [ArgumentDescription("user", "u")], "The caller's user."),
        ],
        properties: [
            PropertyDescription("Count", "u", changeSignal: .none, "How many calls there were."),
            PropertyDescription("Motto", "s", changeSignal: .const, "A text with < & > \" in it."),
        ])

    private let connection: BusConnection
    private(set) var count: UInt32 = 0
    var postponed: [IncomingCall] = []
    var onPostponed: (() -> Void)?

    init(_ connection: BusConnection) { self.connection = connection }

    func handle(_ call: IncomingCall) {
        count += 1
        switch call.member {
        case "Echo": call.reply(call.arguments)
        case "Add":
            guard case .int32(let a) = call.arguments[0], case .int32(let b) = call.arguments[1] else { return }
            let (sum, overflow) = a.addingReportingOverflow(b)
            if overflow {
                call.fail(DBusError("org.example.Error.Overflow", "\(a) + \(b) is no int32"))
            } else {
                call.reply([.int32(sum)])
            }
        case "Later":
            postponed.append(call)
            onPostponed?()
        case "Grow":
            guard case .uint32(let size) = call.arguments[0] else { return }
            call.reply([.bytes([UInt8](repeating: 7, count: Int(size)))])
        case "Whoami":
            connection.credentials(of: call.sender) { result in
                switch result {
                case .success(let credentials): call.reply([.uint32(credentials.userID)])
                case .failure(let error): call.fail(error)
                }
            }
        default: break
        }
    }

    /// Goes on once the bus has answered something.
    func afterRoundTrip(_ body: @escaping () -> Void) {
        connection.send(.bus, .bus, .bus, "GetId") { _ in body() }
    }

    func properties(_ request: PropertyRequest) {
        request.reply(["Count": .uint32(count), "Motto": .string("<&>\"")])
    }
}

/// A client and a service on one private bus, both driven by one loop.
final class Pair {
    let bus: PrivateBus
    let loop = PollLoop()
    let client: BusConnection
    let service: BusConnection
    let server: ObjectServer
    let echo: EchoHandler

    init(_ kind: PrivateBus.Kind = .session) throws {
        bus = try PrivateBus(kind: kind)
        client = try BusConnection(address: bus.address)
        service = try BusConnection(address: bus.address)
        server = ObjectServer(service)
        echo = EchoHandler(service)
        server.export("/org/example/echo", [echo])
        client.attach(to: loop)
        service.attach(to: loop)
    }

    /// Runs the loop until the condition holds; fails the test after ten seconds.
    func wait(
        for what: Comment, seconds: Int = 10, sourceLocation: SourceLocation = #_sourceLocation, _ condition: () -> Bool
    ) {
        let happened = loop.run(until: condition, deadline: .now + .seconds(seconds))
        #expect(happened, what, sourceLocation: sourceLocation)
    }

    /// Calls the service and runs the loop until the answer is in.
    func ask(
        _ interface: InterfaceName, _ member: MemberName, _ arguments: [Value] = [], at path: ObjectPath = "/org/example/echo",
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws -> [Value] {
        var answer: Result<[Value], DBusError>?
        client.send(service.uniqueName, path, interface, member, arguments) { answer = $0 }
        wait(for: "the answer of \(member)", sourceLocation: sourceLocation) { answer != nil }
        return try #require(answer, sourceLocation: sourceLocation).get()
    }

    /// The error that a call ends with.
    func error(
        _ interface: InterfaceName, _ member: MemberName, _ arguments: [Value] = [], at path: ObjectPath = "/org/example/echo",
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws -> DBusError {
        let error = #expect(throws: DBusError.self, sourceLocation: sourceLocation) {
            try ask(interface, member, arguments, at: path, sourceLocation: sourceLocation)
        }
        return try #require(error, sourceLocation: sourceLocation)
    }
}
