import DBusTypes
import DefaultsInterface
import Glibc
import LibDBus
import Support

/// A daemon that serves everyone, on a bus with the system bus's policy; only root can have two users.
struct Machine {
    /// Whether the tests may act as two users.
    static var isPossible: Bool { geteuid() == 0 }

    /// What an installed policy file says: root owns the name, everyone may call it and is told.
    private static let policy = """
        <!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
         "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
        <busconfig>
          <policy user="root"><allow own="org.defaultsd1"/></policy>
          <policy context="default"><allow send_destination="org.defaultsd1"/></policy>
        </busconfig>

        """

    let bus: PrivateBus
    let daemon: Daemon
    /// A connection of root's.
    let root: Client
    private let policies: TemporaryFolder

    init(arguments: [String] = []) throws {
        policies = try TemporaryFolder()
        try Self.policy.write(toNewFile: policies.path("org.defaultsd1.conf"))
        bus = try PrivateBus(kind: .system(policies: [policies.path]))
        daemon = try Daemon(on: bus, mode: .system, arguments: arguments)
        root = try Client(on: bus)
    }

    /// The folder of a user's store.
    func store(of user: UInt32) -> String { "\(daemon.store)/\(user)" }

    /// The number of the user `nobody`.
    static func nobody() throws -> UInt32 {
        guard let entry = getpwnam("nobody") else { throw TestFailure("this machine has no user nobody") }
        return entry.pointee.pw_uid
    }

    /// Calls a method of the daemon by busctl(1), run as nobody.
    func nobody(
        _ interface: InterfaceName, _ member: MemberName, _ words: String..., at path: ObjectPath = WellKnown.rootPath
    ) throws -> Command.Result {
        try asNobody(
            ["call", WellKnown.busName.text, path.text, interface.text, member.text] + words)
    }

    /// Runs busctl(1) on the bus as nobody.
    func asNobody(_ words: [String]) throws -> Command.Result {
        try Command.run(
            "setpriv",
            ["--reuid=nobody", "--regid=nogroup", "--clear-groups", "busctl", "--address=\(bus.address)"] + words,
            environment: bus.environment.variables)
    }
}
