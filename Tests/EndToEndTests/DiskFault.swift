import Glibc
import Support

/// A disk that is slow, full or broken for one daemon: strace(1) attached to it changes what its system calls do.
final class DiskFault {
    private let command: Command

    /// Attaches to a daemon; `injection` is what strace's `-e inject=` takes, such as `fdatasync:delay_enter=1000000` (µs).
    ///
    /// From the return on it has effect, on every thread that the daemon has and will have.
    init(of daemon: Daemon, _ injection: String) throws {
        let call = injection.prefix { $0 != ":" }
        command = try Command(
            "strace",
            ["-f", "-p", "\(daemon.process.identifier)", "-o", "/dev/null", "-e", "trace=\(call)", "-e", "inject=\(injection)"],
            environment: daemon.bus.environment.variables)
        // strace says so once it has attached to all threads.
        try command.waitForErrors(containing: "attached")
    }

    /// Detaches: the disk is as before.
    func end() throws {
        command.process.send(SIGINT)
        _ = try command.finish()
    }
}
