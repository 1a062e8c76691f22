import DBusTypes
import DefaultsInterface
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

    /// Prints a result: with `--json` the value with its type, otherwise what `lines` says.
    func result(_ value: Value, lines: () -> [String]) throws(Failure) {
        if let json {
            try line(json.text(value))
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
        defer { buffer.removeAll(keepingCapacity: true) }
        if let number = StandardStream.output.write(buffer) {
            throw Failure("standard output can't be written: \(String(cString: strerror(number)))", status: .storage)
        }
    }

    /// Says something on standard error that merely informs.
    func inform(_ message: String) {
        if !isQuiet { StandardStream.error.write("\(programName): \(message)\n") }
    }
}
