import DBusTypes

/// The name of one preference in a domain: 1–255 bytes of UTF-8 without control characters.
///
/// Two keys are the same when their bytes are: canonically equivalent texts are different keys.
public struct PreferenceKey: Sendable, CustomStringConvertible {
    /// The longest key in bytes.
    public static let maximumLength = 255

    /// The key as sent.
    public let text: String

    /// Returns nil for what is empty, longer than 255 bytes or has a control character (U+0000–U+001F, U+007F–U+009F).
    public init?(_ text: String) {
        guard text.isWithoutControlCharacters(maximumLength: Self.maximumLength) else { return nil }
        self.text = text
    }

    /// The key itself.
    public var description: String { text }
}

extension PreferenceKey: Hashable, Comparable {
    /// Equality of the bytes.
    public static func == (left: PreferenceKey, right: PreferenceKey) -> Bool { left.text.hasSameBytes(as: right.text) }

    /// Orders by bytes.
    public static func < (left: PreferenceKey, right: PreferenceKey) -> Bool {
        left.text.utf8.lexicographicallyPrecedes(right.text.utf8)
    }

    /// Hashes the bytes, as equality compares them.
    public func hash(into hasher: inout Hasher) { hasher.combineBytes(of: text) }
}

/// The id of a guide, tour, tip, step, event or flag: the rule for keys, at most 64 bytes.
public struct Identifier: Sendable, CustomStringConvertible {
    /// The longest id in bytes.
    public static let maximumLength = 64

    /// The id as sent.
    public let text: String

    /// Returns nil for what is empty, longer than 64 bytes or has a control character.
    public init?(_ text: String) {
        guard text.isWithoutControlCharacters(maximumLength: Self.maximumLength) else { return nil }
        self.text = text
    }

    /// The id itself.
    public var description: String { text }
}

extension Identifier: Hashable, Comparable {
    /// Equality of the bytes.
    public static func == (left: Identifier, right: Identifier) -> Bool { left.text.hasSameBytes(as: right.text) }

    /// Orders by bytes.
    public static func < (left: Identifier, right: Identifier) -> Bool {
        left.text.utf8.lexicographicallyPrecedes(right.text.utf8)
    }

    /// Hashes the bytes, as equality compares them.
    public func hash(into hasher: inout Hasher) { hasher.combineBytes(of: text) }
}

extension Hasher {
    /// Feeds the UTF-8 bytes; `combine` of a String would normalise them first.
    mutating func combineBytes(of text: String) {
        var text = text
        text.withUTF8 { combine(bytes: UnsafeRawBufferPointer($0)) }
    }
}

extension String {
    /// Whether the text is not empty, at most `maximumLength` bytes, and free of control characters.
    func isWithoutControlCharacters(maximumLength: Int) -> Bool {
        !isEmpty && utf8.count <= maximumLength
            && unicodeScalars.allSatisfy { $0.value >= 0x20 && !(0x7F...0x9F).contains($0.value) }
    }
}
