public import DBusTypes

/// A private connection to a message bus.
public final class BusConnection {
    /// A bus that the environment says the address of.
    public enum Bus: Sendable {
        /// The bus of the user's session.
        case session
        /// The bus of the machine.
        case system
    }

    /// The connection's name on its bus.
    public let uniqueName: BusName = ":1.0"
    /// Called once when the bus is lost, not after `close()`.
    public var onDisconnect: (() -> Void)?
    /// Called when a name requested here was lost to someone else.
    public var onNameLost: ((BusName) -> Void)?
    /// Whether what arrives is left unread.
    public var isReadingPaused = false
    /// Bytes that wait to be written to the bus.
    public var outgoingBytes: Int { 0 }
    /// Other connections: whether they live, and who they are.
    public var peers: Peers { Peers() }

    /// Connects to a well-known bus.
    public convenience init(bus: Bus) throws(DBusError) { try self.init(address: "") }

    /// Connects to the bus at an address.
    public init(address: String) throws(DBusError) {}

    /// Has a loop drive the connection.
    public func attach(to loop: any Loop) {}

    /// Sends what waits, then closes the connection.
    public func close() {}

    /// Waits until all that was sent is written to the bus.
    public func flush() {}

    /// The GUID of the bus.
    public func busID() throws(DBusError) -> String { "" }

    /// Calls a method and waits for the answer.
    public func call(
        _ destination: BusName, _ path: ObjectPath, _ interface: InterfaceName, _ member: MemberName, _ arguments: [Value] = [],
        timeout milliseconds: Int = 25_000, flags: CallFlags = []
    ) throws(DBusError) -> [Value] { [] }

    /// Calls a method; the completion is called exactly once unless cancelled, never before this returns.
    @discardableResult
    public func send(
        _ destination: BusName, _ path: ObjectPath, _ interface: InterfaceName, _ member: MemberName, _ arguments: [Value] = [],
        timeout milliseconds: Int = 25_000, flags: CallFlags = [],
        completion: @escaping (Result<[Value], DBusError>) -> Void
    ) -> PendingCall { PendingCall() }

    /// Calls a method without asking for an answer.
    public func post(
        _ destination: BusName, _ path: ObjectPath, _ interface: InterfaceName, _ member: MemberName, _ arguments: [Value] = [],
        flags: CallFlags = []
    ) throws(DBusError) {}

    /// Sends a signal, to one connection where `to` names it.
    public func emit(
        _ path: ObjectPath, _ interface: InterfaceName, _ member: MemberName, _ arguments: [Value] = [], to: BusName? = nil
    ) throws(DBusError) {}

    /// Subscribes to signals and waits until the bus knows.
    public func subscribe(_ rule: MatchRule, handler: @escaping (SignalMessage) -> Void) throws(DBusError) -> Subscription {
        Subscription()
    }

    /// Subscribes to signals without waiting; `completion` is called when the bus knows.
    @discardableResult
    public func subscribe(
        _ rule: MatchRule, handler: @escaping (SignalMessage) -> Void,
        completion: @escaping (Result<Void, DBusError>) -> Void
    ) -> Subscription { Subscription() }

    /// What became of a request for a name.
    public enum NameResult: Sendable {
        /// The name is this connection's.
        case owned
        /// Another connection has it.
        case taken
    }

    /// Asks for a name and waits for the answer.
    public func requestName(_ name: BusName) throws(DBusError) -> NameResult { .owned }

    /// Asks for a name.
    public func requestName(_ name: BusName, completion: @escaping (Result<NameResult, DBusError>) -> Void) {}

    /// Gives a name back.
    public func releaseName(_ name: BusName) throws(DBusError) {}

    /// Who is behind a connection; answered at once where known already.
    public func credentials(of name: BusName, completion: @escaping (Result<Credentials, DBusError>) -> Void) {}
}

/// A call whose answer is awaited.
public final class PendingCall {
    /// Forgets the call: its completion isn't called.
    public func cancel() {}
}

/// A subscription to signals.
public final class Subscription {
    /// Ends the subscription.
    public func cancel() {}
}

/// Other connections on the bus.
public final class Peers {
    /// Calls `onGone` once when the connection `name` is gone.
    public func track(_ name: BusName, onGone: @escaping () -> Void) -> PeerTrack { PeerTrack() }
}

/// A peer that is tracked.
public final class PeerTrack {
    /// Ends the tracking.
    public func cancel() {}
}
