import CSupport
import Glibc
import Synchronization

/// A process that a test started: whoever drops it ends it with SIGKILL, so that no test leaves one running.
public final class ChildProcess: Sendable {
    /// The process's number.
    public let identifier: pid_t
    /// Readable, for poll(2), once the process has ended.
    let descriptor: Int32
    /// How it ended; nil until ``wait(until:)`` or ``poll()`` has seen that.
    public var status: ExitStatus? { ended.withLock(\.self) }
    private let ended = Mutex<ExitStatus?>(nil)

    /// Starts `executable`, a path or a name to look for in PATH.
    ///
    /// It gets exactly the given environment, and no descriptor but the three. With -1 for one of these it gets /dev/null. Signals that this process
    /// ignores or blocks are neither there.
    public init(
        _ executable: String, _ arguments: [String] = [], environment: [String: String], input: Int32 = -1, output: Int32 = -1,
        errors: Int32 = -1
    ) throws {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        for (target, descriptor) in [input, output, errors].enumerated() {
            if descriptor >= 0 {
                posix_spawn_file_actions_adddup2(&actions, descriptor, Int32(target))
            } else {
                posix_spawn_file_actions_addopen(&actions, Int32(target), "/dev/null", O_RDWR, 0)
            }
        }
        csupport_close_from(&actions, 3)

        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var signals = sigset_t()
        sigemptyset(&signals)
        posix_spawnattr_setsigmask(&attributes, &signals)
        sigfillset(&signals)
        posix_spawnattr_setsigdefault(&attributes, &signals)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))

        var identifier: pid_t = 0
        let result = withCStrings([executable] + arguments) { arguments in
            withCStrings(environment.map { "\($0.key)=\($0.value)" }) { environment in
                posix_spawnp(&identifier, executable, &actions, &attributes, arguments, environment)
            }
        }
        guard result == 0 else { throw TestFailure("\(executable) can't be started: \(String(cString: strerror(result)))") }
        self.identifier = identifier
        descriptor = csupport_open_process(identifier)
        guard descriptor >= 0 else { throw TestFailure("pidfd_open: \(String(cString: strerror(errno)))") }
    }

    deinit {
        send(SIGKILL)
        reap()
        close(descriptor)
    }

    /// Sends it a signal; a process that has been seen to end gets none.
    public func send(_ signal: Int32) {
        // Under the lock: once reaped, its number may be another process's.
        ended.withLock { if $0 == nil { kill(identifier, signal) } }
    }

    /// Waits until it has ended, and says how; throws at the deadline.
    @discardableResult
    public func wait(until deadline: Deadline = .inTenSeconds) throws -> ExitStatus {
        guard try deadline.poll([pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)]) != nil else {
            throw TestFailure("process \(identifier) had not ended \(deadline)")
        }
        return reap()
    }

    /// How it ended, or nil if it is still running; never waits.
    public func poll() -> ExitStatus? {
        var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        return Glibc.poll(&entry, 1, 0) == 1 ? reap() : nil
    }

    @discardableResult
    private func reap() -> ExitStatus {
        ended.withLock { ended in
            if let ended { return ended }
            var waitStatus: Int32 = 0
            while waitpid(identifier, &waitStatus, 0) < 0 && errno == EINTR {}
            let status = ExitStatus(waitStatus: waitStatus)
            ended = status
            return status
        }
    }
}

/// Calls `body` with a null-terminated array of C strings.
private func withCStrings<Result>(
    _ strings: [String], _ body: (UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>) -> Result
) -> Result {
    var pointers = strings.map { strdup($0) } + [nil]
    defer { for pointer in pointers { free(pointer) } }
    return pointers.withUnsafeMutableBufferPointer { buffer in
        guard let base = buffer.baseAddress else { preconditionFailure("the array ends with a nil and is never empty") }
        return body(base)
    }
}
