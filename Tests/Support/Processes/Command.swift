import Glibc

/// A program run from a test as from a shell, with its input and its outputs in pipes.
public final class Command {
    /// What a finished program left.
    public struct Result: Sendable, CustomStringConvertible {
        /// How it ended.
        public let status: ExitStatus
        /// What it wrote to standard output.
        public let output: String
        /// What it wrote to standard error.
        public let errors: String

        /// Its exit code; nil where a signal ended it.
        public var code: Int32? {
            if case .exited(let code) = status { code } else { nil }
        }

        /// All of it, for the message of an expectation that fails.
        public var description: String { "\(status)\noutput: \(output)\nerrors: \(errors)" }
    }

    /// The process.
    public let process: ChildProcess
    private let inputPipe: Pipe
    private let outputPipe: Pipe
    private let errorPipe: Pipe
    private var pendingInput: ArraySlice<UInt8>
    private var output: [UInt8] = []
    private var errors: [UInt8] = []
    /// How much of `output` ``nextLine(until:)`` has handed out.
    private var linesEnd = 0
    /// Where in `output` that ends which ``waitForOutput(containing:until:)`` has waited for.
    private var seen = 0

    /// Starts `tool`, a path or a name to look for in PATH, with `input` to read and then the end of input.
    public init(_ tool: String, _ arguments: [String] = [], environment: [String: String], input: String = "") throws {
        inputPipe = try Pipe()
        outputPipe = try Pipe()
        errorPipe = try Pipe()
        pendingInput = Array(input.utf8)[...]
        process = try ChildProcess(
            tool, arguments, environment: environment, input: inputPipe.readEnd, output: outputPipe.writeEnd,
            errors: errorPipe.writeEnd)
        // The program alone holds these from now on: its end shows as the end of them.
        inputPipe.closeReadEnd()
        outputPipe.closeWriteEnd()
        errorPipe.closeWriteEnd()
        // A program that doesn't read its input must not end the tests.
        signal(SIGPIPE, SIG_IGN)
        guard fcntl(inputPipe.writeEnd, F_SETFL, O_NONBLOCK) == 0 else {
            throw TestFailure("fcntl: \(String(cString: strerror(errno)))")
        }
        if pendingInput.isEmpty { inputPipe.closeWriteEnd() }
    }

    /// Runs a program to its end; throws where that has not come by the deadline.
    public static func run(
        _ tool: String, _ arguments: [String] = [], environment: [String: String], input: String = "",
        until deadline: Deadline = .inTenSeconds
    ) throws -> Result {
        try Command(tool, arguments, environment: environment, input: input).finish(until: deadline)
    }

    /// Waits for the program's end.
    public func finish(until deadline: Deadline = .inTenSeconds) throws -> Result {
        while outputPipe.readEnd >= 0 || errorPipe.readEnd >= 0 { try exchange(until: deadline) }
        let status = try process.wait(until: deadline)
        return Result(status: status, output: text(output), errors: text(errors))
    }

    /// Waits for the next line of standard output, returned without its end; nil where the output has ended.
    public func nextLine(until deadline: Deadline = .inTenSeconds) throws -> String? {
        while true {
            if let end = output[linesEnd...].firstIndex(of: UInt8(ascii: "\n")) {
                defer { linesEnd = end + 1 }
                return text(output[linesEnd..<end])
            }
            guard outputPipe.readEnd >= 0 else { return nil }
            try exchange(until: deadline)
        }
    }

    /// Waits until standard error has `part`.
    public func waitForErrors(containing part: String, until deadline: Deadline = .inTenSeconds) throws {
        while !text(errors).contains(part) {
            guard errorPipe.readEnd >= 0 else { throw TestFailure("\"\(part)\" never came; the errors were: \(text(errors))") }
            try exchange(until: deadline)
        }
    }

    /// Waits until standard output has `part` beyond what this was waited for before.
    public func waitForOutput(containing part: String, until deadline: Deadline = .inTenSeconds) throws {
        let part = Array(part.utf8)
        while true {
            if let range = output[seen...].firstRange(of: part) {
                seen = range.upperBound
                return
            }
            guard outputPipe.readEnd >= 0 else {
                throw TestFailure("\"\(text(part))\" never came; the output was: \(text(output))")
            }
            try exchange(until: deadline)
        }
    }

    /// Waits until one of the pipes can be served, and serves it.
    private func exchange(until deadline: Deadline) throws {
        let entries = try deadline.poll([
            pollfd(fd: outputPipe.readEnd, events: Int16(POLLIN), revents: 0),
            pollfd(fd: errorPipe.readEnd, events: Int16(POLLIN), revents: 0),
            pollfd(fd: inputPipe.writeEnd, events: Int16(POLLOUT), revents: 0),
        ])
        guard let entries else {
            throw TestFailure("the program had not done its part \(deadline); output: \(text(output)); errors: \(text(errors))")
        }
        if entries[0].revents != 0 { output += outputPipe.read() ?? [] }
        if entries[1].revents != 0 { errors += errorPipe.read() ?? [] }
        if entries[2].revents != 0 { feed() }
    }

    private func feed() {
        let count = pendingInput.withUnsafeBytes { write(inputPipe.writeEnd, $0.baseAddress, $0.count) }
        if count > 0 { pendingInput = pendingInput.dropFirst(count) }
        // A program that has closed its input gets no more of it.
        if pendingInput.isEmpty || count < 0 && errno != EAGAIN { inputPipe.closeWriteEnd() }
    }

    private func text(_ bytes: some Collection<UInt8>) -> String { String(decoding: bytes, as: UTF8.self) }
}
