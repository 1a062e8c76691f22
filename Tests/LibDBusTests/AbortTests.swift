import CDBus
import DBusTypes
import Glibc
import LibDBus
import Support
import Testing

/// What ends the whole process in plain libdbus, and what this binding does with the same input.
///
/// Should a test of the first kind fail one day, libdbus has become milder and nothing is lost.
@Suite("What aborts in libdbus")
struct AbortTests {
    @Test("an invalid object path")
    func path() async {
        await #expect(processExitsWith: .signal(SIGABRT)) { _ = dbus_message_new_signal("no/path", "a.b", "C") }
    }

    @Test("an invalid interface name")
    func interface() async {
        await #expect(processExitsWith: .signal(SIGABRT)) { _ = dbus_message_new_signal("/", "nodots", "C") }
    }

    @Test("an invalid member name")
    func member() async {
        await #expect(processExitsWith: .signal(SIGABRT)) { _ = dbus_message_new_signal("/", "a.b", "1C") }
    }

    @Test("an invalid error name")
    func errorName() async {
        await #expect(processExitsWith: .signal(SIGABRT)) {
            dbus_message_set_error_name(dbus_message_new(DBUS_MESSAGE_TYPE_ERROR), "nodots")
        }
    }

    @Test("an invalid bus name")
    func busName() async {
        await #expect(processExitsWith: .signal(SIGABRT)) {
            dbus_message_set_destination(dbus_message_new(DBUS_MESSAGE_TYPE_SIGNAL), "nodots")
        }
    }

    @Test("a string that isn't UTF-8")
    func notUTF8() async {
        await #expect(processExitsWith: .signal(SIGABRT)) {
            var iterator = DBusMessageIter()
            dbus_message_iter_init_append(dbus_message_new_signal("/", "a.b", "C"), &iterator)
            let bytes: [CChar] = [-1, 0]
            bytes.withUnsafeBufferPointer { buffer in
                var text = buffer.baseAddress
                dbus_message_iter_append_basic(&iterator, Int32(UInt8(ascii: "s")), &text)
            }
        }
    }

    @Test("a boolean that is neither 0 nor 1")
    func boolean() async {
        await #expect(processExitsWith: .signal(SIGABRT)) {
            var iterator = DBusMessageIter()
            dbus_message_iter_init_append(dbus_message_new_signal("/", "a.b", "C"), &iterator)
            var two: UInt32 = 2
            dbus_message_iter_append_basic(&iterator, Int32(UInt8(ascii: "b")), &two)
        }
    }

    @Test("an element of a wrong type in an array")
    func element() async {
        await #expect(processExitsWith: .signal(SIGABRT)) {
            var iterator = DBusMessageIter()
            var elements = DBusMessageIter()
            dbus_message_iter_init_append(dbus_message_new_signal("/", "a.b", "C"), &iterator)
            dbus_message_iter_open_container(&iterator, Int32(UInt8(ascii: "a")), "s", &elements)
            var number: Int32 = 1
            dbus_message_iter_append_basic(&elements, Int32(UInt8(ascii: "i")), &number)
        }
    }

    @Test("an array over 64 MiB")
    func array() async {
        await #expect(processExitsWith: .signal(SIGABRT)) {
            var iterator = DBusMessageIter()
            var elements = DBusMessageIter()
            dbus_message_iter_init_append(dbus_message_new_signal("/", "a.b", "C"), &iterator)
            dbus_message_iter_open_container(&iterator, Int32(UInt8(ascii: "a")), "y", &elements)
            let bytes = [UInt8](repeating: 0, count: (64 << 20) + 1)
            bytes.withUnsafeBytes { buffer in
                var base = buffer.baseAddress
                dbus_message_iter_append_fixed_array(&elements, Int32(UInt8(ascii: "y")), &base, Int32(bytes.count))
            }
        }
    }

    @Test("dropping the last reference to an open connection")
    func lastReference() async throws {
        let bus = try PrivateBus()
        await #expect(processExitsWith: .signal(SIGABRT)) { [address = bus.address as String] in
            dbus_connection_unref(dbus_connection_open_private(address, nil))
        }
        bus.stop()
    }

    @Test("losing the bus calls _exit(1), unless told not to")
    func exitOnDisconnect() async throws {
        let bus = try PrivateBus()
        await #expect(processExitsWith: .exitCode(1)) { [address = bus.address as String, process = bus.processID as Int32] in
            let connection = exitingConnection(address)
            kill(process, SIGKILL)
            while dbus_connection_read_write_dispatch(connection, -1) != 0 {}
            exit(0)
        }
        bus.stop()
    }

    @Test("this binding survives losing the bus, says so once, and fails calls with Disconnected")
    func survivesLoss() throws {
        let pair = try Pair()
        var losses = 0
        pair.client.onDisconnect = { losses += 1 }
        var answer: Result<[Value], DBusError>?
        pair.client.send(pair.service.uniqueName, "/org/example/echo", EchoHandler.interface, "Drop") { answer = $0 }
        let hanging = pair.client.send(pair.service.uniqueName, "/", EchoHandler.interface, "Drop") { _ in
            Issue.record("cancelled")
        }
        hanging.cancel()
        pair.bus.stop()
        pair.wait(for: "the loss") { losses == 1 && answer != nil }
        #expect(answer == .failure(DBusError(.disconnected, "the connection to the bus is closed")))
        let error = #expect(throws: DBusError.self) { try pair.client.call(.bus, .bus, .bus, "GetId") }
        #expect(error?.isDisconnected == true)
        var late: Result<[Value], DBusError>?
        pair.client.send(.bus, .bus, .bus, "GetId") { late = $0 }
        #expect(late == nil)
        pair.wait(for: "the failure") { late != nil }
        #expect(throws: DBusError.self) { try late?.get() }
        #expect(throws: DBusError.self) { try pair.client.emit("/", "a.b", "C") }
        #expect(losses == 1)
    }

    @Test("a connection that is simply let go is closed first")
    func letGo() throws {
        let bus = try PrivateBus()
        let watcher = try BusConnection(address: bus.address)
        let loop = PollLoop()
        watcher.attach(to: loop)
        var isGone = false
        do {
            let connection = try BusConnection(address: bus.address)
            connection.attach(to: loop)
            _ = watcher.peers.track(connection.uniqueName) { isGone = true }
        }
        #expect(loop.run(until: { isGone }, deadline: .now + .seconds(10)))
    }

    @Test("what can't be sent is refused by name before libdbus sees it, and the connection stands")
    func refused() throws {
        let pair = try Pair()
        let big = Value.bytes([UInt8](repeating: 0, count: (64 << 20) + 1))
        let half = Value.bytes([UInt8](repeating: 0, count: 60 << 20))
        let tooDeepType = (0..<33).reduce(DBusType.byte) { type, _ in .array(of: type) }
        let tooMany = (0..<300).map { Value.int32($0) }
        let refusals: [([Value], ErrorName)] = [
            ([.string("a\0b")], .invalidArgs),
            ([.variant(.vardict([("a\0", .byte(1))]))], .invalidArgs),
            ([big], .limitsExceeded),
            ([half, half, half], .limitsExceeded),
            ([SampleValues.variants(65)], .limitsExceeded),
            ([.array(ArrayValue(unchecked: [], of: tooDeepType))], .limitsExceeded),
            ([.variant(.array(ArrayValue(unchecked: [], of: tooDeepType)))], .limitsExceeded),
            ([.structure([])], .limitsExceeded),
            ([.variant(.structure([]))], .limitsExceeded),
            (tooMany, .limitsExceeded),
            ([.unixFD(UnixFD(owning: -1) { _ in })], .failed),
        ]
        for (arguments, name) in refusals {
            let error = #expect(throws: DBusError.self) { try pair.client.emit("/", "a.b", "C", arguments) }
            #expect(error?.name == name)
            let called = #expect(throws: DBusError.self) {
                try pair.ask(EchoHandler.interface, "Echo", arguments)
            }
            #expect(called?.name == name)
        }
        #expect(try pair.ask(EchoHandler.interface, "Add", [.int32(1), .int32(2)]) == [.int32(3)])
    }

    @Test("an element of a wrong type is a bug of the caller, and says so")
    func wrongElement() async throws {
        let bus = try PrivateBus()
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            [address = bus.address as String] in
            let connection = try BusConnection(address: address)
            try connection.emit("/", "a.b", "C", [.array(ArrayValue(unchecked: [.byte(1)], of: .string))])
        }
        let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(text.contains("the elements of an array have the array's element type"))
        bus.stop()
    }
}

/// A registered connection as `dbus_bus_get_private` gives it, exit_on_disconnect and all.
private func exitingConnection(_ address: String) -> OpaquePointer? {
    setenv("DBUS_SESSION_BUS_ADDRESS", address, 1)
    return dbus_bus_get_private(DBUS_BUS_SESSION, nil)
}
