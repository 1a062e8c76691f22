import CDBus
import DBusTypes

/// libdbus's error structure, freed when done.
struct ErrorSlot: ~Copyable {
    private var storage = CDBus.DBusError()

    init() { dbus_error_init(&storage) }

    deinit {
        var storage = storage
        dbus_error_free(&storage)
    }

    /// Calls a C function with the structure.
    mutating func with<Result>(_ body: (UnsafeMutablePointer<CDBus.DBusError>) -> Result) -> Result { body(&storage) }

    /// What was written into the structure.
    var error: DBusError {
        guard let name = storage.name, let message = storage.message else {
            return DBusError(.failed, "libdbus gave no reason")
        }
        return DBusError(ErrorName(unchecked: String(cString: name)), String(cString: message))
    }
}
