public import DBusTypes
public import LibDBus

/// What carries calls to a daemon and brings its signals: a bus, or in tests a daemon in memory.
///
/// Everything happens on the one thread that this library has; no handler is called from within a call to the transport.
public protocol Transport: AnyObject {
    /// Takes what happens; set once, before `connect`.
    var onEvent: ((TransportEvent) -> Void)? { get set }

    /// Begins to connect: `connected` follows, or `disconnected` where that fails.
    func connect()

    /// Calls the daemon; the completion comes once, in the order of the answers.
    func call(
        _ path: ObjectPath, _ interface: InterfaceName, _ member: MemberName, _ arguments: [Value], timeout milliseconds: Int,
        completion: @escaping (Result<[Value], DBusError>) -> Void)

    /// Ends it; nothing happens any more.
    func close()
}

/// What a transport tells.
public enum TransportEvent {
    /// The connection stands, under this unique name.
    case connected(BusName)
    /// The daemon's unique name now; nil where there is no daemon.
    case owner(BusName?)
    /// A signal of the daemon, the owner of its name at that moment.
    case signal(path: ObjectPath, interface: InterfaceName, member: MemberName, arguments: [Value])
    /// The bus is lost, or there was none. The last event.
    case disconnected
}
