import DBusTypes
import DefaultsInterface
import Glibc
import LibDBus

/// `status`: the daemon, its bus, and its store.
enum StatusCommand {
    /// Asks for everything, and prints one line a fact.
    static func run(_ context: CommandContext) throws(Failure) -> ExitStatus {
        let daemon = try context.connect()
        if context.invocation.has("--acknowledge") { _ = try daemon.call(AdminInterface.name, AdminInterface.acknowledgeLoss) }
        let admin = try daemon.call(
            "org.freedesktop.DBus.Properties", "GetAll", [.string(AdminInterface.name.text)]
        ).dictionary(0)
        var facts: [(String, Value)] = []
        for (name, property) in properties {
            if let value = admin[property.text] { facts.append((name, value)) }
        }
        if let policy = admin[AdminInterface.policy.text]?.dictionary {
            for (name, entry) in [("policy", "onboarding"), ("configuration", "files"), ("configuration_errors", "errors")] {
                if let value = policy[entry] { facts.append((name, value)) }
            }
        }
        if let path = admin[AdminInterface.storePath.text]?.get(as: String.self), let size = storeSize(path) {
            facts.append(("store_size", .uint64(size)))
        }
        do throws(DBusError) {
            facts.append(("bus_id", .string(try daemon.connection.busID())))
            facts.append(("daemon", try ask(daemon, "GetNameOwner")))
            facts.append(("pid", try ask(daemon, "GetConnectionUnixProcessID")))
        } catch {
            throw Failure(error)
        }
        facts.append(("bus", .string(context.invocation.globals.bus.word)))
        let status = DictionaryValue(facts)
        try context.output.result(.dictionary(status)) { status.lines }
        return .success
    }

    private static let properties: [(String, MemberName)] = [
        ("features", AdminInterface.features), ("instance", AdminInterface.instance), ("store_path", AdminInterface.storePath),
        ("store_state", AdminInterface.storeState), ("version", AdminInterface.version),
    ]

    /// Asks the bus about the daemon's name.
    private static func ask(_ daemon: Daemon, _ member: MemberName) throws(DBusError) -> Value {
        let reply = try daemon.connection.call(
            "org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus", member, [.string(WellKnown.busName.text)])
        guard let value = reply.first else { throw DBusError(.failed, "the bus answered \(member) with nothing") }
        return value
    }

    /// The bytes of the database and of its write-ahead log; nil where this process may not look.
    private static func storeSize(_ path: String) -> UInt64? {
        guard let database = size(path) else { return nil }
        return database + (size(path + "-wal") ?? 0)
    }

    private static func size(_ path: String) -> UInt64? {
        var status = stat()
        return stat(path, &status) == 0 ? UInt64(status.st_size) : nil
    }
}

extension BusChoice {
    /// The choice as the option that makes it says it.
    fileprivate var word: String {
        switch self {
        case .user: "user"
        case .system: "system"
        case .address(let address): address
        }
    }
}
