import DBusTypes
import Glibc

/// Standard output, gathered and written at once; standard error for what is no result.
///
/// One thread only.
final class Output {
    /// How results are printed; nil as people write them.
    let json: JSONStyle?
    /// Whether what merely informs is left out.
    let isQuiet: Bool
    /// Whether standard output is a terminal.
    private(set) lazy var isTerminal = isatty(STDOUT_FILENO) == 1
    private var buffer: [UInt8] = []

    /// Gathered bytes beyond this are written without waiting for the end.
    private static let highWater = 64 * 1024

    init(json: JSONStyle? = nil, isQuiet: Bool = false) {
        self.json = json
        self.isQuiet = isQuiet
    }

    /// Prints a line.
    func line(_ text: String) throws(Failure) {
        buffer.append(contentsOf: text.utf8)
        buffer.append(UInt8(ascii: "\n"))
        if buffer.count > Self.highWater { try flush() }
    }

    /// Prints a text without ending the line.
    func text(_ text: String) { buffer.append(contentsOf: text.utf8) }

    /// Prints a JSON text, as `--json` asks for.
    func json(_ json: JSON, _ style: JSONStyle) throws(Failure) { try line(json.text(style)) }

    /// Prints a result: with `--json` the value with its type, otherwise what `lines` says.
    func result(_ value: Value, lines: () -> [String]) throws(Failure) {
        if let json {
            try self.json(.typed(value), json)
        } else {
            for line in lines() { try self.line(line) }
        }
    }

    /// Prints one value by itself: exactly, or safely if a terminal shows it.
    func value(_ value: Value) throws(Failure) {
        try result(value) { [isTerminal ? ValueText.line(value) : ValueText.raw(value)] }
    }

    /// Writes what was gathered.
    func flush() throws(Failure) {
        var written = 0
        defer { buffer.removeAll(keepingCapacity: true) }
        while written < buffer.count {
            let count = buffer[written...].withUnsafeBytes { write(STDOUT_FILENO, $0.baseAddress, $0.count) }
            if count >= 0 {
                written += count
            } else if errno == EAGAIN {
                var descriptor = pollfd(fd: STDOUT_FILENO, events: Int16(POLLOUT), revents: 0)
                _ = poll(&descriptor, 1, -1)
            } else if errno != EINTR {
                throw Failure("standard output can't be written: \(String(cString: strerror(errno)))", status: .storage)
            }
        }
    }

    /// Says something on standard error that merely informs.
    func inform(_ message: String) {
        if !isQuiet { Self.report("\(programName): \(message)\n") }
    }

    /// Writes to standard error; where that fails there is nobody left to tell.
    static func report(_ text: String) {
        let bytes = Array(text.utf8)
        var written = 0
        while written < bytes.count {
            let count = bytes[written...].withUnsafeBytes { write(STDERR_FILENO, $0.baseAddress, $0.count) }
            guard count >= 0 || errno == EINTR else { return }
            written += max(count, 0)
        }
    }
}
