/// A JSON text as a tree: objects keep the order of their members, numbers the digits that they were written with.
public enum JSONNode: Hashable, Sendable {
    /// A name and its value.
    public struct Member: Hashable, Sendable {
        /// The name, which no other member of the object has.
        public let name: String
        /// The value.
        public var value: JSONNode

        /// Pairs a name with its value.
        public init(_ name: String, _ value: JSONNode) {
            self.name = name
            self.value = value
        }
    }

    case null
    case boolean(Bool)
    /// A number as JSON spells it: what becomes of it depends on the type it is wanted for.
    case number(String)
    case string(String)
    case array([JSONNode])
    case object([Member])

    /// An integer.
    static func integer(_ number: some BinaryInteger) -> JSONNode { .number(String(number)) }

    /// The kind of value for an error message.
    var kind: String {
        switch self {
        case .null: "null"
        case .boolean(let value): value ? "true" : "false"
        case .number(let text): text.utf8.count > 40 ? "a number of \(text.utf8.count) characters" : text
        case .string(let text): text.utf8.count > 64 ? "a string of \(text.utf8.count) bytes" : JSONNode.quoted(text)
        case .array: "an array"
        case .object: "an object"
        }
    }

    /// The value of the member `name`; nil where there is none, and in what is no object.
    subscript(_ name: String) -> JSONNode? {
        guard case .object(let members) = self else { return nil }
        // Names are compared by their bytes: JSON has no canonical equivalence.
        return members.first { $0.name.utf8.elementsEqual(name.utf8) }?.value
    }
}
