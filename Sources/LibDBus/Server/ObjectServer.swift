import CDBus
public import DBusTypes

/// Answers the method calls that reach a connection.
///
/// Dispatch, argument checks, `Introspect`, `Properties` and `Peer` come from the interfaces' descriptions. Export first, then
/// ask for the bus's name: a call can come with it.
///
///     let server = ObjectServer(bus)
///     server.export("/org/example", [Greeter()])
///     guard try bus.requestName("org.example") == .owned else { … }
public final class ObjectServer {
    /// The error for an answer that doesn't fit into a message: told the interface and member, and the limit in bytes.
    public var tooLarge: (_ member: String, _ limit: Int) -> DBusError = { member, limit in
        DBusError(.limitsExceeded, "the answer of \(member) is larger than a message can be (\(limit) bytes)")
    }

    /// How many values the arguments of one call may hold, those in containers counted, packed numbers eight for one.
    ///
    /// A call with more is answered with the error that ``tooManyValues`` gives, before more memory is spent on it: a message of
    /// 60 MiB can hold millions of values of a few bytes each.
    public var valueLimit = Int.max
    /// The error for a call with more values than ``valueLimit``.
    public var tooManyValues: (_ member: String, _ limit: Int) -> DBusError = { member, limit in
        DBusError(.limitsExceeded, "the call of \(member) holds more than \(limit) values")
    }

    let connection: BusConnection
    private(set) var tree = ObjectTree()
    private var headers = HeaderCache()
    private var tables: [InterfaceName: InterfaceTable] = [:]

    /// Serves the calls on `connection`, which has one server at most; a second is a bug and traps.
    public init(_ connection: BusConnection) {
        precondition(connection.serveCall == nil, "a connection has one object server")
        self.connection = connection
        connection.serveCall = { [weak self] message in self?.receive(message) ?? false }
        // Ping and GetMachineId are answered here like everything else, with their arguments checked.
        dbus_connection_set_route_peer_messages(connection.pointer, 1)
    }

    /// Puts an object at `path`, instead of what was exported there.
    public func export(_ path: ObjectPath, _ handlers: [any InterfaceHandler]) { tree.export(path, bind(handlers)) }

    /// Takes away what was exported at `path`, object or subtree.
    public func unexport(_ path: ObjectPath) { tree.unexport(path) }

    /// Has `node` asked for the objects below `path`, at any depth; at the path itself is a plain node, or what is exported there.
    public func exportSubtree(below path: ObjectPath, node: any SubtreeHandler) { tree.exportSubtree(path, node) }

    func bind(_ handlers: [any InterfaceHandler]) -> [BoundInterface] {
        handlers.map { handler in
            let description = handler.description
            if let table = tables[description.name] { return BoundInterface(table: table, handler: handler) }
            let table = InterfaceTable(description)
            tables[description.name] = table
            return BoundInterface(table: table, handler: handler)
        }
    }

    /// Answers with an error.
    func fail(_ header: CallHeader, _ name: ErrorName, _ message: String) {
        guard header.expectsReply else { return }
        connection.sendError(DBusError(name, message), to: header.serial, destination: header.sender)
    }

    // MARK: Finding the object

    private func receive(_ message: ReceivedMessage) -> Bool {
        guard let header = CallHeader(message, &headers) else { return false }
        switch tree.node(at: header.path) {
        case .object(let interfaces):
            call(message, header, ObjectView(interfaces: interfaces, subtree: tree.subtree(at: header.path)))
        case .intermediate: call(message, header, ObjectView(subtree: tree.subtree(at: header.path)))
        case .none: callPeerOnly(message, header)
        case .dynamic(let handler): find(handler, KeptMessage(message), header)
        }
        return true
    }

    /// Asks a subtree for the object; where there is none, whether the path is on the way to some.
    private func find(_ handler: any SubtreeHandler, _ kept: KeptMessage, _ header: CallHeader) {
        handler.handlers(at: header.path, for: header.sender) { [self] handlers in
            if let handlers {
                kept.once { call($0, header, ObjectView(interfaces: bind(handlers), subtree: handler)) }
                return
            }
            handler.children(of: header.path, for: header.sender) { [self] children in
                kept.once { message in
                    if children.isEmpty {
                        callPeerOnly(message, header)
                    } else {
                        call(message, header, ObjectView(subtree: handler))
                    }
                }
            }
        }
    }

    func callPeerOnly(_ message: ReceivedMessage, _ header: CallHeader) {
        // Peer is about the process: it doesn't matter which path a ping is sent to.
        if header.interface == StandardInterfaces.peer.name {
            return callStandard(message, header, StandardInterfaces.peer, ObjectView(subtree: nil))
        }
        fail(header, .unknownObject, "there is no object at \(header.path)")
    }
}

/// A message that is kept while a handler makes up its mind.
private final class KeptMessage {
    private let message: ReceivedMessage
    private var isSpent = false

    init(_ message: ReceivedMessage) {
        dbus_message_ref(message.pointer)
        self.message = message
    }

    deinit { dbus_message_unref(message.pointer) }

    /// Goes on with the message; a handler that answers twice is a bug and traps.
    func once(_ body: (ReceivedMessage) -> Void) {
        precondition(!isSpent, "a subtree handler answers each question once")
        isSpent = true
        withExtendedLifetime(self) { body(message) }
    }
}
