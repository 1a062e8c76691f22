import DBusTypes

/// What owns a set of preferences: an application id in reverse-DNS form, or the word `global`.
public struct DomainName: Hashable, Comparable, Sendable, CustomStringConvertible {
    /// The longest domain name in bytes.
    public static let maximumLength = 255
    /// The domain that every application's look-up falls through to.
    public static let global = DomainName(unchecked: "global")

    /// The name as sent.
    public let text: String
    private let bytes: ByteHash

    private init(unchecked text: String) {
        self.text = text
        bytes = ByteHash(text)
    }

    /// Takes `global`, or at least two elements of `[A-Za-z0-9_-]` joined by dots, at most 255 bytes; nil for anything else.
    public init?(_ text: String) {
        var text = text
        guard text.withUTF8({ Self.isApplicationID($0) }) || text == "global" else { return nil }
        self.init(unchecked: text)
    }

    /// Whether this is the domain `global`, which is no application.
    public var isGlobal: Bool { self == .global }

    /// The name itself.
    public var description: String { text }

    /// Orders by bytes.
    public static func < (left: DomainName, right: DomainName) -> Bool { left.text.precedesByBytes(right.text) }

    /// Equality of the bytes.
    public static func == (left: DomainName, right: DomainName) -> Bool {
        left.bytes.value == right.bytes.value && left.text.hasSameBytes(as: right.text)
    }

    /// Hashes the bytes, as equality compares them.
    public func hash(into hasher: inout Hasher) { hasher.combine(bytes.value) }

    /// What dictionaries ask for: the hash is keyed and spread already, and hashing it once more would be most of a look-up.
    public func _rawHashValue(seed: Int) -> Int { bytes.value(seed: seed) }

    private static func isApplicationID(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        guard bytes.count <= maximumLength else { return false }
        var dots = 0
        var atStart = true
        for byte in bytes {
            switch byte {
            case UInt8(ascii: "."):
                if atStart { return false }
                dots += 1
                atStart = true
            case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"):
                atStart = false
            default:
                return false
            }
        }
        return dots > 0 && !atStart
    }
}
