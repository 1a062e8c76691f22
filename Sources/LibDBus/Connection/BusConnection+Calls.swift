import CDBus
public import DBusTypes

extension DBusError {
    static let connectionClosed = DBusError(.disconnected, "the connection to the bus is closed")
}

extension BusConnection {
    /// Calls a method and waits for the answer, `milliseconds` at most.
    ///
    /// Other messages wait meanwhile. Inside a handler of this connection it is a bug and traps: use `send`.
    ///
    /// - Throws: the error that was answered; `noReply` when time is up; `disconnected`; `invalidArgs` and `limitsExceeded`
    ///   for arguments that no message can carry.
    public func call(
        _ destination: BusName, _ path: ObjectPath, _ interface: InterfaceName, _ member: MemberName, _ arguments: [Value] = [],
        timeout milliseconds: Int = 25_000, flags: CallFlags = []
    ) throws(DBusError) -> [Value] {
        precondition(!isDispatching, "\(member) is called with waiting inside a handler; use send")
        guard !isClosed else { throw .connectionClosed }
        let message = try makeCall(destination, path, interface, member, arguments, flags)
        defer { settle() }
        var slot = ErrorSlot()
        let timeout = Int32(clamping: max(milliseconds, 0))
        let reply = slot.with { dbus_connection_send_with_reply_and_block(pointer, message.pointer, timeout, $0) }
        guard let reply else { throw slot.error }
        defer { dbus_message_unref(reply) }
        return try MessageReader.arguments(of: reply)
    }

    /// Calls a method; the loop calls `completion` with the answer, or `noReply` after `milliseconds`.
    ///
    /// `completion` is called exactly once unless the call is cancelled, never before this returns. Without a loop it is a
    /// bug and traps.
    @discardableResult
    public func send(
        _ destination: BusName, _ path: ObjectPath, _ interface: InterfaceName, _ member: MemberName, _ arguments: [Value] = [],
        timeout milliseconds: Int = 25_000, flags: CallFlags = [],
        completion: @escaping (Result<[Value], DBusError>) -> Void
    ) -> PendingCall {
        precondition(loop != nil, "\(member) is called without waiting on a connection that has no loop; attach it first")
        let call = PendingCall(self, completion)
        do throws(DBusError) {
            guard !isClosed else { throw .connectionClosed }
            let message = try makeCall(destination, path, interface, member, arguments, flags)
            var pending: OpaquePointer?
            let timeout = Int32(clamping: max(milliseconds, 0))
            guard dbus_connection_send_with_reply(pointer, message.pointer, &pending, timeout) != 0 else {
                throw MessageFailure.noMemory.error
            }
            // libdbus makes none where the connection is lost.
            guard let pending else { throw .connectionClosed }
            pendingCalls[ObjectIdentifier(call)] = call
            call.wait(for: pending, on: loop)
        } catch {
            call.abandon(with: error, on: loop)
        }
        settle()
        return call
    }

    /// Calls a method without wanting to know what comes of it.
    ///
    /// - Throws: as `emit`.
    public func post(
        _ destination: BusName, _ path: ObjectPath, _ interface: InterfaceName, _ member: MemberName, _ arguments: [Value] = [],
        flags: CallFlags = []
    ) throws(DBusError) {
        let message = try makeCall(destination, path, interface, member, arguments, flags)
        dbus_message_set_no_reply(message.pointer, 1)
        try transmit(message)
    }

    /// Sends a signal: to the one connection that `destination` names, else to whoever has a match for it.
    ///
    /// - Throws: `disconnected`; `invalidArgs` and `limitsExceeded` for arguments that no message can carry.
    public func emit(
        _ path: ObjectPath, _ interface: InterfaceName, _ member: MemberName, _ arguments: [Value] = [],
        to destination: BusName? = nil
    ) throws(DBusError) {
        let message = try makeSignal(path, interface, member, arguments, to: destination)
        try transmit(message)
    }

    private func makeSignal(
        _ path: ObjectPath, _ interface: InterfaceName, _ member: MemberName, _ arguments: [Value], to destination: BusName?
    ) throws(DBusError) -> Message {
        do throws(MessageFailure) {
            let message = try Message.signal(path, interface, member, to: destination)
            try append(arguments, to: message, path: path)
            return message
        } catch {
            throw error.error
        }
    }

    private func makeCall(
        _ destination: BusName, _ path: ObjectPath, _ interface: InterfaceName, _ member: MemberName, _ arguments: [Value],
        _ flags: CallFlags
    ) throws(DBusError) -> Message {
        do throws(MessageFailure) {
            let message = try Message.call(destination, path, interface, member, flags: flags)
            try append(arguments, to: message, path: path)
            return message
        } catch {
            throw error.error
        }
    }

    /// Appends arguments within what the bus lets through, and returns how many bytes they take; the header is counted at its largest.
    @discardableResult
    func append(_ values: [Value], to message: borrowing Message, path: ObjectPath) throws(MessageFailure) -> Int {
        let header = 64 + path.text.utf8.count + 5 * maximumNameLength + Signature.maximumLength
        return try MessageWriter.append(values, to: message.pointer, limit: messageLimit - header)
    }

    /// Hands a message to libdbus, which writes it at once as far as the socket takes it.
    func transmit(_ message: borrowing Message) throws(DBusError) {
        guard isConnected else { throw .connectionClosed }
        guard dbus_connection_send(pointer, message.pointer, nil) != 0 else { throw MessageFailure.noMemory.error }
        if !isDispatching { settle() }
    }

    /// Answers the call with a serial, and returns how many bytes the values take.
    func sendReturn(_ values: [Value], to serial: UInt32, destination: BusName) throws(MessageFailure) -> Int {
        let message = try Message.methodReturn(to: serial, destination: destination)
        let size = try append(values, to: message, path: .root)
        // A caller that can't be reached any more misses nothing.
        try? transmit(message)
        return size
    }

    /// Answers the call with a serial by an error.
    func sendError(_ error: DBusError, to serial: UInt32, destination: BusName) {
        do throws(MessageFailure) {
            let message = try Message.error(error, to: serial, destination: destination)
            try? transmit(message)
        } catch {
            // Without memory for one short message the caller's timeout has to do.
        }
    }
}
