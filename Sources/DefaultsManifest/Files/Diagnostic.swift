/// What is wrong with a configuration file, and where.
public struct Diagnostic: Error, Hashable, Sendable, CustomStringConvertible {
    /// The file as it was named.
    public let file: String
    /// Line and column, from 1; nil for a wrong entry whose place nobody has looked for.
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

    /// A wrong entry; `text` is that of the file, where its place is to be found.
    init(_ file: String, _ error: EntryError, in text: [UInt8]? = nil) {
        self.file = file
        message = error.message
        position = text.map { JSONLocator.position(of: error.path, in: $0) }
        path = error.path.description
    }

    /// `FILE:LINE:COLUMN: PATH: MESSAGE`, as compilers have it; what isn't known is left out.
    public var description: String {
        let place = position.map { "\(file):\($0.line):\($0.column)" } ?? file
        return path.isEmpty ? "\(place): \(message)" : "\(place): \(path): \(message)"
    }
}
