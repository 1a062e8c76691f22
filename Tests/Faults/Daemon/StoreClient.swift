import DBusTypes
import DefaultsInterface
import LibDBus
import Support

/// A connection to the daemon's bus that calls and waits, or calls and goes on.
final class StoreClient {
    let connection: BusConnection
    let loop = PollLoop()

    init(_ bus: PrivateBus) throws {
        connection = try BusConnection(address: bus.address)
        connection.attach(to: loop)
    }

    deinit { connection.close() }

    /// Calls `Preferences` and waits.
    func call(_ member: MemberName, _ arguments: [Value]) throws(DBusError) -> [Value] {
        try connection.call(
            WellKnown.busName, WellKnown.rootPath, PreferencesInterface.name, member, arguments, timeout: 20_000)
    }

    /// Calls `Preferences` and goes on.
    func send(_ member: MemberName, _ arguments: [Value], completion: @escaping (Result<[Value], DBusError>) -> Void) {
        connection.send(
            WellKnown.busName, WellKnown.rootPath, PreferencesInterface.name, member, arguments, timeout: 20_000,
            completion: completion)
    }

    /// Writes, and waits for the answer.
    func write(_ domain: String, _ write: Write) throws(DBusError) {
        let (member, arguments) = write.call(domain)
        _ = try call(member, arguments)
    }

    /// All values of a domain.
    func values(_ domain: String) throws -> [String: Value] {
        guard let found = try call(PreferencesInterface.getAll, [.string(domain)]).first?.dictionary else {
            throw TestFailure("GetAll answers no dictionary")
        }
        var values: [String: Value] = [:]
        for entry in found.entries {
            if case .string(let key) = entry.key, case .variant(let value) = entry.value { values[key] = value }
        }
        return values
    }

    /// The property StoreState.
    func state() throws -> String {
        let reply = try connection.call(
            WellKnown.busName, WellKnown.rootPath, "org.freedesktop.DBus.Properties", "Get",
            [.string(AdminInterface.name.text), .string(AdminInterface.storeState.text)], timeout: 20_000)
        guard case .variant(.string(let state))? = reply.first else { throw TestFailure("StoreState is \(reply)") }
        return state
    }
}
