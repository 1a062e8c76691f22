import CDBus

/// Carries libdbus's watches and timeouts over to a loop.
///
/// libdbus calls back under its lock, so the callbacks only record; `settle()` acts on it, after every call into libdbus.
/// Its two watches (one for reading, one for writing) share one descriptor, which is one source here. All its timeouts
/// share one timer.
final class LoopBridge {
    private struct Timeout {
        let pointer: OpaquePointer
        var deadline: ContinuousClock.Instant
    }

    private let connection: OpaquePointer
    private let loop: any Loop
    private let onEvents: (Int32, IOEvents) -> Void
    private var sources: [Int32: any IOSource] = [:]
    private var timer: (any TimerSource)?
    private var armed: ContinuousClock.Instant?

    private var watches: [OpaquePointer] = []
    private var watchesChanged = false
    private var timeouts: [Timeout] = []
    private var newTimeouts: [OpaquePointer] = []
    private var timeoutsChanged = false

    /// Whether reading is left out.
    var isReadingPaused = false {
        didSet { if isReadingPaused != oldValue { watchesChanged = true } }
    }

    /// Whether the loop also tells when the socket takes more, though nothing waits to be written.
    var waitsForRoom = false {
        didSet { if waitsForRoom != oldValue { watchesChanged = true } }
    }

    /// - Parameters:
    ///   - onEvents: called by the loop when something happened on a descriptor; passes it on to `handle`.
    ///   - onTimeout: called by the loop when a timeout is due; passes it on to `handleTimeouts`.
    init(
        _ connection: OpaquePointer, loop: any Loop, onEvents: @escaping (Int32, IOEvents) -> Void,
        onTimeout: @escaping () -> Void
    ) {
        self.connection = connection
        self.loop = loop
        self.onEvents = onEvents
        timer = loop.addTimer(handler: onTimeout)
    }

    /// Has libdbus tell of its watches and timeouts; false where it has no memory.
    func install() -> Bool {
        let context = Unmanaged.passUnretained(self).toOpaque()
        let watching = dbus_connection_set_watch_functions(
            connection,
            { watch, context in
                guard let watch, let bridge = LoopBridge.from(context) else { return 0 }
                bridge.watches.append(watch)
                bridge.watchesChanged = true
                return 1
            },
            { watch, context in
                guard let watch, let bridge = LoopBridge.from(context) else { return }
                bridge.watches.removeAll { $0 == watch }
                bridge.watchesChanged = true
            },
            { _, context in LoopBridge.from(context)?.watchesChanged = true },
            context, nil)
        let timing = dbus_connection_set_timeout_functions(
            connection,
            { timeout, context in
                guard let timeout, let bridge = LoopBridge.from(context) else { return 0 }
                bridge.newTimeouts.append(timeout)
                bridge.timeoutsChanged = true
                return 1
            },
            { timeout, context in
                guard let timeout, let bridge = LoopBridge.from(context) else { return }
                bridge.newTimeouts.removeAll { $0 == timeout }
                bridge.timeouts.removeAll { $0.pointer == timeout }
                bridge.timeoutsChanged = true
            },
            { timeout, context in
                guard let timeout, let bridge = LoopBridge.from(context) else { return }
                // Its interval may be another one now: count anew.
                bridge.timeouts.removeAll { $0.pointer == timeout }
                bridge.newTimeouts.removeAll { $0 == timeout }
                bridge.newTimeouts.append(timeout)
                bridge.timeoutsChanged = true
            },
            context, nil)
        return watching != 0 && timing != 0
    }

    /// The object that a callback is about; libdbus calls back only while the connection, and with it the bridge, lives.
    private static func from(_ context: UnsafeMutableRawPointer?) -> LoopBridge? {
        context.map { Unmanaged<LoopBridge>.fromOpaque($0).takeUnretainedValue() }
    }

    /// Ends everything; libdbus calls back no more.
    func uninstall() {
        _ = dbus_connection_set_watch_functions(connection, nil, nil, nil, nil, nil)
        _ = dbus_connection_set_timeout_functions(connection, nil, nil, nil, nil, nil)
        for source in sources.values { source.cancel() }
        sources = [:]
        timer?.cancel()
        timer = nil
    }

    /// Brings the loop's sources in line with what the callbacks recorded.
    func settle() {
        if watchesChanged {
            watchesChanged = false
            updateSources()
        }
        if timeoutsChanged {
            timeoutsChanged = false
            updateTimer()
        }
    }

    private func updateSources() {
        var wanted: [Int32: IOEvents] = [:]
        for watch in watches {
            var events: IOEvents = []
            if dbus_watch_get_enabled(watch) != 0 {
                let flags = dbus_watch_get_flags(watch)
                if flags & DBUS_WATCH_READABLE.rawValue != 0, !isReadingPaused { events.insert(.readable) }
                if flags & DBUS_WATCH_WRITABLE.rawValue != 0 { events.insert(.writable) }
            }
            if waitsForRoom { events.insert(.writable) }
            wanted[dbus_watch_get_unix_fd(watch), default: []].formUnion(events)
        }
        for (descriptor, source) in sources where wanted[descriptor] == nil {
            source.cancel()
            sources[descriptor] = nil
        }
        for (descriptor, events) in wanted {
            if let source = sources[descriptor] {
                if source.events != events { source.events = events }
            } else {
                let onEvents = onEvents
                sources[descriptor] = loop.addIO(fd: descriptor, events: events) { onEvents(descriptor, $0) }
            }
        }
    }

    private func updateTimer() {
        if !newTimeouts.isEmpty {
            let now = ContinuousClock.now
            for timeout in newTimeouts where dbus_timeout_get_enabled(timeout) != 0 {
                let interval = Duration.milliseconds(Int(dbus_timeout_get_interval(timeout)))
                timeouts.append(Timeout(pointer: timeout, deadline: now + interval))
            }
            newTimeouts.removeAll(keepingCapacity: true)
        }
        guard let next = timeouts.min(by: { $0.deadline < $1.deadline })?.deadline else {
            if armed != nil { timer?.disarm() }
            armed = nil
            return
        }
        // A timer that is too early finds nothing due and is armed again: cheaper than moving it at every answer.
        if let armed, armed <= next { return }
        arm(next)
    }

    private func arm(_ deadline: ContinuousClock.Instant) {
        armed = deadline
        let (seconds, attoseconds) = (deadline - .now).components
        let milliseconds = Int(seconds) * 1000 + Int(attoseconds / 1_000_000_000_000_000) + 1
        timer?.arm(afterMilliseconds: max(milliseconds, 0))
    }

    /// Handles events on a descriptor; a watch may vanish while another is handled.
    func handle(_ descriptor: Int32, _ events: IOEvents) {
        let gone = !events.isDisjoint(with: [.hangUp, .error])
        for watch in watches where watches.contains(watch) {
            guard dbus_watch_get_unix_fd(watch) == descriptor else { continue }
            let wanted = dbus_watch_get_flags(watch)
            var flags: UInt32 = 0
            if dbus_watch_get_enabled(watch) != 0 {
                // A bus that has gone is read to the end even while reading is paused: nothing else would notice.
                if events.contains(.readable), !isReadingPaused || gone { flags |= wanted & DBUS_WATCH_READABLE.rawValue }
                if events.contains(.writable) { flags |= wanted & DBUS_WATCH_WRITABLE.rawValue }
            }
            if events.contains(.hangUp) { flags |= DBUS_WATCH_HANGUP.rawValue }
            if events.contains(.error) { flags |= DBUS_WATCH_ERROR.rawValue }
            if flags != 0 { _ = dbus_watch_handle(watch, flags) }
        }
    }

    /// Handles the timeouts that are due.
    func handleTimeouts() {
        armed = nil
        timeoutsChanged = true
        let now = ContinuousClock.now
        let due = timeouts.filter { $0.deadline <= now }.map(\.pointer)
        for pointer in due {
            // Handling one can remove another.
            guard let index = timeouts.firstIndex(where: { $0.pointer == pointer }) else { continue }
            timeouts[index].deadline = now + .milliseconds(Int(dbus_timeout_get_interval(pointer)))
            if dbus_timeout_get_enabled(pointer) != 0 { _ = dbus_timeout_handle(pointer) }
        }
    }
}
