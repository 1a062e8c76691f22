import DBusTypes
import DefaultsInterface
import Glibc
import LibDBus
import Support
import Testing

@Suite("The objects on the bus")
struct PreferencesObjectTests {
    private let bus: PrivateBus
    private let daemon: Daemon
    private let client: Client

    init() throws {
        bus = try PrivateBus()
        daemon = try Daemon(on: bus)
        client = try Client(on: bus)
    }

    private func introspect(_ path: ObjectPath) throws -> String? {
        try client.call("org.freedesktop.DBus.Introspectable", "Introspect", at: path).first?.get()
    }

    private func errorName(_ interface: InterfaceName, _ member: MemberName, at path: ObjectPath, _ argument: Value? = nil) throws
        -> ErrorName?
    {
        try client.error {
            try client.connection.call(
                WellKnown.busName, path, interface, member, argument.map { [$0] } ?? [], timeout: 10_000)
        }?.name
    }

    @Test("Introspect of every object is valid by the DTD, and leads to all of them")
    func introspection() throws {
        _ = try client.start("token")
        let owner = String(client.name.dropFirst().map { $0 == "." ? "_" : $0 })
        let expected: [String: [String]] = [
            "/": ["org"], "/org": ["defaultsd1"], "/org/defaultsd1": ["countdown"], "/org/defaultsd1/countdown": [owner],
            "/org/defaultsd1/countdown/\(owner)": ["token"], "/org/defaultsd1/countdown/\(owner)/token": [],
        ]
        let folder = try TemporaryFolder()
        for (number, (path, children)) in expected.sorted(by: { $0.key < $1.key }).enumerated() {
            let object = try #require(ObjectPath(path))
            let xml = try #require(try introspect(object))
            let found = xml.split(separator: "\n").filter { $0.contains("<node name=") }
            #expect(found.count == children.count, "\(path): \(xml)")
            for child in children { #expect(xml.contains("<node name=\"\(child)\"/>"), "\(path): \(xml)") }
            let file = folder.path("\(number).xml")
            try xml.write(toNewFile: file)
            let check = try Command.run(
                "xmllint", ["--noout", "--nonet", "--dtdvalid", "/usr/share/xml/dbus-1/introspect.dtd", file],
                environment: bus.environment.variables)
            #expect(check.code == 0, "\(path): \(check)")
        }
        let root = try #require(try introspect(WellKnown.rootPath))
        for interface in [PreferencesInterface.name, LaunchesInterface.name, AdminInterface.name, CountdownsInterface.name] {
            #expect(root.contains("<interface name=\"\(interface)\">"))
        }
        for interface in ["Introspectable", "Peer", "Properties"] {
            #expect(root.contains("<interface name=\"org.freedesktop.DBus.\(interface)\">"))
        }
    }

    @Test("busctl finds the object, its methods and its properties")
    func busctl() throws {
        let tree = try Command.run(
            "busctl", ["--address=" + bus.address, "--list", "tree", "org.defaultsd1"], environment: bus.environment.variables)
        #expect(tree.output.contains("/org/defaultsd1\n"), "\(tree)")
        let result = try Command.run(
            "busctl", ["--address=" + bus.address, "introspect", "org.defaultsd1", "/org/defaultsd1"],
            environment: bus.environment.variables)
        #expect(result.code == 0, "\(result)")
        #expect(result.output.contains("org.defaultsd1.Preferences"), "\(result)")
        #expect(result.output.contains("\"healthy\""), "\(result)")
        let set = try Command.run(
            "busctl",
            [
                "--address=" + bus.address, "call", "org.defaultsd1", "/org/defaultsd1", "org.defaultsd1.Preferences", "Set",
                "ssv", "org.example.App", "sizes", "ai", "2", "1", "2",
            ], environment: bus.environment.variables)
        #expect(set.output == "t 2\n", "\(set)")
        #expect(try client.get("org.example.App", "sizes") == .array([Int32(1), 2]))
    }

    @Test("A path without an object is UnknownObject, `/` too; Ping is answered everywhere")
    func unknownObjects() throws {
        for path in [
            "/", "/org", "/org/defaultsd1/nothing", "/org/defaultsd1/countdown", "/org/defaultsd1/countdown/1_1/x", "/a",
        ] {
            let path = try #require(ObjectPath(path))
            #expect(try errorName(PreferencesInterface.name, "ListDomains", at: path) == .unknownObject, "\(path)")
            #expect(try errorName("org.freedesktop.DBus.Peer", "Ping", at: path) == nil, "\(path)")
        }
        for path: ObjectPath in ["/org/defaultsd1/nothing", "/a", "/org/defaultsd1/countdown/1_1"] {
            #expect(try errorName("org.freedesktop.DBus.Introspectable", "Introspect", at: path) == .unknownObject, "\(path)")
        }
    }

    @Test("An unknown interface and an unknown method have errors of their own that name them")
    func unknownMembers() throws {
        let root = WellKnown.rootPath
        #expect(try errorName("org.defaultsd1.Nothing", "Get", at: root) == .unknownInterface)
        #expect(try errorName("org.defaultsd1.TestClock", "Advance", at: root, .uint64(1)) == .unknownInterface)
        #expect(try errorName(PreferencesInterface.name, "Nothing", at: root) == .unknownMethod)
        #expect(try errorName(PreferencesInterface.name, "get", at: root) == .unknownMethod)
        #expect(try errorName("org.freedesktop.DBus.Peer", "Pong", at: root) == .unknownMethod)
        let error = try client.error { try client.call(PreferencesInterface.name, "Nothing") }
        #expect(error?.message.contains("Nothing") == true)
    }

    @Test("The properties of Admin: what they are, that none can be set, and the errors of those there aren't")
    func properties() throws {
        let admin = Value.string(AdminInterface.name.text)
        #expect(try client.admin(AdminInterface.version) == WellKnown.version)
        #expect(try client.admin(AdminInterface.features) == [String]())
        #expect(try client.admin(AdminInterface.storeState) == "healthy")
        #expect(try client.admin(AdminInterface.storePath) == daemon.store + "/defaults.sqlite")
        let instance = try #require(try client.admin(AdminInterface.instance, as: UInt64.self))
        let all = try #require(try client.properties("GetAll", admin).first?.dictionary?.byKey)
        #expect(Set(all.keys).isSuperset(of: ["Version", "Features", "Instance", "StoreState", "StorePath"]))
        #expect(all["Instance"] == .uint64(instance))
        #expect(try client.properties("GetAll", .string("")).first?.dictionary?.byKey == all)
        #expect(try client.properties("GetAll", .string(PreferencesInterface.name.text)) == [.vardict([])])
        let set = try client.error { try client.properties("Set", admin, .string("Version"), .variant(.string("2"))) }
        #expect(set?.name == .propertyReadOnly)
        let calls: [(MemberName, [Value], ErrorName)] = [
            ("Get", [admin, .string("Nothing")], .unknownProperty),
            ("Set", [admin, .string("Nothing"), .variant(.string("2"))], .unknownProperty),
            ("Get", [.string("org.defaultsd1.Nothing"), .string("Version")], .unknownInterface),
            ("GetAll", [.string("org.defaultsd1.Nothing")], .unknownInterface),
            ("Get", [admin], .invalidArgs),
            ("Set", [admin, .string("Version"), .string("2")], .invalidArgs),
        ]
        for (member, arguments, name) in calls {
            let error = try client.error {
                try client.connection.call(
                    WellKnown.busName, WellKnown.rootPath, "org.freedesktop.DBus.Properties", member, arguments, timeout: 10_000)
            }
            #expect(error?.name == name, "\(member) \(arguments): \(error?.message ?? "no error")")
        }
    }
}
