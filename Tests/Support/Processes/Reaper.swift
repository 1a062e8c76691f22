import CSupport
import Glibc
import Synchronization

/// Takes note of a child's end at once, on a thread of its own, and remembers it.
///
/// Swift Testing waits for its exit tests with waitid(P_ALL): as long as there is any other child that has ended and was not waited for, it sees that one
/// alone, and an exit test that has ended is never noticed.
final class Reaper: Sendable {
    let identifier: pid_t
    /// Readable, for poll(2), once the process has ended.
    let descriptor: Int32
    private let status = Mutex<ExitStatus?>(nil)

    init(_ identifier: pid_t) throws {
        self.identifier = identifier
        descriptor = csupport_open_process(identifier)
        guard descriptor >= 0 else { throw TestFailure("pidfd_open: \(String(cString: strerror(errno)))") }
        // The thread keeps this object until the process has ended, which a ``ChildProcess`` that goes away makes sure of.
        try TestThread { [self] in reap() }.detach()
    }

    deinit { close(descriptor) }

    /// Sends the process a signal, unless it was waited for: its number may then be another's.
    func send(_ signal: Int32) {
        status.withLock { if $0 == nil { kill(identifier, signal) } }
    }

    /// How the process ended; waits for that.
    @discardableResult
    func reap() -> ExitStatus {
        // Outside the lock, so that signals can be sent meanwhile.
        var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        while poll(&entry, 1, -1) < 0 && errno == EINTR {}
        return status.withLock { status in
            if let status { return status }
            var waitStatus: Int32 = 0
            while waitpid(identifier, &waitStatus, 0) < 0 && errno == EINTR {}
            let ended = ExitStatus(waitStatus: waitStatus)
            status = ended
            return ended
        }
    }
}
