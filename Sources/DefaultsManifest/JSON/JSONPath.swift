/// Where in a JSON text an entry is: `preferences.theme.choices[2]`.
struct JSONPath: Hashable, CustomStringConvertible {
    private(set) var description: String
    /// How many names and indices lead there.
    private(set) var depth: Int

    /// The outermost value.
    static let root = JSONPath(description: "", depth: 0)

    private init(description: String, depth: Int) {
        self.description = description
        self.depth = depth
    }

    /// The member `name` of the object here.
    func member(_ name: String) -> JSONPath {
        let isPlain = !name.isEmpty && name.utf8.allSatisfy(Self.isPlain)
        let element = isPlain ? (description.isEmpty ? name : "." + name) : "[\(JSONNode.quoted(name))]"
        return JSONPath(description: description + element, depth: depth + 1)
    }

    /// The element `index` of the array here.
    func element(_ index: Int) -> JSONPath { JSONPath(description: "\(description)[\(index)]", depth: depth + 1) }

    /// Domains are names with dots, and stand as they are.
    private static func isPlain(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "0")...UInt8(ascii: "9"),
            UInt8(ascii: "_"), UInt8(ascii: "-"), UInt8(ascii: "."):
            true
        default: false
        }
    }
}

/// What is wrong with one entry.
struct EntryError: Error, Hashable {
    let path: JSONPath
    /// A sentence without a full stop.
    let message: String

    init(_ path: JSONPath, _ message: String) {
        self.path = path
        self.message = message
    }
}
