import CDBus
import DBusTypes

/// A call whose answer is awaited; keeping it is only needed for `cancel()`.
public final class PendingCall {
    private var pending: OpaquePointer?
    private var completion: ((Result<[Value], DBusError>) -> Void)?
    private weak var connection: BusConnection?

    init(_ connection: BusConnection, _ completion: @escaping (Result<[Value], DBusError>) -> Void) {
        self.connection = connection
        self.completion = completion
    }

    /// Forgets the call: its completion isn't called.
    ///
    /// The other side may still carry it out.
    public func cancel() {
        completion = nil
        release(cancelling: true)
        connection?.pendingCalls[ObjectIdentifier(self)] = nil
        connection?.settle()
    }

    /// Waits for libdbus's pending call, taking over its reference.
    func wait(for pending: OpaquePointer, on loop: (any Loop)?) {
        self.pending = pending
        let context = Unmanaged.passUnretained(self).toOpaque()
        // The connection keeps this object until the answer is in, or the pending call is cancelled: the pointer holds.
        let notified = dbus_pending_call_set_notify(
            pending,
            { _, context in
                guard let context else { return }
                Unmanaged<PendingCall>.fromOpaque(context).takeUnretainedValue().complete()
            }, context, nil)
        guard notified != 0 else { return abandon(with: MessageFailure.noMemory.error, on: loop) }
        // libdbus doesn't notify of an answer that is already in.
        if dbus_pending_call_get_completed(pending) != 0 {
            _ = loop?.addBeforeWait { [self] in complete() }
        }
    }

    private func complete() {
        guard let pending, let reply = dbus_pending_call_steal_reply(pending) else { return }
        defer { dbus_message_unref(reply) }
        let completion = completion
        self.completion = nil
        release(cancelling: false)
        withExtendedLifetime(self) {
            connection?.pendingCalls[ObjectIdentifier(self)] = nil
            completion?(ReceivedMessage(pointer: reply).result)
        }
    }

    /// Ends with an error of our own; the completion is called by the loop.
    func abandon(with error: DBusError, on loop: (any Loop)?) {
        let completion = completion
        self.completion = nil
        release(cancelling: true)
        connection?.pendingCalls[ObjectIdentifier(self)] = nil
        guard let completion else { return }
        _ = loop?.addBeforeWait { completion(.failure(error)) }
    }

    private func release(cancelling: Bool) {
        guard let pending else { return }
        self.pending = nil
        if cancelling { dbus_pending_call_cancel(pending) }
        dbus_pending_call_unref(pending)
    }

    deinit { release(cancelling: true) }
}
