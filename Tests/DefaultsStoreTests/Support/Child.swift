import Glibc
import Testing

/// A program started by a test, with its standard streams on pipes.
final class Child {
    let pid: pid_t
    private let input: Int32
    private let output: Int32
    private var isGone = false

    init(_ program: String, _ arguments: [String]) throws {
        var inputEnds: [Int32] = [0, 0]
        var outputEnds: [Int32] = [0, 0]
        try #require(pipe(&inputEnds) == 0 && pipe(&outputEnds) == 0)
        for end in inputEnds + outputEnds { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, inputEnds[0], 0)
        posix_spawn_file_actions_adddup2(&actions, outputEnds[1], 1)
        var words: [UnsafeMutablePointer<CChar>?] = ([program] + arguments).map { strdup($0) } + [nil]
        defer { for word in words { free(word) } }
        var started = pid_t()
        try #require(posix_spawn(&started, program, &actions, nil, &words, environ) == 0, "\(program) can be started")
        close(inputEnds[0])
        close(outputEnds[1])
        (pid, input, output) = (started, inputEnds[1], outputEnds[0])
    }

    deinit { kill() }

    /// The next line of the program's output, without its end; nil at the end.
    func readLine() -> String? {
        var bytes: [UInt8] = []
        var byte: UInt8 = 0
        while read(output, &byte, 1) == 1 {
            if byte == UInt8(ascii: "\n") { return String(decoding: bytes, as: UTF8.self) }
            bytes.append(byte)
        }
        return bytes.isEmpty ? nil : String(decoding: bytes, as: UTF8.self)
    }

    /// Waits for the program's end; returns its exit code, nil where a signal ended it.
    func wait() -> Int32? {
        guard !isGone else { return nil }
        isGone = true
        close(input)
        close(output)
        var status: Int32 = 0
        waitpid(pid, &status, 0)
        return status & 0x7F == 0 ? (status >> 8) & 0xFF : nil
    }

    /// Ends the program at once.
    func kill() {
        guard !isGone else { return }
        Glibc.kill(pid, SIGKILL)
        _ = wait()
    }
}

/// Runs a program to its end; returns its exit code.
@discardableResult
func run(_ program: String, _ arguments: String...) throws -> Int32? {
    try Child(program, arguments).wait()
}
