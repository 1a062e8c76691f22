import CDBus

/// The identity of the machine that the process runs on.
enum MachineID {
    static func read() -> Result<String, DBusError> {
        var slot = ErrorSlot()
        guard let text = slot.with({ dbus_try_get_local_machine_id($0) }) else { return .failure(slot.error) }
        defer { dbus_free(text) }
        return .success(String(cString: text))
    }
}
