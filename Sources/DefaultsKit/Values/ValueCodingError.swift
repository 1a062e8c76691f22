/// Why a Swift value can't become a D-Bus value, or a D-Bus value the Swift value that was asked for.
public struct ValueCodingError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What kind of failure it is.
    public enum Kind: Hashable, Sendable {
        /// A Swift value that D-Bus has no type for.
        case unencodable
        /// A stored value of a type that can't be the one asked for, such as a text where a number is wanted.
        case wrongType
        /// A stored value of the right type that means nothing: a case that no longer exists, a missing entry, a number out of range.
        case undecodable
    }

    /// What kind of failure it is.
    public let kind: Kind
    /// Where in the value it is, such as `windows[2].size`; empty for the value as a whole.
    public let path: String
    /// One sentence that stands alone.
    public let message: String

    /// Describes a failure at a place.
    public init(_ kind: Kind, at path: String = "", _ message: String) {
        self.kind = kind
        self.path = path
        self.message = message
    }

    /// The place and the message.
    public var description: String { path.isEmpty ? message : "\(path): \(message)" }

    /// The same failure, seen from the value around.
    func within(_ outer: String) -> ValueCodingError {
        ValueCodingError(kind, at: path.isEmpty || path.hasPrefix("[") ? outer + path : "\(outer).\(path)", message)
    }
}

/// The text of a coding path: names joined by dots, places in brackets.
func text(of path: [any CodingKey]) -> String {
    var text = ""
    for key in path {
        if let index = key.intValue {
            text += "[\(index)]"
        } else {
            text += text.isEmpty ? key.stringValue : ".\(key.stringValue)"
        }
    }
    return text
}
