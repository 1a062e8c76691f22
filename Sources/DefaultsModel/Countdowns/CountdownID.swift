import DBusTypes

/// Who started a countdown.
public struct CountdownOwner: Hashable, Sendable {
    /// The unique name of the connection.
    public let name: BusName
    /// The UID that the bus reports for it (P15).
    public let user: UInt32
    /// The application in whose sandbox it is; nil outside any (P15).
    public let app: DomainName?

    /// Names an owner.
    public init(name: BusName, user: UInt32, app: DomainName? = nil) {
        self.name = name
        self.user = user
        self.app = app
    }
}

/// Which countdown: its owner's name as a path element, and its token.
public struct CountdownID: Hashable, Sendable, CustomStringConvertible {
    /// The longest token in bytes.
    public static let maximumTokenLength = 64
    private static let root = "/org/defaultsd1/countdown/"

    /// The owner's unique name without `:`, and with `.` as `_`, as portals do.
    public let sender: String
    /// The caller's word for this countdown: 1–64 of `[A-Za-z0-9_]`.
    public let token: String
    /// The object's path.
    public let path: ObjectPath

    /// Names a countdown of `owner`; throws `InvalidName` for a token that breaks the rule.
    public init(owner: BusName, token: String) throws(ModelError) {
        guard (1...Self.maximumTokenLength).contains(token.utf8.count), token.utf8.allSatisfy(Self.isPathByte) else {
            throw .invalidName("token is \"\(token.prefix(80))\"; it must be 1 to 64 characters of A-Z, a-z, 0-9 and _")
        }
        self.init(sender: Self.pathElement(of: owner), token: token)
    }

    /// Takes a countdown's path apart; nil for any other path.
    public init?(path: ObjectPath) {
        guard path.text.hasPrefix(Self.root) else { return nil }
        let elements = path.elements
        guard elements.count == 5, elements[4].utf8.count <= Self.maximumTokenLength else { return nil }
        self.init(sender: String(elements[3]), token: String(elements[4]))
    }

    /// Takes the key of a record apart; nil for what is none.
    init?(recordKey: String) {
        guard let path = ObjectPath(Self.root + recordKey) else { return nil }
        self.init(path: path)
    }

    private init(sender: String, token: String) {
        self.sender = sender
        self.token = token
        guard let path = ObjectPath("\(Self.root)\(sender)/\(token)") else {
            preconditionFailure("a checked sender and token make a path")
        }
        self.path = path
    }

    /// The key under which the store keeps it.
    public var recordKey: String { "\(sender)/\(token)" }

    /// The path.
    public var description: String { path.text }

    /// Two are the same when their paths are.
    public static func == (left: CountdownID, right: CountdownID) -> Bool { left.path == right.path }

    /// Hashes the path.
    public func hash(into hasher: inout Hasher) { hasher.combine(path) }

    private static func isPathByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"):
            true
        default: false
        }
    }

    private static func pathElement(of name: BusName) -> String {
        let bytes = name.text.utf8.drop { $0 == UInt8(ascii: ":") }
        return String(decoding: bytes.map { isPathByte($0) ? $0 : UInt8(ascii: "_") }, as: UTF8.self)
    }
}
