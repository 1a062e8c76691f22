import CDBus
import DBusTypes
import Glibc

/// Where a bus listens.
enum BusAddress {
    /// The address of a well-known bus, by the environment.
    ///
    /// A session bus is never launched: no address and no socket in the runtime folder is an error.
    static func wellKnown(_ bus: BusConnection.Bus) throws(DBusError) -> String {
        switch bus {
        case .system:
            return environment("DBUS_SYSTEM_BUS_ADDRESS") ?? "unix:path=/run/dbus/system_bus_socket"
        case .session:
            if let address = environment("DBUS_SESSION_BUS_ADDRESS") { return address }
            guard let folder = environment("XDG_RUNTIME_DIR") else {
                throw DBusError(
                    .fileNotFound, "there is no session bus: neither DBUS_SESSION_BUS_ADDRESS nor XDG_RUNTIME_DIR is set")
            }
            let path = folder + "/bus"
            guard isSocket(path) else {
                throw DBusError(
                    .fileNotFound, "there is no session bus: DBUS_SESSION_BUS_ADDRESS is not set and \(path) is no socket")
            }
            return try unix(path: path)
        }
    }

    /// Checks an address before libdbus sees it.
    static func check(_ address: String) throws(DBusError) {
        guard !address.isEmpty, !address.utf8.contains(0) else {
            throw DBusError(.badAddress, "the address of the bus is empty or contains U+0000")
        }
        for part in address.split(separator: ";") where part.hasPrefix("autolaunch:") {
            throw DBusError(
                .notSupported, "the address \"\(address)\" would launch a bus; name one that runs, such as unix:path=…")
        }
    }

    private static func unix(path: String) throws(DBusError) -> String {
        guard let escaped = dbus_address_escape_value(path) else { throw MessageFailure.noMemory.error }
        defer { dbus_free(escaped) }
        return "unix:path=" + String(cString: escaped)
    }

    private static func environment(_ name: String) -> String? {
        guard let value = getenv(name), value.pointee != 0 else { return nil }
        return String(cString: value)
    }

    private static func isSocket(_ path: String) -> Bool {
        var information = stat()
        return stat(path, &information) == 0 && information.st_mode & S_IFMT == S_IFSOCK
    }
}
