import CDBus

// How a loop drives the connection, on the connection's thread.
extension BusConnection {
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

    private func scheduleDispatch() {
        guard let loop, !isDispatchScheduled else { return }
        isDispatchScheduled = true
        _ = loop.addBeforeWait { [weak self] in
            guard let self else { return }
            isDispatchScheduled = false
            process { _ in }
        }
    }
}
