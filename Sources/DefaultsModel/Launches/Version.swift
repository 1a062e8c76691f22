import DBusTypes

/// A version of an application, read once by the rules V1–V6.
///
/// Two versions compare by what they mean, never by their text: `2.1` is `2.1.0`. What doesn't parse is opaque (V5): equal to the same
/// text, and to nothing else neither above nor below.
public struct Version: Sendable, CustomStringConvertible {
    /// How a text is read; the raw value is the one on the bus.
    public enum Scheme: String, Hashable, Sendable, CaseIterable {
        /// As a version where it is one, else as opaque text.
        case auto
        /// As opaque text.
        case opaque
    }

    /// The longest text in bytes (V6).
    public static let maximumLength = 128

    /// The text as sent.
    public let text: String
    /// How the text is read.
    public let scheme: Scheme
    /// What it means; nil where it is opaque.
    let precedence: VersionPrecedence?
    /// The build metadata, `+build` before ` (…)`; empty where it is opaque.
    let build: [[UInt8]]

    /// Reads a version.
    ///
    /// Throws `InvalidVersion` for a text that is empty or only spaces, longer than 128 bytes, or has a control character (V6); `argument`
    /// is its name in the error.
    public init(_ text: String, scheme: Scheme = .auto, argument: String = "version") throws(ModelError) {
        guard text.utf8.count <= Self.maximumLength else {
            throw .invalidVersion("\(argument) has \(text.utf8.count) bytes; it may have \(Self.maximumLength)")
        }
        guard !text.isEmpty, text.isWithoutControlCharacters(maximumLength: Self.maximumLength) else {
            throw .invalidVersion(
                text.isEmpty
                    ? "\(argument) is empty; it must be a version such as \"2.1.0\""
                    : "\(argument) has a control character; it must be one line of printable text")
        }
        guard text.utf8.contains(where: { $0 != UInt8(ascii: " ") }) else {
            throw .invalidVersion("\(argument) is only spaces; it must be a version such as \"2.1.0\"")
        }
        self.text = text
        self.scheme = scheme
        let parsed = scheme == .auto ? VersionParser.parse(text) : nil
        precedence = parsed?.precedence
        build = parsed?.build ?? []
    }

    /// Whether it compares only as text (V5).
    public var isOpaque: Bool { precedence == nil }

    /// Whether it comes before a release (V3); an opaque one doesn't.
    public var isPrerelease: Bool { precedence?.prerelease.isEmpty == false }

    /// The text as sent.
    public var description: String { text }

    /// How this version differs from one before it (V2–V5).
    public func change(from earlier: Version) -> VersionChange {
        guard let precedence, let other = earlier.precedence else {
            // One text read by two schemes is still the same version.
            return trimmed.elementsEqual(earlier.trimmed) ? .same : .changed
        }
        switch precedence.compare(to: other) {
        case .equal: return build == earlier.build ? .same : .rebuild
        case .higher(let significance): return .upgrade(significance)
        case .lower(let significance): return .downgrade(significance)
        }
    }

    /// Whether this version is above another; false where either is opaque.
    public func isHigher(than other: Version) -> Bool {
        if case .upgrade = change(from: other) { true } else { false }
    }

    /// The bytes of the text without the spaces at its ends.
    private var trimmed: Substring.UTF8View { VersionParser.trimmed(text) }
}

/// How big a change is: the first part that differs (V4); the raw value is the one on the bus.
public enum Significance: String, Hashable, Sendable, CaseIterable, Comparable {
    /// Only what is before or after the release.
    case prerelease
    /// The third number or one beyond it.
    case patch
    /// The second number.
    case minor
    /// The first number.
    case major
    /// The number before the colon.
    case epoch

    /// Orders by size: a prerelease is the smallest change.
    public static func < (left: Significance, right: Significance) -> Bool { left.rank < right.rank }

    private var rank: Int {
        switch self {
        case .prerelease: 0
        case .patch: 1
        case .minor: 2
        case .major: 3
        case .epoch: 4
        }
    }
}

/// How one version differs from one before it.
public enum VersionChange: Hashable, Sendable {
    /// It is the same version.
    case same
    /// It has the same precedence and another build (V4).
    case rebuild
    /// It is higher.
    case upgrade(Significance)
    /// It is lower.
    case downgrade(Significance)
    /// It differs, and neither is higher (V5).
    case changed
}
