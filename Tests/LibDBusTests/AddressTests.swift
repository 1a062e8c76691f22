import DBusTypes
import Glibc
import LibDBus
import Support
import Testing

/// The environment is one for all tests of a process, so each of these runs in a process of its own.
@Suite("Where the bus is")
struct AddressTests {
    @Test(
        "an address that leads nowhere is a named error",
        arguments: [
            ("", ErrorName.badAddress), ("nonsense", .badAddress), ("unix:path=/nonexistent/socket", .fileNotFound),
            ("autolaunch:", .notSupported), ("unix:path=/nonexistent;autolaunch:", .notSupported),
            ("unix:path=/a\0b", .badAddress),
        ])
    func addresses(_ address: String, _ name: ErrorName) {
        let error = #expect(throws: DBusError.self) { try BusConnection(address: address) }
        #expect(error?.name == name)
        #expect(error?.message.isEmpty == false)
    }

    @Test("the session bus is DBUS_SESSION_BUS_ADDRESS")
    func sessionByAddress() async throws {
        let bus = try PrivateBus()
        await #expect(processExitsWith: .success) { [address = bus.address as String] in
            setenv("DBUS_SESSION_BUS_ADDRESS", address, 1)
            _ = try BusConnection(bus: .session).busID()
        }
        bus.stop()
    }

    @Test("without DBUS_SESSION_BUS_ADDRESS the session bus is the socket in the runtime folder")
    func sessionBySocket() async throws {
        let bus = try PrivateBus()
        await #expect(processExitsWith: .success) { [folder = bus.folder as String] in
            unsetenv("DBUS_SESSION_BUS_ADDRESS")
            setenv("XDG_RUNTIME_DIR", folder, 1)
            _ = try BusConnection(bus: .session).busID()
        }
        bus.stop()
    }

    @Test("no session bus is a named error, and none is launched")
    func noSession() async {
        await #expect(processExitsWith: .success) {
            unsetenv("DBUS_SESSION_BUS_ADDRESS")
            for folder in [nil, "/nonexistent"] {
                if let folder { setenv("XDG_RUNTIME_DIR", folder, 1) } else { unsetenv("XDG_RUNTIME_DIR") }
                do throws(DBusError) {
                    _ = try BusConnection(bus: .session)
                    exit(1)
                } catch {
                    guard error.name == .fileNotFound, error.message.contains("DBUS_SESSION_BUS_ADDRESS") else { exit(2) }
                }
            }
        }
    }
}
