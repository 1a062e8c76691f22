/// How a method call is to be treated on its way.
public struct CallFlags: OptionSet, Sendable {
    /// One bit a flag.
    public let rawValue: UInt8

    /// Makes a set of the bits in `rawValue`.
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// The bus doesn't start a service in order to deliver the call.
    public static let noAutoStart = CallFlags(rawValue: 1)
    /// The receiver may ask the user for permission while the caller waits.
    public static let allowInteractiveAuthorization = CallFlags(rawValue: 2)
}
