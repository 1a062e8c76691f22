/// Why bytes are not a marshalled value.
public struct MarshallingError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What is wrong.
    public enum Reason: Hashable, Sendable {
        /// The bytes, or those of an array, end before the value does.
        case truncated
        /// Bytes follow the value.
        case trailingBytes
        /// A padding byte isn't zero.
        case paddingNotZero
        /// A boolean is neither 0 nor 1.
        case booleanNotZeroOrOne
        /// A text isn't UTF-8.
        case notUTF8
        /// A text contains U+0000.
        case embeddedNull
        /// A text isn't followed by a zero byte.
        case missingNull
        /// An object path breaks the rules for one.
        case invalidObjectPath
        /// A signature breaks the rules for one, or a variant's isn't one complete type.
        case invalidSignature
        /// An array is longer than 64 MiB.
        case arrayTooLong
        /// Containers nest deeper than ``WireLimits/nesting``.
        case nestedTooDeeply
        /// A file descriptor, which bytes can't carry.
        case fileDescriptor
    }

    /// What is wrong.
    public let reason: Reason
    /// The position in bytes at which it was found.
    public let offset: Int

    /// One line for a log.
    public var description: String { "not a marshalled value: \(reason) at byte \(offset)" }
}
