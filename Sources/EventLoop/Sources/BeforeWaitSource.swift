import CSystemd
import Glibc

extension EventLoop {
    /// Something that a loop does in every round, just before it waits.
    public final class BeforeWaitSource: Source {
        private var handler: (() -> Void)?

        init(_ loop: EventLoop, handler: @escaping () -> Void) {
            self.handler = handler
            super.init(loop)
        }

        override func dropHandler() { handler = nil }

        fileprivate func handle() { handler?() }
    }

    /// Calls `handler` in every round, when the sources that were due have been handled and before the loop waits for more.
    ///
    /// What it defers, arms or asks for still counts in that round.
    public func addBeforeWait(_ handler: @escaping () -> Void) throws(EventLoopError) -> BeforeWaitSource {
        let source = BeforeWaitSource(self, handler: handler)
        // sd-event runs such a callback only as part of an enabled source: a timer that never elapses is one.
        try source.register("sd_event_add_time") { pointer, userdata in
            sd_event_add_time(event, &pointer, CLOCK_BOOTTIME, UInt64.max, TimerSource.accuracy, { _, _, _ in 0 }, userdata)
        }
        let result = sd_event_source_set_prepare(source.pointer) { _, userdata in
            BeforeWaitSource.from(userdata)?.handle()
            return 0
        }
        require(result, "sd_event_source_set_prepare")
        return source
    }
}
