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
    private var bridge: LoopBridge?
    private(set) var loop: (any Loop)?
    private(set) var isClosed = false
    private(set) var isDispatching = false
    private var isDispatchScheduled = false
    private var isPausedByCongestion = false
    private var roomWaiters: [(bytes: Int, body: () -> Void)] = []
    private var retryTimer: (any TimerSource)?
    private var roomHandler: (() -> Void)?
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

    /// Has a loop drive the connection from now on; a second time is a bug and traps.
    public func attach(to loop: any Loop) {
        precondition(self.loop == nil, "a connection is attached to one loop, once")
        guard !isClosed else { return }
        self.loop = loop
        let bridge = LoopBridge(
            pointer, loop: loop,
            onEvents: { [weak self] descriptor, events in
                self?.process { $0.handle(descriptor, events) }
                if events.contains(.writable) { self?.roomCame() }
            },
            onTimeout: { [weak self] in self?.process { $0.handleTimeouts() } })
        self.bridge = bridge
        precondition(bridge.install(), "there is memory for the connection's watches")
        updatePause()
        // What arrived while the name was registered makes no descriptor readable any more.
        scheduleDispatch()
        settle()
    }

    /// Bytes that wait to be written to the bus.
    public var outgoingBytes: Int { isClosed ? 0 : dbus_connection_get_outgoing_size(pointer) }

    /// Whether so much waits to be sent that signals which can be done without should be dropped; see `outgoingLimit`.
    public var isCongested: Bool { outgoingLimit.map { outgoingBytes > $0 } ?? false }

    /// Calls `body` once no more than `bytes` wait to be written to the bus; the loop does, never before this returns.
    ///
    /// Not called any more once the connection is lost or closed. Without a loop it is a bug and traps.
    public func whenOutgoing(isAtMost bytes: Int, _ body: @escaping () -> Void) {
        precondition(loop != nil, "a connection that has no loop writes nothing by itself; attach it first")
        roomWaiters.append((bytes, body))
        settle()
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

    // MARK: Driving

    private func process(_ body: (LoopBridge) -> Void) {
        precondition(!isDispatching, "a loop isn't run inside a handler of a connection that it drives")
        guard let bridge else { return }
        isDispatching = true
        body(bridge)
        isDispatching = false
        dispatch()
    }

    /// Handles every message that was read: one a wake-up would leave the rest lying until more arrives.
    private func dispatch() {
        isDispatching = true
        loop: while !isClosed, !isReadingEffectivelyPaused {
            switch dbus_connection_dispatch(pointer) {
            case DBUS_DISPATCH_DATA_REMAINS: updateCongestion()
            case DBUS_DISPATCH_NEED_MEMORY:
                // Trying again at once would spin until memory appears.
                retryLater()
                break loop
            default: break loop
            }
        }
        isDispatching = false
        settle()
    }

    private var isReadingEffectivelyPaused: Bool {
        (isReadingPaused || isPausedByCongestion) && dbus_connection_get_is_connected(pointer) != 0
    }

    /// Calls `handler` on the loop, once, when the bus has taken most of what was sent; never before this returns.
    ///
    /// For whoever has much to send: what is answered meanwhile would come behind all of it. A later handler takes the place of one
    /// that still waits, and a connection that is lost calls none.
    public func whenRoomToSend(_ handler: @escaping () -> Void) {
        precondition(loop != nil, "a connection that has no loop can't wait for room; attach it first")
        guard !isClosed else { return }
        roomHandler = handler
        bridge?.waitsForRoom = true
        if !isDispatching { settle() }
    }

    /// The kernel says so once three quarters of the socket's buffer are free.
    private func roomCame() {
        guard !isClosed, let handler = roomHandler, dbus_connection_has_messages_to_send(pointer) == 0 else { return }
        roomHandler = nil
        bridge?.waitsForRoom = false
        handler()
        settle()
    }

    private func retryLater() {
        if retryTimer == nil { retryTimer = loop?.addTimer { [weak self] in self?.process { _ in } } }
        retryTimer?.arm(afterMilliseconds: 500)
    }

    /// Acts on what libdbus told during the last call into it; every function that makes one ends with this.
    func settle() {
        guard !isClosed, let bridge else { return }
        updateCongestion()
        offerRoom()
        bridge.settle()
        guard !isDispatching, !isDispatchScheduled, !isReadingEffectivelyPaused,
            dbus_connection_get_dispatch_status(pointer) == DBUS_DISPATCH_DATA_REMAINS
        else { return }
        scheduleDispatch()
    }

    /// Half the limit must have gone before reading goes on, or each message written would let in one more call.
    private func updateCongestion() {
        guard outgoingLimit != nil || isPausedByCongestion else { return }
        let limit = outgoingLimit ?? Int.max
        let waiting = dbus_connection_get_outgoing_size(pointer)
        guard isPausedByCongestion ? waiting <= limit / 2 : waiting > limit else { return }
        isPausedByCongestion.toggle()
        bridge?.isReadingPaused = isReadingPaused || isPausedByCongestion
    }

    private func offerRoom() {
        guard !roomWaiters.isEmpty else { return }
        let waiting = outgoingBytes
        let served = roomWaiters.filter { $0.bytes >= waiting }
        guard !served.isEmpty else { return }
        roomWaiters.removeAll { $0.bytes >= waiting }
        _ = loop?.addBeforeWait { for waiter in served { waiter.body() } }
    }

    private func updatePause() {
        guard let bridge else { return }
        bridge.isReadingPaused = isReadingPaused || isPausedByCongestion
        settle()
    }

    private func scheduleDispatch() {
        guard let loop, !isDispatchScheduled else { return }
        isDispatchScheduled = true
        _ = loop.addBeforeWait { [weak self] in
            guard let self else { return }
            isDispatchScheduled = false
            process { _ in }
        }
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
