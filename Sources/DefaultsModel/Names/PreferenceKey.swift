import DBusTypes

/// The name of one preference in a domain: 1–255 bytes of UTF-8 without control characters.
///
/// Two keys are the same when their bytes are: canonically equivalent texts are different keys.
public struct PreferenceKey: Sendable, CustomStringConvertible {
    /// The longest key in bytes.
    public static let maximumLength = 255

    /// The key as sent.
    public let text: String
    private let bytes: ByteHash

    /// Returns nil for what is empty, longer than 255 bytes or has a control character (U+0000–U+001F, U+007F–U+009F).
    public init?(_ text: String) {
        guard text.isWithoutControlCharacters(maximumLength: Self.maximumLength) else { return nil }
        self.text = text
        bytes = ByteHash(text)
    }

    /// The key itself.
    public var description: String { text }
}

extension PreferenceKey: Hashable, Comparable {
    /// Equality of the bytes.
    public static func == (left: PreferenceKey, right: PreferenceKey) -> Bool {
        left.bytes.value == right.bytes.value && left.text.hasSameBytes(as: right.text)
    }

    /// Orders by bytes.
    public static func < (left: PreferenceKey, right: PreferenceKey) -> Bool { left.text.precedesByBytes(right.text) }

    /// Hashes the bytes, as equality compares them.
    public func hash(into hasher: inout Hasher) { hasher.combine(bytes.value) }

    /// What dictionaries ask for: the hash is keyed and spread already, and hashing it once more would be most of a look-up.
    public func _rawHashValue(seed: Int) -> Int { bytes.value(seed: seed) }
}

/// The id of a guide, tour, tip, step, event or flag: the rule for keys, at most 64 bytes.
public struct Identifier: Sendable, CustomStringConvertible {
    /// The longest id in bytes.
    public static let maximumLength = 64

    /// The id as sent.
    public let text: String
    private let bytes: ByteHash

    /// Returns nil for what is empty, longer than 64 bytes or has a control character.
    public init?(_ text: String) {
        guard text.isWithoutControlCharacters(maximumLength: Self.maximumLength) else { return nil }
        self.text = text
        bytes = ByteHash(text)
    }

    /// The id itself.
    public var description: String { text }
}

extension Identifier: Hashable, Comparable {
    /// Equality of the bytes.
    public static func == (left: Identifier, right: Identifier) -> Bool {
        left.bytes.value == right.bytes.value && left.text.hasSameBytes(as: right.text)
    }

    /// Orders by bytes.
    public static func < (left: Identifier, right: Identifier) -> Bool { left.text.precedesByBytes(right.text) }

    /// Hashes the bytes, as equality compares them.
    public func hash(into hasher: inout Hasher) { hasher.combine(bytes.value) }
}

extension String {
    /// Whether the text is not empty, at most `maximumLength` bytes, and free of control characters.
    func isWithoutControlCharacters(maximumLength: Int) -> Bool {
        guard !isEmpty, utf8.count <= maximumLength else { return false }
        // Nearly all are ASCII, whose bytes are its characters.
        if utf8.allSatisfy({ $0 >= 0x20 && $0 < 0x7F }) { return true }
        return unicodeScalars.allSatisfy { $0.value >= 0x20 && !(0x7F...0x9F).contains($0.value) }
    }
}

extension Array {
    /// The elements in the order of their keys' bytes.
    ///
    /// The first sixteen bytes of each are laid out as two numbers first: comparing texts takes many times as long.
    func sorted(byKey key: (Element) -> PreferenceKey) -> [Element] {
        var places: [(first: UInt64, second: UInt64, index: Int)] = []
        places.reserveCapacity(count)
        for index in indices {
            var text = key(self[index]).text
            let (first, second) = text.withUTF8 { (Self.number($0, from: 0), Self.number($0, from: 8)) }
            places.append((first, second, index))
        }
        places.sort { left, right in
            if left.first != right.first { return left.first < right.first }
            if left.second != right.second { return left.second < right.second }
            return key(self[left.index]) < key(self[right.index])
        }
        return places.map { self[$0.index] }
    }

    /// Eight bytes as a number that orders as they do; what is beyond the end counts as a byte that no key has.
    private static func number(_ bytes: UnsafeBufferPointer<UInt8>, from start: Int) -> UInt64 {
        var number: UInt64 = 0
        for offset in start..<start + 8 { number = number << 8 | (offset < bytes.count ? UInt64(bytes[offset]) : 0) }
        return number
    }
}
