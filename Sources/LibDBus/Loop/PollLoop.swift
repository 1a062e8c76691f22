import Glibc

/// A loop on poll(2), for programs that have none of their own.
///
///     let loop = PollLoop()
///     bus.attach(to: loop)
///     loop.run()
public final class PollLoop: Loop {
    private final class Source: IOSource, TimerSource {
        let descriptor: Int32
        var events: IOEvents
        var deadline: ContinuousClock.Instant?
        private(set) var isCancelled = false
        private weak var loop: PollLoop?
        /// What is to be called, with what happened.
        private(set) var handler: ((IOEvents) -> Void)?

        init(_ loop: PollLoop, descriptor: Int32 = -1, events: IOEvents = [], handler: @escaping (IOEvents) -> Void) {
            self.loop = loop
            self.descriptor = descriptor
            self.events = events
            self.handler = handler
        }

        func cancel() {
            isCancelled = true
            handler = nil
            loop?.remove(self)
        }

        func arm(afterMilliseconds milliseconds: Int) { deadline = .now + .milliseconds(max(milliseconds, 0)) }

        func disarm() { deadline = nil }
    }

    private var inputs: [Source] = []
    private var timers: [Source] = []
    private var beforeWait: [Source] = []
    private var isStopped = false

    /// Makes a loop without sources.
    public init() {}

    /// Watches a descriptor; see ``Loop``.
    public func addIO(fd: Int32, events: IOEvents, handler: @escaping (IOEvents) -> Void) -> any IOSource {
        precondition(!inputs.contains { $0.descriptor == fd }, "a descriptor has one source at most; \(fd) has one")
        let source = Source(self, descriptor: fd, events: events, handler: handler)
        inputs.append(source)
        return source
    }

    /// Adds a timer, disarmed; see ``Loop``.
    public func addTimer(handler: @escaping () -> Void) -> any TimerSource {
        let source = Source(self) { _ in handler() }
        timers.append(source)
        return source
    }

    /// Calls the handler once before the next wait; see ``Loop``.
    public func addBeforeWait(handler: @escaping () -> Void) -> any LoopSource {
        let source = Source(self) { _ in handler() }
        beforeWait.append(source)
        return source
    }

    private func remove(_ source: Source) {
        inputs.removeAll { $0 === source }
        timers.removeAll { $0 === source }
        beforeWait.removeAll { $0 === source }
    }

    /// Runs until the condition holds (true), the deadline has passed, or `stop()` (false).
    ///
    /// The condition is asked before each round of handlers.
    @discardableResult
    public func run(until condition: () -> Bool = { false }, deadline: ContinuousClock.Instant? = nil) -> Bool {
        isStopped = false
        while true {
            if condition() { return true }
            if isStopped { return false }
            if let deadline, deadline <= .now { return false }
            iterate(deadline: deadline)
        }
    }

    /// Has `run` return once the current round of handlers is done.
    public func stop() { isStopped = true }

    /// Waits for something to happen, until the deadline at most, and calls the handlers.
    public func iterate(deadline: ContinuousClock.Instant? = nil) {
        let worked = runBeforeWait()
        var descriptors = inputs.map { pollfd(fd: $0.descriptor, events: $0.events.pollEvents, revents: 0) }
        let polled = inputs
        // After handlers have run, the caller's condition may hold: only look, don't wait.
        let timeout = worked ? 0 : pollTimeout(deadline)
        let count = poll(&descriptors, nfds_t(descriptors.count), timeout)
        if count > 0 {
            for (source, descriptor) in zip(polled, descriptors) where descriptor.revents != 0 {
                // The source may be cancelled, or wait for something else, since the wait.
                source.handler?(IOEvents(pollEvents: descriptor.revents))
            }
        } else if count < 0 {
            precondition(errno == EINTR || errno == EAGAIN || errno == ENOMEM, "poll(2) fails only by a wrong descriptor array")
        }
        runTimers()
    }

    /// What the handlers add waits for the next time, which comes without a wait.
    private func runBeforeWait() -> Bool {
        guard !beforeWait.isEmpty else { return false }
        let due = beforeWait
        beforeWait = []
        for source in due {
            let handler = source.handler
            source.cancel()
            handler?([])
        }
        return true
    }

    private func runTimers() {
        guard timers.contains(where: { $0.deadline != nil }) else { return }
        let now = ContinuousClock.now
        let due = timers.filter { timer in timer.deadline.map { $0 <= now } ?? false }
        for timer in due {
            // A handler before this one may have moved it.
            guard let deadline = timer.deadline, deadline <= now else { continue }
            timer.deadline = nil
            timer.handler?([])
        }
    }

    private func pollTimeout(_ deadline: ContinuousClock.Instant?) -> Int32 {
        guard let next = (timers.compactMap(\.deadline) + (deadline.map { [$0] } ?? [])).min() else { return -1 }
        let (seconds, attoseconds) = (next - .now).components
        // Rounded up: waking a moment early would spin until the time has come.
        let milliseconds = Double(seconds) * 1000 + Double(attoseconds) / 1e15
        return Int32(clamping: Int(min(max(milliseconds.rounded(.up), 0), Double(Int32.max))))
    }
}

extension IOEvents {
    fileprivate var pollEvents: Int16 {
        (contains(.readable) ? Int16(POLLIN) : 0) | (contains(.writable) ? Int16(POLLOUT) : 0)
    }

    fileprivate init(pollEvents: Int16) {
        self = []
        if pollEvents & Int16(POLLIN) != 0 { insert(.readable) }
        if pollEvents & Int16(POLLOUT) != 0 { insert(.writable) }
        if pollEvents & Int16(POLLHUP) != 0 { insert(.hangUp) }
        if pollEvents & Int16(POLLERR | POLLNVAL) != 0 { insert(.error) }
    }
}
