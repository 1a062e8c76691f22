/// A text that the D-Bus specification restricts, checked once when it is made.
///
/// libdbus ends the whole process when it is handed an invalid name, so nothing reaches it that is not one of these types.
/// A literal is checked too: an invalid one is a bug and traps.
public protocol ValidatedName: Hashable, Comparable, Sendable, CustomStringConvertible, ExpressibleByStringLiteral {
    /// The text, known to be valid.
    var text: String { get }

    /// Returns nil where `text` breaks the specification's rules for this kind of name.
    init?(_ text: String)
}

extension ValidatedName {
    /// The text itself.
    public var description: String { text }

    /// Traps on an invalid literal, which can only be a bug.
    public init(stringLiteral value: String) {
        guard let name = Self(value) else { preconditionFailure("\"\(value)\" is not a valid \(Self.self)") }
        self = name
    }

    /// Orders by the bytes of the text.
    public static func < (left: Self, right: Self) -> Bool { left.text < right.text }
}

/// The longest bus, interface, member or error name in bytes (D-Bus specification, "Valid Names").
public let maximumNameLength = 255

extension UInt8 {
    @inlinable var isASCIILetterOrUnderscore: Bool {
        (self | 0x20) >= UInt8(ascii: "a") && (self | 0x20) <= UInt8(ascii: "z") || self == UInt8(ascii: "_")
    }

    @inlinable var isASCIIDigit: Bool { self >= UInt8(ascii: "0") && self <= UInt8(ascii: "9") }

    @inlinable var isASCIINameByte: Bool { isASCIILetterOrUnderscore || isASCIIDigit }
}

/// Checks a dotted name: at least two elements, none empty, each of letters, digits, `_` and, if allowed, `-`.
func isDottedName(_ text: some Collection<UInt8>, allowsHyphen: Bool, allowsLeadingDigit: Bool) -> Bool {
    var dots = 0
    var atStart = true
    for byte in text {
        if byte == UInt8(ascii: ".") {
            if atStart { return false }
            dots += 1
            atStart = true
            continue
        }
        guard byte.isASCIINameByte || allowsHyphen && byte == UInt8(ascii: "-") else { return false }
        if atStart && byte.isASCIIDigit && !allowsLeadingDigit { return false }
        atStart = false
    }
    return dots > 0 && !atStart
}
