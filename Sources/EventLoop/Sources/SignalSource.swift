import CSystemd
import Glibc

extension EventLoop {
    /// A UNIX signal that a loop receives instead of the process.
    public final class SignalSource: Source {
        private var handler: ((Int32) -> Void)?

        init(_ loop: EventLoop, handler: @escaping (Int32) -> Void) {
            self.handler = handler
            super.init(loop)
        }

        override func dropHandler() { handler = nil }

        fileprivate func handle(_ number: Int32) { handler?(number) }
    }

    /// Calls `handler` with the signal's number when the process gets it; several of one number may arrive as one.
    ///
    /// The signal is blocked in the calling thread. Other threads must block it too, or they take it with its default action: see ``blockSignals(_:)``.
    public func addSignal(_ number: Int32, handler: @escaping (Int32) -> Void) throws(EventLoopError) -> SignalSource {
        try Self.blockSignals([number])
        let source = SignalSource(self, handler: handler)
        try source.register("sd_event_add_signal") { pointer, userdata in
            sd_event_add_signal(
                event, &pointer, number,
                { pointer, _, userdata in
                    SignalSource.from(userdata)?.handle(sd_event_source_get_signal(pointer))
                    return 0
                }, userdata)
        }
        return source
    }

    /// Blocks signals in the calling thread and in all that it starts afterwards: the first thing a program does that will wait for them in a loop.
    ///
    /// Throws EINVAL for what is no signal's number.
    public static func blockSignals(_ numbers: [Int32]) throws(EventLoopError) {
        var set = sigset_t()
        sigemptyset(&set)
        for number in numbers where sigaddset(&set, number) != 0 { throw EventLoopError("sigaddset", errno) }
        let result = pthread_sigmask(SIG_BLOCK, &set, nil)
        guard result == 0 else { throw EventLoopError("pthread_sigmask", result) }
    }
}
