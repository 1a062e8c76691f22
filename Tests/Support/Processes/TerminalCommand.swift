import Glibc

/// A shell command in a terminal of its own, whose keys a test presses.
public final class TerminalCommand {
    /// The program that makes the terminal; its output is what the screen gets.
    public let command: Command
    private let folder: TemporaryFolder
    private let keyboard: Int32

    /// Starts `script` with the shell, in a terminal of so many columns and rows.
    public init(_ script: String, environment: [String: String], columns: Int = 80, rows: Int = 24) throws {
        folder = try TemporaryFolder()
        let keys = folder.path("keys")
        guard mkfifo(keys, 0o600) == 0 else { throw TestFailure("mkfifo \(keys): \(String(cString: strerror(errno)))") }
        // Open for both, so that no end waits for the other and the keys don't end before the command.
        keyboard = open(keys, O_RDWR | O_CLOEXEC)
        guard keyboard >= 0 else { throw TestFailure("open \(keys): \(String(cString: strerror(errno)))") }
        var variables = environment
        variables.merge(["TERM": "xterm", "LANG": "C.UTF-8", "SHELL": "/bin/sh"]) { given, _ in given }
        variables["KEYS"] = keys
        variables["INSIDE"] = "stty cols \(columns) rows \(rows); " + script
        // script(1) makes the terminal.
        command = try Command(
            "sh", ["-c", "exec script --quiet --flush --command \"$INSIDE\" /dev/null <\"$KEYS\""], environment: variables)
    }

    deinit { close(keyboard) }

    /// Waits until the screen got `text`, after what was waited for before.
    public func waitFor(_ text: String, until deadline: Deadline = .inTenSeconds) throws {
        try command.waitForOutput(containing: text, until: deadline)
    }

    /// Presses keys.
    public func press(_ keys: String) throws {
        let bytes = Array(keys.utf8)
        guard write(keyboard, bytes, bytes.count) == bytes.count else {
            throw TestFailure("write: \(String(cString: strerror(errno)))")
        }
    }

    /// Waits for the end; all that the screen got.
    public func finish(until deadline: Deadline = .inTenSeconds) throws -> String { try command.finish(until: deadline).output }
}
