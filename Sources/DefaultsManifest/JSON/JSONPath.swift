import DefaultsModel

/// Where in a JSON text an entry is: `preferences.theme.choices[2]`.
struct JSONPath: Hashable, CustomStringConvertible {
    /// The way from the outermost value.
    let steps: [EntryStep]

    /// The outermost value.
    static let root = JSONPath(steps: [])

    /// How many names and indices lead there.
    var depth: Int { steps.count }

    /// The member `name` of the object here.
    func member(_ name: String) -> JSONPath { JSONPath(steps: steps + [.member(name)]) }

    /// The element `index` of the array here.
    func element(_ index: Int) -> JSONPath { JSONPath(steps: steps + [.element(index)]) }

    /// The way as people write it; empty for the outermost value.
    var description: String {
        steps.reduce("") { text, step in
            switch step {
            case .element(let index): "\(text)[\(index)]"
            case .member(let name) where Self.isPlain(name): text.isEmpty ? name : "\(text).\(name)"
            case .member(let name): "\(text)[\(JSONNode.quoted(name))]"
            }
        }
    }

    private static func isPlain(_ name: String) -> Bool { !name.isEmpty && name.utf8.allSatisfy(isPlain) }

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
    /// The error that it is to whoever sent the text.
    let code: ModelError.Code

    init(_ path: JSONPath, _ message: String, _ code: ModelError.Code = .invalidArgument) {
        self.path = path
        self.message = message
        self.code = code
    }
}
