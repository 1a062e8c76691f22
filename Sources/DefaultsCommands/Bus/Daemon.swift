import DBusTypes
import DefaultsInterface
import Glibc
import LibDBus

/// The daemon, by way of a connection of this process's own.
///
/// One thread only. Connecting costs the bus's Hello, a call one round trip, and nothing else happens until it is asked for.
final class Daemon {
    /// The connection.
    let connection: BusConnection

    /// How long a bus may take to greet, in seconds: as long as a call may take.
    private static let connectTime: UInt32 = 25

    /// Connects to the bus that the command line chose.
    init(on bus: BusChoice) throws(Failure) {
        // libdbus waits for the bus's greeting without an end.
        signal(SIGALRM) { _ in
            StandardStream.error.write("defaultsctl: the bus doesn't answer\n")
            _exit(ExitStatus.unavailable.rawValue)
        }
        alarm(Self.connectTime)
        defer { alarm(0) }
        do throws(DBusError) {
            switch bus {
            case .user: connection = try BusConnection(bus: .session)
            case .system: connection = try BusConnection(bus: .system)
            case .address(let address): connection = try BusConnection(address: address)
            }
        } catch {
            let status: ExitStatus = error.name == .badAddress ? .usage : .unavailable
            throw Failure("no connection to the \(bus.description): \(TextEscaping.safe(error.message))", status: status)
        }
    }

    /// Calls a method of the daemon and waits for the answer.
    func call(
        _ interface: InterfaceName, _ member: MemberName, _ arguments: [Value] = [], at path: ObjectPath = WellKnown.rootPath
    ) throws(Failure) -> Reply {
        Reply(member: member, values: try wire(interface, member, arguments, at: path))
    }

    /// Calls a method for which the daemon may have a person asked for permission: waits for minutes.
    func callPatiently(_ interface: InterfaceName, _ member: MemberName, _ arguments: [Value]) throws(Failure) -> Reply {
        do throws(DBusError) {
            let values = try connection.call(
                WellKnown.busName, WellKnown.rootPath, interface, member, arguments, timeout: 300_000,
                flags: .allowInteractiveAuthorization)
            return Reply(member: member, values: values)
        } catch {
            throw Failure(error)
        }
    }

    /// Calls a method; an error whose name is `absent` is no failure but nil.
    func call(
        _ interface: InterfaceName, _ member: MemberName, _ arguments: [Value], nilFor absent: ErrorName
    ) throws(Failure) -> Reply? {
        do throws(DBusError) {
            return Reply(
                member: member, values: try connection.call(WellKnown.busName, WellKnown.rootPath, interface, member, arguments))
        } catch {
            guard error.name == absent else { throw Failure(error) }
            return nil
        }
    }

    /// The signal that the daemon's name has another owner, or none: arguments 1 and 2 are the old and the new, empty for none.
    var ownerChanges: MatchRule {
        MatchRule(
            sender: "org.freedesktop.DBus", interface: "org.freedesktop.DBus", member: "NameOwnerChanged",
            arguments: [0: WellKnown.busName.text])
    }

    private func wire(
        _ interface: InterfaceName, _ member: MemberName, _ arguments: [Value], at path: ObjectPath
    ) throws(Failure) -> [Value] {
        do throws(DBusError) {
            return try connection.call(WellKnown.busName, path, interface, member, arguments)
        } catch {
            throw Failure(error)
        }
    }
}

extension BusChoice {
    /// The bus, for a sentence.
    fileprivate var description: String {
        switch self {
        case .user: "user's bus"
        case .system: "system bus"
        case .address(let address): "bus at \"\(TextEscaping.safe(address))\""
        }
    }
}
