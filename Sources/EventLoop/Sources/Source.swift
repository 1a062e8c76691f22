import CSystemd

extension EventLoop {
    /// Something that a loop watches; its subclasses say what.
    ///
    /// Of the loop's thread, like the loop. It lives until ``cancel()``, whether or not anyone holds this object.
    public class Source {
        /// The sd-event source; nil once cancelled.
        private(set) var pointer: OpaquePointer?
        /// Alive as long as `pointer` is there: a loop that goes away releases its sources first.
        private unowned let loop: EventLoop

        init(_ loop: EventLoop) { self.loop = loop }

        deinit { assert(pointer == nil, "the loop holds every source that is not cancelled") }

        /// Whether ``cancel()`` was called or the loop is gone: the handler never runs again.
        public final var isCancelled: Bool { pointer == nil }

        /// Stops watching and lets go of the handler; again, or inside the handler, is no error.
        public final func cancel() {
            guard pointer != nil else { return }
            loop.remove(self)
            release()
        }

        /// The order among sources that are due in one round: the lowest first, 0 to begin with; of equals, the one that has been due for longer.
        ///
        /// A cancelled source has none: reading gives 0, setting does nothing.
        public final var priority: Int64 {
            get {
                var priority: Int64 = 0
                if let pointer { require(sd_event_source_get_priority(pointer, &priority), "sd_event_source_get_priority") }
                return priority
            }
            set {
                if let pointer { require(sd_event_source_set_priority(pointer, newValue), "sd_event_source_set_priority") }
            }
        }

        /// Has `add` make the sd-event source with the given user data, and the loop keep this object from then on.
        final func register(
            _ operation: StaticString, _ add: (inout OpaquePointer?, UnsafeMutableRawPointer) -> Int32
        ) throws(EventLoopError) {
            try check(add(&pointer, Unmanaged.passUnretained(self).toOpaque()), operation)
            loop.insert(self)
        }

        /// Frees the sd-event source, which forgets this object at once: it frees a source that is being dispatched only after its callback.
        final func release() {
            sd_event_source_disable_unref(pointer)
            pointer = nil
            dropHandler()
        }

        /// Lets go of the handler and what it holds.
        func dropHandler() {}

        /// The Swift object behind a callback's user data, kept alive for as long as the callback holds the result.
        static func from(_ userdata: UnsafeMutableRawPointer?) -> Self? {
            guard let userdata else { return nil }
            return Unmanaged<Self>.fromOpaque(userdata).takeUnretainedValue()
        }
    }
}

/// Enables an sd-event source for good or once, or disables it: SD_EVENT_ON, SD_EVENT_ONESHOT, SD_EVENT_OFF.
func setMode(of source: OpaquePointer?, _ mode: Int) {
    require(sd_event_source_set_enabled(source, Int32(mode)), "sd_event_source_set_enabled")
}
