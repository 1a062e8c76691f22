import CDBus
import DBusTypes
import Glibc
import LibDBus
import Support
import Testing

@Suite("The object server")
struct ServerTests {
    static let properties: InterfaceName = "org.freedesktop.DBus.Properties"
    static let introspectable: InterfaceName = "org.freedesktop.DBus.Introspectable"
    static let peer: InterfaceName = "org.freedesktop.DBus.Peer"

    @Test("arguments of a wrong type are refused by a message that stands alone")
    func wrongSignature() throws {
        let pair = try Pair()
        let calls: [(MemberName, [Value], String)] = [
            ("Add", [.string("1"), .int32(2)], "Add takes (ii), not (si): i a, i b"),
            ("Add", [], "Add takes (ii), not (): i a, i b"),
            ("Add", [.int32(1), .int32(2), .int32(3)], "Add takes (ii), not (iii): i a, i b"),
            ("Whoami", [.byte(1)], "Whoami takes (), not (y): no arguments"),
        ]
        for (member, arguments, message) in calls {
            #expect(try pair.error(EchoHandler.interface, member, arguments) == DBusError(.invalidArgs, message))
        }
        #expect(try pair.error(Self.properties, "Get", [.string("x")]).name == .invalidArgs)
        #expect(try pair.error(Self.introspectable, "Introspect", [.string("x")]).name == .invalidArgs)
        #expect(try pair.error(Self.peer, "Ping", [.string("x")]).name == .invalidArgs)
        #expect(pair.echo.count == 0)
    }

    @Test("what doesn't exist is named: object, interface, method")
    func unknown() throws {
        let pair = try Pair()
        #expect(try pair.error(EchoHandler.interface, "Add", at: "/nowhere").name == .unknownObject)
        #expect(try pair.error("a.b", "Add", at: "/org").name == .unknownObject)
        let interface = try pair.error("org.example.Other", "Add")
        #expect(interface.name == .unknownInterface)
        #expect(interface.message.contains("org.example.Echo"))
        let method = try pair.error(EchoHandler.interface, "Subtract")
        #expect(method == DBusError(.unknownMethod, "org.example.Echo has no method Subtract"))
        #expect(try pair.error(Self.peer, "Pong").name == .unknownMethod)
    }

    @Test("properties are read one by one, together, and by an empty interface name")
    func readProperties() throws {
        let pair = try Pair()
        let motto = try pair.ask(Self.properties, "Get", [.string("org.example.Echo"), .string("Motto")])
        #expect(motto == [.variant(.string("<&>\""))])
        #expect(try pair.ask(Self.properties, "Get", [.string(""), .string("Count")]) == [.variant(.uint32(0))])
        let all = Value.vardict([("Count", .uint32(0)), ("Motto", .string("<&>\""))])
        #expect(try pair.ask(Self.properties, "GetAll", [.string("org.example.Echo")]) == [all])
        #expect(try pair.ask(Self.properties, "GetAll", [.string("")]) == [all])
        #expect(try pair.ask(Self.properties, "GetAll", [.string(Self.peer.text)]) == [.vardict([])])
    }

    @Test("each way to miss a property has its error")
    func propertyErrors() throws {
        let pair = try Pair()
        let echo = Value.string("org.example.Echo")
        let cases: [(MemberName, [Value], ErrorName, String)] = [
            (
                "Get", [echo, .string("Nothing")], .unknownProperty,
                "org.example.Echo has no property Nothing; it has Count, Motto"
            ),
            (
                "Get", [.string(""), .string("Nothing")], .unknownProperty,
                "no interface of /org/example/echo has a property Nothing"
            ),
            (
                "Get", [.string(Self.peer.text), .string("Count")], .unknownProperty,
                "org.freedesktop.DBus.Peer has no property Count; it has none"
            ),
            (
                "Set", [echo, .string("Motto"), .variant(.string("x"))], .propertyReadOnly,
                "org.example.Echo.Motto can't be set: all properties are read-only"
            ),
        ]
        for (member, arguments, name, message) in cases {
            #expect(try pair.error(Self.properties, member, arguments) == DBusError(name, message))
        }
        for (member, arguments) in [
            ("Get", [.string("a.b"), .string("Count")]), ("GetAll", [.string("not an interface")]),
            ("Set", [.string("a.b"), .string("Count"), .variant(.byte(1))]),
        ] as [(MemberName, [Value])] {
            #expect(try pair.error(Self.properties, member, arguments).name == .unknownInterface)
        }
    }

    @Test("the tree leads from / to every object, and each node's description is valid")
    func introspection() throws {
        let pair = try Pair()
        for (path, child) in [("/", "org"), ("/org", "example"), ("/org/example", "echo")] as [(ObjectPath, String)] {
            let xml = try introspect(pair, path)
            #expect(xml.contains("<node name=\"\(child)\"/>"))
            #expect(!xml.contains("org.example.Echo"))
            #expect(try isValid(xml))
        }
        let xml = try introspect(pair, "/org/example/echo")
        #expect(xml.contains(pair.echo.description.interfaceXML))
        for name in [Self.properties, Self.introspectable, Self.peer] { #expect(xml.contains("<interface name=\"\(name)\">")) }
        #expect(try isValid(xml))
        pair.server.unexport("/org/example/echo")
        #expect(try introspect(pair, "/").contains("<node name=") == false)
        #expect(try pair.error(Self.introspectable, "Introspect").name == .unknownObject)
    }

    @Test("Ping is about the process and answered at any path; the machine has its identity")
    func peerInterface() throws {
        let pair = try Pair()
        for path in ["/", "/org/example/echo", "/nowhere"] as [ObjectPath] {
            #expect(try pair.ask(Self.peer, "Ping", at: path) == [])
        }
        guard case .string(let machine)? = try? pair.ask(Self.peer, "GetMachineId").first else { return }
        #expect(machine.utf8.count == 32)
    }

    @Test("a call without an interface finds the method in any")
    func withoutInterface() throws {
        let pair = try Pair()
        #expect(try callWithoutInterface(pair, "Whoami") == nil)
        #expect(try callWithoutInterface(pair, "Introspect") == nil)
        #expect(try callWithoutInterface(pair, "Nothing") == "org.freedesktop.DBus.Error.UnknownMethod")
        #expect(try callWithoutInterface(pair, "Add") == "org.freedesktop.DBus.Error.InvalidArgs")
    }

    /// The binding always sends an interface, so libdbus is asked to leave it out.
    private func callWithoutInterface(_ pair: Pair, _ member: String) throws -> String? {
        let message = dbus_message_new_method_call(pair.service.uniqueName.text, "/org/example/echo", nil, member)
        defer { dbus_message_unref(message) }
        let caller = try #require(dbus_connection_open_private(pair.bus.address, nil))
        defer {
            dbus_connection_close(caller)
            dbus_connection_unref(caller)
        }
        try #require(dbus_bus_register(caller, nil) != 0)
        var pending: OpaquePointer?
        try #require(dbus_connection_send_with_reply(caller, message, &pending, 10_000) != 0)
        defer { dbus_pending_call_unref(pending) }
        let deadline = ContinuousClock.now + .seconds(10)
        while dbus_pending_call_get_completed(pending) == 0, .now < deadline {
            pair.loop.iterate(deadline: .now + .milliseconds(5))
            dbus_connection_read_write_dispatch(caller, 0)
        }
        try #require(dbus_pending_call_get_completed(pending) != 0)
        let reply = try #require(dbus_pending_call_steal_reply(pending))
        defer { dbus_message_unref(reply) }
        return dbus_message_get_error_name(reply).map { String(cString: $0) }
    }

    @Test("an answer can come later, in any order, and a call given up answers by itself")
    func later() throws {
        let pair = try Pair()
        var answers: [Int] = []
        for number in 0..<3 {
            pair.client.send(pair.service.uniqueName, "/org/example/echo", EchoHandler.interface, "Later") { result in
                if case .success = result { answers.append(number) }
            }
        }
        pair.wait(for: "three calls") { pair.echo.postponed.count == 3 }
        for call in pair.echo.postponed.reversed() { call.reply() }
        pair.wait(for: "three answers") { answers.count == 3 }
        #expect(answers == [2, 1, 0])
        let error = try pair.error(EchoHandler.interface, "Drop")
        #expect(error == DBusError(.noReply, "org.example.Echo.Drop was given up without an answer"))
    }

    @Test("P12: an answer too large for a message becomes the error that the service gives for it")
    func tooLarge() throws {
        let pair = try Pair()
        pair.service.messageLimit = 1 << 20
        pair.server.tooLarge = { member, limit in DBusError("org.example.Error.LimitExceeded", "\(member): \(limit)") }
        #expect(try pair.ask(EchoHandler.interface, "Grow", [.uint32(1_000_000)]).count == 1)
        let error = try pair.error(EchoHandler.interface, "Grow", [.uint32(1 << 20)])
        #expect(error.name == "org.example.Error.LimitExceeded")
        #expect(error.message.hasPrefix("org.example.Echo.Grow: "))
        pair.service.messageLimit = WireLimits.messageBytes
        #expect(try pair.error(EchoHandler.interface, "Grow", [.uint32(65 << 20)]).name == "org.example.Error.LimitExceeded")
        #expect(pair.service.isConnected)
    }

    @Test("objects of a subtree are found by their handler, at once or later, by caller")
    func subtree() throws {
        let pair = try Pair()
        let subtree = Subtree(pair.echo, allowed: pair.client.uniqueName)
        pair.server.exportSubtree(below: "/org/example/dynamic", node: subtree)
        for isLate in [false, true] {
            subtree.isLate = isLate
            let path: ObjectPath = "/org/example/dynamic/a/b"
            #expect(try pair.ask(EchoHandler.interface, "Add", [.int32(2), .int32(3)], at: path) == [.int32(5)])
            #expect(try pair.ask(Self.properties, "Get", [.string(""), .string("Motto")], at: path).count == 1)
            #expect(try pair.error(EchoHandler.interface, "Add", at: "/org/example/dynamic/a/c").name == .unknownObject)
            #expect(try introspect(pair, "/org/example").contains("<node name=\"dynamic\"/>"))
            #expect(try introspect(pair, "/org/example/dynamic").contains("<node name=\"a\"/>"))
            #expect(try introspect(pair, "/org/example/dynamic/a").contains("<node name=\"b\"/>"))
            #expect(try introspect(pair, path).contains("org.example.Echo"))
        }
        subtree.allowed = ":0.0"
        #expect(try !introspect(pair, "/org/example/dynamic").contains("<node name="))
        #expect(try pair.error(EchoHandler.interface, "Add", at: "/org/example/dynamic/a/b").name == .unknownObject)
        pair.server.unexport("/org/example/dynamic")
        #expect(try !introspect(pair, "/org/example").contains("dynamic"))
    }

    @Test("scenario 7: random values to every method are an answer or a named error, and the service stands")
    func junk() throws {
        let pair = try Pair()
        var generator = SeededGenerator(seed: 7)
        let methods: [(InterfaceName, MemberName)] =
            pair.echo.description.methods.map { (EchoHandler.interface, $0.name) }
            + [(Self.properties, "Get"), (Self.properties, "GetAll"), (Self.properties, "Set"), (Self.peer, "Ping")]
        var refused = 0
        for _ in 0..<1_000 {
            let (interface, member) = methods[Int.random(in: 0..<methods.count, using: &generator)]
            guard member != "Later", member != "Grow" else { continue }
            let arguments = (0..<Int.random(in: 0...3, using: &generator)).map { _ in
                generator.value(generator.type(depth: 4), depth: 4)
            }
            do {
                _ = try pair.ask(interface, member, arguments)
            } catch let error as DBusError {
                #expect(!error.message.isEmpty)
                refused += 1
            }
        }
        #expect(refused > 500)
        #expect(try pair.ask(EchoHandler.interface, "Add", [.int32(1), .int32(1)]) == [.int32(2)])
    }

    private func introspect(_ pair: Pair, _ path: ObjectPath) throws -> String {
        guard case .string(let xml)? = try pair.ask(Self.introspectable, "Introspect", at: path).first else { return "" }
        return xml
    }

    private func isValid(_ xml: String) throws -> Bool {
        let validator = try #require(popen("xmllint --noout --dtdvalid /usr/share/xml/dbus-1/introspect.dtd -", "w"))
        fputs(xml, validator)
        return pclose(validator) == 0
    }
}

/// One object at `a/b` below its root, for one caller.
private final class Subtree: SubtreeHandler {
    private let echo: EchoHandler
    var allowed: BusName
    var isLate = false

    init(_ echo: EchoHandler, allowed: BusName) {
        self.echo = echo
        self.allowed = allowed
    }

    func handlers(at path: ObjectPath, for sender: BusName, completion: @escaping ([any InterfaceHandler]?) -> Void) {
        let found = sender == allowed && path.text.hasSuffix("/a/b")
        answer(sender) { completion(found ? [self.echo] : nil) }
    }

    func children(of path: ObjectPath, for sender: BusName, completion: @escaping ([String]) -> Void) {
        var names: [String] = []
        if sender == allowed, path.text.hasSuffix("/dynamic") { names = ["a"] }
        if sender == allowed, path.text.hasSuffix("/a") { names = ["b"] }
        answer(sender) { completion(names) }
    }

    /// Later means after a question to the bus, as a service that looks up credentials has it.
    private func answer(_ sender: BusName, _ body: @escaping () -> Void) {
        if isLate { echo.afterRoundTrip(body) } else { body() }
    }
}
