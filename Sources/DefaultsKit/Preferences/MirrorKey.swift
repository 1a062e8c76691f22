import DBusTypes

/// A key as the daemon compares them: by its bytes, where Swift finds canonically equivalent texts equal.
public struct MirrorKey: Hashable, Sendable, ExpressibleByStringLiteral, CustomStringConvertible {
    /// The key as sent.
    public let text: String

    /// Names a key.
    public init(_ text: String) { self.text = text }

    /// Names a key.
    public init(stringLiteral text: String) { self.text = text }

    /// The key itself.
    public var description: String { text }

    /// Equality of the bytes.
    public static func == (left: MirrorKey, right: MirrorKey) -> Bool { left.text.hasSameBytes(as: right.text) }

    /// Hashes the bytes, as equality compares them.
    public func hash(into hasher: inout Hasher) {
        var text = text
        text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    }
}
