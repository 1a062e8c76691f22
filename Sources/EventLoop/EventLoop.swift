import CSystemd

/// A thread's event loop: I/O, timers, signals, wake-ups from other threads and systemd's watchdog, on sd-event.
///
/// Everything happens on the thread that calls ``run()``: sources are added, changed and cancelled there, and handlers run there, one at a time. Only
/// ``WakeUp`` may cross threads. A source lives until it is cancelled or the loop goes away; dropping the object that stands for it changes nothing.
///
/// ```swift
/// try EventLoop.blockSignals([SIGTERM])
/// let loop = try EventLoop()
/// _ = try loop.addSignal(SIGTERM) { _ in loop.exit() }
/// try EventLoop.notify(.ready)
/// exit(try loop.run())
/// ```
public final class EventLoop {
    let event: OpaquePointer
    /// What keeps every source that sd-event knows alive: sd-event itself holds only an unretained pointer.
    private var sources: [ObjectIdentifier: Source] = [:]
    private var deferred: [() -> Void] = []
    private var deferSource: OpaquePointer?
    private var exitCode: Int32?

    /// Makes a loop with nothing in it; throws where the system is out of file descriptors or memory.
    public init() throws(EventLoopError) {
        var event: OpaquePointer?
        try check(sd_event_new(&event), "sd_event_new")
        guard let event else { preconditionFailure("sd_event_new succeeded without an event loop") }
        self.event = event
        try addDeferSource()
    }

    deinit {
        for source in sources.values { source.release() }
        sd_event_source_disable_unref(deferSource)
        sd_event_unref(event)
    }

    /// Runs until ``exit(_:)`` and returns its code; once per loop.
    ///
    /// Throws what the wait itself can fail with, which leaves nothing to do but stop.
    public func run() throws(EventLoopError) -> Int32 {
        try check(sd_event_loop(event), "sd_event_loop")
        return exitCode ?? 0
    }

    /// Ends ``run()`` after the handler that is running now; handlers that are due but haven't begun don't run.
    ///
    /// The first code counts: what went wrong first is the reason to stop.
    public func exit(_ code: Int32 = 0) {
        guard exitCode == nil else { return }
        exitCode = code
        require(sd_event_exit(event, code), "sd_event_exit")
    }

    /// Runs `handler` once, before the loop next waits.
    ///
    /// Handlers run in the order in which they were deferred; what a handler defers runs in the next round, after the sources that became due meanwhile.
    public func `defer`(_ handler: @escaping () -> Void) {
        deferred.append(handler)
        if deferred.count == 1 { setMode(of: deferSource, SD_EVENT_ONESHOT) }
    }

    func insert(_ source: Source) { sources[ObjectIdentifier(source)] = source }

    func remove(_ source: Source) { sources[ObjectIdentifier(source)] = nil }

    /// One source for all that is deferred: sd-event keeps no order among the sources that are due in one round.
    private func addDeferSource() throws(EventLoopError) {
        let userdata = Unmanaged.passUnretained(self).toOpaque()
        let result = sd_event_add_defer(
            event, &deferSource,
            { _, userdata in
                guard let userdata else { return 0 }
                Unmanaged<EventLoop>.fromOpaque(userdata).takeUnretainedValue().runDeferred()
                return 0
            }, userdata)
        try check(result, "sd_event_add_defer")
        setMode(of: deferSource, SD_EVENT_OFF)
    }

    private func runDeferred() {
        let round = deferred
        deferred = []
        for handler in round { handler() }
    }
}
