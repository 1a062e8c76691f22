/// What is wrong with a configuration file, and where.
public struct Diagnostic: Error, Hashable, Sendable, CustomStringConvertible {
    /// The file as it was named.
    public let file: String
    /// Line and column, from 1, of what can't be parsed; nil for a wrong entry.
    public let position: Position?
    /// The wrong entry, such as `preferences.theme.choices[2]`; empty where it is the file as a whole.
    public let path: String
    /// What is wrong, without a full stop.
    public let message: String

    /// A place in a text.
    public struct Position: Hashable, Sendable {
        /// The line, from 1.
        public let line: Int
        /// The character in the line, from 1.
        public let column: Int
    }

    /// A file that can't be used as a whole.
    public init(_ file: String, _ message: String) {
        self.file = file
        self.message = message
        position = nil
        path = ""
    }

    init(_ file: String, _ error: JSONSyntaxError) {
        self.file = file
        message = error.message
        position = Position(line: error.line, column: error.column)
        path = ""
    }

    init(_ file: String, _ error: EntryError) {
        self.file = file
        message = error.message
        position = nil
        path = error.path.description
    }

    /// `FILE:LINE:COLUMN: MESSAGE` or `FILE: PATH: MESSAGE`, as compilers have it.
    public var description: String {
        if let position { return "\(file):\(position.line):\(position.column): \(message)" }
        return path.isEmpty ? "\(file): \(message)" : "\(file): \(path): \(message)"
    }
}
