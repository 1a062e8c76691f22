import DBusTypes
import Harness
import LibDBus

/// What is measured: the daemon, or the peer in C.
enum Service: String, CaseIterable {
    case peer = "C timerfd + heap"
    case daemon = "defaultsd"

    var name: BusName { self == .peer ? "org.defaultsd1.Peer" : "org.defaultsd1" }

    func start(on bus: PrivateBus, _ bench: Workbench) throws -> ChildProcess {
        switch self {
        case .peer: try bus.start([bench.peer("CountdownPeer"), bus.address])
        case .daemon: try bus.start(bench.command(on: bus, ["--limits=none"]))
        }
    }

    /// Waits until it owns its name.
    func waitUntilReady(_ connection: BusConnection) throws {
        let deadline = boottime() + 10_000_000_000
        while boottime() < deadline {
            let reply = try connection.call(.bus, .bus, .bus, "NameHasOwner", [.string(name.text)])
            if reply == [.boolean(true)] { return }
        }
        throw BenchmarkFailure("\(rawValue) has not come to own \(name) in 10 s")
    }
}

extension BusName { static let bus: BusName = "org.freedesktop.DBus" }
extension ObjectPath { static let bus: ObjectPath = "/org/freedesktop/DBus" }
extension InterfaceName { static let bus: InterfaceName = "org.freedesktop.DBus" }
