import CSystemd

extension EventLoop {
    /// A file descriptor that a loop watches.
    public final class IOSource: Source {
        private var handler: ((IOEvents) -> Void)?

        init(_ loop: EventLoop, handler: @escaping (IOEvents) -> Void) {
            self.handler = handler
            super.init(loop)
        }

        /// What the handler is called for; with none, errors and a hang-up still come.
        ///
        /// Setting it on a cancelled source does nothing. Setting it after the descriptor was closed is a bug and traps.
        public var events: IOEvents {
            get {
                var events: UInt32 = 0
                if let pointer { require(sd_event_source_get_io_events(pointer, &events), "sd_event_source_get_io_events") }
                return IOEvents(rawValue: events)
            }
            set {
                if let pointer {
                    require(sd_event_source_set_io_events(pointer, newValue.rawValue), "sd_event_source_set_io_events")
                }
            }
        }

        override func dropHandler() { handler = nil }

        fileprivate func handle(_ events: IOEvents) { handler?(events) }
    }

    /// Calls `handler` whenever one of `events` is true of `fd` (level-triggered), with those that are.
    ///
    /// One source a descriptor: epoll refuses a second one. The descriptor stays the caller's, who cancels before closing it. Throws EPERM for a file
    /// that can't be waited for, such as a regular one.
    public func addIO(fd: Int32, events: IOEvents, handler: @escaping (IOEvents) -> Void) throws(EventLoopError) -> IOSource {
        let source = IOSource(self, handler: handler)
        try source.register("sd_event_add_io") { pointer, userdata in
            sd_event_add_io(
                event, &pointer, fd, events.rawValue,
                { _, _, events, userdata in
                    IOSource.from(userdata)?.handle(IOEvents(rawValue: events))
                    return 0
                }, userdata)
        }
        return source
    }
}
