import CLinux
import Glibc
import LibDBus
import Synchronization

/// The client's one thread in a process: every connection, mirror and countdown of this library lives on it.
///
/// It runs a ``PollLoop`` and never any code of the program's: what a program gets to hear goes through buffers that its own tasks
/// empty. It begins with the first use and lasts as long as the process.
package final class Runtime: @unchecked Sendable {
    // `loop` is used on the thread alone; `jobs` has a lock of its own, and the rest never changes.

    /// The process's runtime.
    package static let shared = Runtime()

    /// The loop; on the runtime's thread only.
    let loop = PollLoop()
    private let jobs = Mutex<[@Sendable () -> Void]>([])
    /// A byte in it wakes the loop.
    private let readEnd: Int32
    private let writeEnd: Int32
    private let identity = Atomic<UInt>(0)

    private init() {
        var ends: [Int32] = [-1, -1]
        // Unlike a pipe's, its flags are set as it is made: no child that another thread starts inherits it.
        let type = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
        let made = socketpair(AF_UNIX, type, 0, &ends)
        precondition(made == 0, "a process has two descriptors left for its preferences")
        (readEnd, writeEnd) = (ends[0], ends[1])
        var thread = pthread_t()
        let failure = pthread_create(
            &thread, nil,
            { context in
                if let context { Unmanaged<Runtime>.fromOpaque(context).takeUnretainedValue().work() }
                return nil
            }, Unmanaged.passRetained(self).toOpaque())
        precondition(failure == 0, "a process has a thread left for its preferences")
        pthread_detach(thread)
    }

    /// Has the thread do something, in the order asked for, and returns at once; from any thread.
    package func run(_ job: @escaping @Sendable () -> Void) {
        let isFirst = jobs.withLock { jobs in
            jobs.append(job)
            return jobs.count == 1
        }
        guard isFirst else { return }
        var byte: UInt8 = 0
        // A full pipe wakes the loop as well as one more byte does.
        _ = write(writeEnd, &byte, 1)
    }

    /// Has the thread do something and waits for it, so long at most; nil where it wasn't done by then.
    package func wait<Content: Sendable>(
        milliseconds: Int, _ job: @escaping @Sendable (@escaping @Sendable (Content) -> Void) -> Void
    ) -> Content? {
        precondition(!isCurrent, "the client's thread doesn't wait for itself")
        let waiter = Waiter<Content>()
        run { job { waiter.give($0) } }
        return waiter.wait(milliseconds: milliseconds)
    }

    /// Calls a handler on the thread, no sooner than so many milliseconds from now; on the thread.
    func after(milliseconds: Int, _ handler: @escaping () -> Void) -> any TimerSource {
        let timer = loop.addTimer(handler: handler)
        timer.arm(afterMilliseconds: milliseconds)
        return timer
    }

    /// Whether the caller is on the thread.
    package var isCurrent: Bool { identity.load(ordering: .relaxed) == UInt(pthread_self()) }

    private func work() {
        identity.store(UInt(pthread_self()), ordering: .relaxed)
        clinux_name_thread("defaultskit")
        blockSignals()
        _ = loop.addIO(fd: readEnd, events: .readable) { [self] _ in runJobs() }
        loop.run()
    }

    /// Signals are the program's: its handlers must not find themselves on this thread.
    private func blockSignals() {
        var all = sigset_t()
        sigfillset(&all)
        pthread_sigmask(SIG_BLOCK, &all, nil)
    }

    private func runJobs() {
        var bytes = [UInt8](repeating: 0, count: 64)
        while read(readEnd, &bytes, bytes.count) == bytes.count {}
        let due = jobs.withLock { jobs in
            let due = jobs
            jobs = []
            return due
        }
        for job in due { job() }
    }
}
