import CDBus

// What is done where the bus takes messages more slowly than they are made, on the connection's thread.
extension BusConnection {
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
    func roomCame() {
        guard !isClosed, let handler = roomHandler, dbus_connection_has_messages_to_send(pointer) == 0 else { return }
        roomHandler = nil
        bridge?.waitsForRoom = false
        handler()
        settle()
    }

    /// Half the limit must have gone before reading goes on, or each message written would let in one more call.
    func updateCongestion() {
        guard outgoingLimit != nil || isPausedByCongestion else { return }
        let limit = outgoingLimit ?? Int.max
        let waiting = dbus_connection_get_outgoing_size(pointer)
        guard isPausedByCongestion ? waiting <= limit / 2 : waiting > limit else { return }
        isPausedByCongestion.toggle()
        bridge?.isReadingPaused = isReadingPaused || isPausedByCongestion
    }

    func offerRoom() {
        guard !roomWaiters.isEmpty else { return }
        let waiting = outgoingBytes
        let served = roomWaiters.filter { $0.bytes >= waiting }
        guard !served.isEmpty else { return }
        roomWaiters.removeAll { $0.bytes >= waiting }
        _ = loop?.addBeforeWait { for waiter in served { waiter.body() } }
    }

    func updatePause() {
        guard let bridge else { return }
        bridge.isReadingPaused = isReadingPaused || isPausedByCongestion
        settle()
    }
}
