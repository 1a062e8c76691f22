import CSystemd
import Glibc

extension EventLoop {
    /// Lets other threads wake a loop's thread: the one part of a loop that may be handed to them.
    public final class WakeUp: Sendable {
        fileprivate let counter: Int32

        fileprivate init() throws(EventLoopError) {
            counter = csystemd_eventfd()
            guard counter >= 0 else { throw EventLoopError("eventfd", errno) }
        }

        deinit { close(counter) }

        /// Has the loop call its handler soon; any number of calls before it does are one.
        ///
        /// From any thread, never blocking. What the caller wrote before is visible to the handler. After the source was cancelled it does nothing.
        public func signal() {
            var one: UInt64 = 1
            // It fails only where the counter is at its maximum, and then the loop has been signalled already.
            _ = write(counter, &one, MemoryLayout<UInt64>.size)
        }

        fileprivate func reset() {
            var count: UInt64 = 0
            // It fails only where nothing was signalled since, which is what resetting is for.
            _ = read(counter, &count, MemoryLayout<UInt64>.size)
        }
    }

    /// A loop's side of a ``WakeUp``.
    public final class WakeUpSource: Source {
        /// What other threads get.
        public let wakeUp: WakeUp
        private var handler: (() -> Void)?

        init(_ loop: EventLoop, handler: @escaping () -> Void) throws(EventLoopError) {
            wakeUp = try WakeUp()
            self.handler = handler
            super.init(loop)
        }

        override func dropHandler() { handler = nil }

        /// Resets first: a signal that comes while the handler runs is not lost, it calls the handler again.
        fileprivate func handle() {
            wakeUp.reset()
            handler?()
        }
    }

    /// Calls `handler` on the loop's thread after another thread has called ``WakeUp/signal()``.
    public func addWakeUp(_ handler: @escaping () -> Void) throws(EventLoopError) -> WakeUpSource {
        let source = try WakeUpSource(self, handler: handler)
        try source.register("sd_event_add_io") { pointer, userdata in
            sd_event_add_io(
                event, &pointer, source.wakeUp.counter, IOEvents.readable.rawValue,
                { _, _, _, userdata in
                    WakeUpSource.from(userdata)?.handle()
                    return 0
                }, userdata)
        }
        return source
    }
}
