import DBusTypes
import DefaultsInterface
import LibDBus
import Support
import Testing

@Suite("Countdowns: objects, properties, bad input")
struct CountdownObjectTests {
    @Test("Properties are computed when asked, each of its type; none can be set")
    func properties() throws {
        let time = try TimedDaemon()
        let (path, _) = try time.client.start("splash", [("purpose", .string("Welcome 欢迎")), ("tick", .uint64(500))])
        try time.advance(1_234)
        let owner = time.client.connection.uniqueName.text
        let wanted: [(String, Value)] = [
            ("State", .string("running")), ("Duration", .uint64(10_000)), ("Tick", .uint64(500)), ("Remaining", .uint64(8_766)),
            ("RemainingTicks", .uint32(18)), ("Skippable", .boolean(true)), ("Owner", .string(owner)),
            ("Purpose", .string("Welcome 欢迎")),
        ]
        #expect(try time.client.properties(of: path) == DictionaryValue(wanted))
        let properties: InterfaceName = "org.freedesktop.DBus.Properties"
        let interface = Value.string(CountdownInterface.name.text)
        for (name, value) in wanted {
            #expect(try time.client.call(properties, "Get", interface, .string(name), at: path) == [.variant(value)])
            let error = try time.client.error {
                try time.client.call(properties, "Set", interface, .string(name), .variant(value), at: path)
            }
            #expect(error?.name == .propertyReadOnly)
        }
        let error = try time.client.error { try time.client.call(properties, "Get", interface, .string("Nope"), at: path) }
        #expect(error?.name == .unknownProperty)
    }

    @Test("List: the user's countdowns that live, over all connections, in the order started, with their states")
    func list() throws {
        let time = try TimedDaemon()
        #expect(try time.client.listCountdowns().isEmpty)
        let empty = try time.client.call(CountdownsInterface.name, CountdownsInterface.list)
        let element = DBusType.structure([.objectPath, .dictionary(key: .string, value: .variant)])
        #expect(empty == [.array(ArrayValue(unchecked: [], of: element))])
        let other = try Client(on: time.bus)
        let paths = [try time.client.start("z").path, try other.start("a").path, try time.client.start("m").path]
        let listed = try other.listCountdowns()
        #expect(listed.map(\.path) == paths)
        #expect(listed[1].state.text("owner") == other.connection.uniqueName.text)
        let keys = ["state", "duration", "tick", "remaining", "remaining_ticks", "skippable", "owner", "purpose", "reason"]
        #expect(listed.allSatisfy { row in keys.allSatisfy { row.state[$0] != nil } && row.state.entries.count == keys.count })
        try time.client.countdown(CountdownInterface.cancel, at: paths[0])
        #expect(try other.listCountdowns().map(\.path) == [paths[1], paths[2]])
    }

    @Test("Introspect shows the tree down to each countdown, and busctl tree prints it")
    func tree() throws {
        let time = try TimedDaemon()
        let (path, _) = try time.client.start("splash")
        let sender = try #require(path.text.split(separator: "/").dropLast().last)
        let children = [
            ("/", "org"), ("/org", "defaultsd1"), ("/org/defaultsd1", "countdown"), ("/org/defaultsd1/countdown", String(sender)),
            ("/org/defaultsd1/countdown/\(sender)", "splash"),
        ]
        for (parent, child) in children {
            let parent = try #require(ObjectPath(parent))
            let reply = try time.client.call("org.freedesktop.DBus.Introspectable", "Introspect", at: parent)
            #expect(reply.first?.get(as: String.self)?.contains("<node name=\"\(child)\"") == true, "\(parent)")
        }
        let xml = try time.client.call("org.freedesktop.DBus.Introspectable", "Introspect", at: path).first?.get(as: String.self)
        #expect(xml?.contains("<interface name=\"org.defaultsd1.Countdown\"") == true && xml?.contains("<node name=") == false)

        let result = try Command.run(
            "busctl", ["--address=" + time.bus.address, "--list", "tree", "org.defaultsd1"],
            environment: time.bus.clientVariables)
        #expect(result.code == 0 && result.output.split(separator: "\n").contains(Substring(path.text)), "\(result)")
        let shown = try Command.run(
            "busctl", ["--address=" + time.bus.address, "introspect", "org.defaultsd1", path.text],
            environment: time.bus.clientVariables)
        #expect(shown.code == 0 && shown.output.contains(".Skip") && shown.output.contains(".Remaining"), "\(shown)")

        try time.client.countdown(CountdownInterface.cancel, at: path)
        let after = try time.client.call(
            "org.freedesktop.DBus.Introspectable", "Introspect", at: "/org/defaultsd1/countdown")
        #expect(after.first?.get(as: String.self)?.contains("<node name=") == false)
    }

    @Test("A path that is no countdown's, or of one that never was, is UnknownObject")
    func unknownObjects() throws {
        let time = try TimedDaemon()
        for text in ["countdown/1_1/nope", "countdown/nope", "countdown/1_1/a/b", "countdown"] {
            let path = try #require(ObjectPath("/org/defaultsd1/" + text))
            let error = try time.client.error { try time.client.countdown(CountdownInterface.skip, at: path) }
            #expect(error?.name == .unknownObject || error?.name == .unknownInterface || error?.name == .unknownMethod, "\(text)")
        }
        let path = try time.client.predictedPath("nope")
        let error = try time.client.error { try time.client.countdown(CountdownInterface.watch, at: path) }
        #expect(error?.name == .unknownObject)
    }

    @Test(
        "A token has 1 to 64 of A-Z a-z 0-9 _, else InvalidName",
        arguments: [
            "", "a-b", "a b", "a/b", "é", "a.b", String(repeating: "x", count: 65),
        ])
    func tokens(token: String) throws {
        let time = try TimedDaemon()
        let error = try #require(try time.client.error { try time.client.start(token) })
        #expect(error.name == ErrorNames.invalidName && error.message.contains("token"))
        #expect(try time.client.start(String(repeating: "x", count: 64)).state.text("state") == "running")
    }

    @Test(
        "C6: a spec that can't be is InvalidArgument, naming the entry and its value",
        arguments: [
            ("duration", Value.int64(-1)), ("duration", .uint64(30 * 86_400_000 + 1)), ("duration", .uint64(.max)),
            ("duration", .string("10")), ("duration", .double(10)), ("tick", .uint64(49)), ("tick", .uint64(0)),
            ("tick", .int32(-5)),
            ("start", .string("later")), ("skippable_after", .int64(-1)), ("skippable_after", .uint64(.max)),
            ("on_suspend", .string("stop")), ("on_owner_lost", .string("")), ("replace", .uint32(1)), ("purpose", .uint32(1)),
            ("purpose", .string(String(repeating: "p", count: 1_025))), ("durration", .uint64(1)),
        ])
    func badSpec(entry: String, value: Value) throws {
        let time = try TimedDaemon()
        let error = try #require(try time.client.error { try time.client.start("splash", [(entry, value)]) })
        #expect(error.name == ErrorNames.invalidArgument && error.message.contains(entry), "\(error)")
        #expect(try time.client.listCountdowns().isEmpty)
        try time.client.drain()
        #expect(time.client.signals.isEmpty)
    }

    @Test(
        "Integers in a spec are taken in any width that holds the value",
        arguments: [
            Value.byte(200), .int16(200), .uint16(200), .int32(200), .uint32(200), .int64(200), .uint64(200),
        ])
    func anyWidth(value: Value) throws {
        let time = try TimedDaemon()
        let (_, state) = try time.client.start("splash", [("duration", value), ("tick", value)])
        #expect(state.number("duration") == 200 && state.number("tick") == 200)
    }

    @Test("30 days by 50 ms is allowed; a tick longer than the duration gives Tick(1), then the end")
    func extremes() throws {
        let time = try TimedDaemon()
        let (long, state) = try time.client.start("long", [("duration", .uint64(30 * 86_400_000)), ("tick", .uint64(50))])
        #expect(state.count("remaining_ticks") == 51_840_000)
        try time.client.countdown(CountdownInterface.cancel, at: long)
        let (short, _) = try time.client.start("short", [("duration", .uint64(700)), ("tick", .uint64(5_000))])
        try time.advance(700)
        #expect(time.client.events(of: short) == ["Tick 1 700 0", "Tick 0 0 0", "Finished elapsed 0"])
    }
}
