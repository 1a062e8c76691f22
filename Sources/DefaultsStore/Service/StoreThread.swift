import CLinux
import Glibc

/// The thread that owns SQLite: takes requests one by one, answers each, and uses the time between them to tidy up.
final class StoreThread {
    private var thread = pthread_t()

    /// Starts a thread that runs `body`.
    init(_ body: @Sendable @escaping () -> Void) {
        let start = Start(body)
        // The thread inherits the mask: signals are the loop's, only faults belong to the thread that causes them.
        var blocked = sigset_t()
        var previous = sigset_t()
        sigfillset(&blocked)
        for fault in [SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGABRT] { sigdelset(&blocked, fault) }
        pthread_sigmask(SIG_BLOCK, &blocked, &previous)
        defer { pthread_sigmask(SIG_SETMASK, &previous, nil) }
        let context = Unmanaged.passRetained(start)
        let result = pthread_create(
            &thread, nil,
            { context in
                guard let context else { preconditionFailure("the store thread is started with its body") }
                clinux_name_thread("store")
                Unmanaged<Start>.fromOpaque(context).takeRetainedValue().body()
                return nil
            }, context.toOpaque())
        precondition(result == 0, "the store thread can't be started: errno \(result)")
    }

    /// Waits until the thread has ended: after its queue was closed.
    func join() {
        pthread_join(thread, nil)
    }

    private final class Start {
        let body: @Sendable () -> Void
        init(_ body: @Sendable @escaping () -> Void) { self.body = body }
    }
}
