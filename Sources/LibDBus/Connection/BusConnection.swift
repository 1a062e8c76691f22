import CDBus
public import DBusTypes

/// A private connection to a message bus, registered and ready for calls.
///
/// Everything belongs to one thread: the one that makes the connection and later runs its loop. Calls that wait work
/// without a loop; everything else needs one.
///
///     let bus = try BusConnection(bus: .session)
///     let names = try bus.call(.bus, "/org/freedesktop/DBus", "org.freedesktop.DBus", "ListNames")
///
/// Losing the bus doesn't end the process: calls fail with `disconnected` and `onDisconnect` is called.
public final class BusConnection {
    /// A bus that the environment says the address of.
    public enum Bus: Sendable {
        /// The bus of the user's session: `DBUS_SESSION_BUS_ADDRESS`, else the socket `bus` in `XDG_RUNTIME_DIR`.
        case session
        /// The bus of the machine: `DBUS_SYSTEM_BUS_ADDRESS`, else `/run/dbus/system_bus_socket`.
        case system
    }

    /// The connection's own name on its bus, such as `:1.42`.
    public let uniqueName: BusName
    /// Called once when the bus is lost; not after `close()`.
    public var onDisconnect: (() -> Void)?
    /// Called when a name owned by this connection went to another, was taken away, or was given back.
    public var onNameLost: ((BusName) -> Void)?
    /// The largest message in bytes that is sent; a larger one is refused here, where the bus would hang up.
    ///
    /// The system bus takes 32 MiB by default, a session bus as much as the format allows.
    public var messageLimit = WireLimits.messageBytes
    /// With more bytes than this waiting to be sent, `isCongested` is true and nothing is read until half is gone; nil for never.
    public var outgoingLimit: Int? {
        didSet { settle() }
    }
    /// Whether what arrives is left unread: back-pressure on callers.
    ///
    /// Messages already read wait too.
    public var isReadingPaused = false {
        didSet { updatePause() }
    }
    /// Other connections.
    ///
    /// Whether they live, and who they are.
    public private(set) lazy var peers = Peers(self)

    let pointer: OpaquePointer
    var bridge: LoopBridge?
    var loop: (any Loop)?
    private(set) var isClosed = false
    var isDispatching = false
    var isDispatchScheduled = false
    var isPausedByCongestion = false
    /// Who waits until no more than so many bytes are to be written.
    var roomWaiters: [(bytes: Int, body: () -> Void)] = []
    var roomHandler: (() -> Void)?
    var retryTimer: (any TimerSource)?
    private var cachedBusID: String?

    /// Takes a method call, and says whether it will be answered.
    var serveCall: ((ReceivedMessage) -> Bool)?
    lazy var matches = MatchRegistry(self)
    lazy var owners = NameOwners(self)
    var subscriptions: [MemberName?: [Subscription]] = [:]
    var pendingCalls: [ObjectIdentifier: PendingCall] = [:]

    /// The largest message that a system bus takes by default, in bytes; a connection to one by its address has to be told.
    public static let systemMessageLimit = 32 << 20

    /// Connects to a well-known bus.
    ///
    /// - Throws: `fileNotFound` where nothing says where the bus is, and what `init(address:)` throws.
    public convenience init(bus: Bus) throws(DBusError) {
        try self.init(address: try BusAddress.wellKnown(bus))
        if bus == .system { messageLimit = Self.systemMessageLimit }
    }

    /// Connects to the bus at an address, such as `unix:path=/run/user/1000/bus`.
    ///
    /// - Throws: `noServer`, `fileNotFound`, `badAddress`, `notSupported` (for `autolaunch:`), `accessDenied`.
    public init(address: String) throws(DBusError) {
        try BusAddress.check(address)
        var slot = ErrorSlot()
        guard let pointer = slot.with({ dbus_connection_open_private(address, $0) }) else { throw slot.error }
        // The default is _exit(1), past everything that is still to be written.
        dbus_connection_set_exit_on_disconnect(pointer, 0)
        guard slot.with({ dbus_bus_register(pointer, $0) }) != 0, let name = dbus_bus_get_unique_name(pointer) else {
            dbus_connection_close(pointer)
            dbus_connection_unref(pointer)
            throw slot.error
        }
        self.pointer = pointer
        uniqueName = BusName(unchecked: String(cString: name))
        let context = Unmanaged.passUnretained(self).toOpaque()
        let added = dbus_connection_add_filter(
            pointer,
            { _, message, context in
                guard let message, let context else { return DBUS_HANDLER_RESULT_NOT_YET_HANDLED }
                let connection = Unmanaged<BusConnection>.fromOpaque(context).takeUnretainedValue()
                return connection.receive(ReceivedMessage(pointer: message))
                    ? DBUS_HANDLER_RESULT_HANDLED : DBUS_HANDLER_RESULT_NOT_YET_HANDLED
            }, context, nil)
        guard added != 0 else {
            dbus_connection_close(pointer)
            dbus_connection_unref(pointer)
            isClosed = true
            throw MessageFailure.noMemory.error
        }
    }

    deinit {
        if !isClosed { close() }
    }

    /// Whether the connection still stands.
    public var isConnected: Bool { !isClosed && dbus_connection_get_is_connected(pointer) != 0 }

    /// Waits until all that was sent is written to the bus, however long it takes.
    public func flush() {
        guard !isClosed else { return }
        dbus_connection_flush(pointer)
        settle()
    }

    /// Writes what waits for the bus, for so many milliseconds at most; returns whether all of it is written.
    ///
    /// For the end of a program, which a bus that doesn't read must not hold up.
    @discardableResult
    public func flush(within milliseconds: Int) -> Bool {
        guard !isClosed else { return true }
        let deadline = ContinuousClock.now + .milliseconds(milliseconds)
        while dbus_connection_has_messages_to_send(pointer) != 0 {
            let left = deadline - .now
            guard left > .zero, dbus_connection_read_write(pointer, 10) != 0 else { break }
        }
        settle()
        return dbus_connection_has_messages_to_send(pointer) == 0
    }

    /// Closes the connection; calls that wait for an answer fail with `disconnected`.
    ///
    /// What wasn't written yet is lost: see `flush()`.
    public func close() {
        guard !isClosed else { return }
        isClosed = true
        abandonCalls()
        retryTimer?.cancel()
        bridge?.uninstall()
        bridge = nil
        dbus_connection_close(pointer)
        dbus_connection_unref(pointer)
    }

    /// The GUID of the bus.
    ///
    /// A unique name means nothing without it.
    ///
    /// Asks the bus the first time, waiting for the answer.
    public func busID() throws(DBusError) -> String {
        if let cachedBusID { return cachedBusID }
        guard case .string(let identifier)? = try call(.bus, .bus, .bus, "GetId").first else {
            throw DBusError(.failed, "the bus answered GetId with something else than its GUID")
        }
        cachedBusID = identifier
        return identifier
    }

    // MARK: Receiving

    /// Whether the message is dealt with; libdbus answers a call that isn't.
    private func receive(_ message: ReceivedMessage) -> Bool {
        switch message.type {
        case DBUS_MESSAGE_TYPE_METHOD_CALL: return serveCall?(message) ?? false
        case DBUS_MESSAGE_TYPE_SIGNAL:
            receiveSignal(message)
            return true
        default: return true
        }
    }

    /// libdbus forgets the calls of a lost connection without a word.
    private func abandonCalls() {
        let waiting = pendingCalls.values
        pendingCalls = [:]
        for call in waiting { call.abandon(with: .connectionClosed, on: loop) }
    }

    /// Told by libdbus itself: no message on the wire can have this interface.
    func busWasLost() {
        abandonCalls()
        let handler = onDisconnect
        onDisconnect = nil
        handler?()
    }
}
