public import DBusTypes

/// An error of the bus, of another process, or of the connection itself, under its name on the wire.
///
/// What happens locally has the standard name too: a call that ran out of time is `noReply`, one on a closed connection
/// `disconnected`, a message that can't be sent `invalidArgs` or `limitsExceeded`.
public struct DBusError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The error's name.
    public let name: ErrorName
    /// One sentence that stands alone: callers such as `busctl` show it without the name.
    public let message: String

    /// Makes an error.
    public init(_ name: ErrorName, _ message: String) {
        self.name = name
        self.message = message
    }

    /// The name and the message.
    public var description: String { "\(name): \(message)" }

    /// Whether the connection was closed, or lost its bus.
    public var isDisconnected: Bool { name == .disconnected }

    /// Whether no answer came in time.
    public var isTimeout: Bool { name == .noReply || name == .timeout || name == .timedOut }
}

extension ErrorName {

    /// Something went wrong that has no better name.
    public static let failed: ErrorName = "org.freedesktop.DBus.Error.Failed"
    /// There is no memory for it.
    public static let noMemory: ErrorName = "org.freedesktop.DBus.Error.NoMemory"
    /// No one owns the name and nothing starts it.
    public static let serviceUnknown: ErrorName = "org.freedesktop.DBus.Error.ServiceUnknown"
    /// No one owns the name.
    public static let nameHasNoOwner: ErrorName = "org.freedesktop.DBus.Error.NameHasNoOwner"
    /// No answer came: too late, or the other end is gone.
    public static let noReply: ErrorName = "org.freedesktop.DBus.Error.NoReply"
    /// The bus or a socket took too long.
    public static let timeout: ErrorName = "org.freedesktop.DBus.Error.Timeout"
    /// The bus or a socket took too long; the other spelling in use.
    public static let timedOut: ErrorName = "org.freedesktop.DBus.Error.TimedOut"
    /// The connection is closed.
    public static let disconnected: ErrorName = "org.freedesktop.DBus.Error.Disconnected"
    /// No bus listens at the address.
    public static let noServer: ErrorName = "org.freedesktop.DBus.Error.NoServer"
    /// An address that can't be read.
    public static let badAddress: ErrorName = "org.freedesktop.DBus.Error.BadAddress"
    /// Neither the environment nor the runtime folder says where the bus is.
    public static let fileNotFound: ErrorName = "org.freedesktop.DBus.Error.FileNotFound"
    /// The arguments have other types than the member's.
    public static let invalidArgs: ErrorName = "org.freedesktop.DBus.Error.InvalidArgs"
    /// The sender may not do this.
    public static let accessDenied: ErrorName = "org.freedesktop.DBus.Error.AccessDenied"
    /// A limit of the bus or of the message format is exceeded.
    public static let limitsExceeded: ErrorName = "org.freedesktop.DBus.Error.LimitsExceeded"
    /// What was asked for is not supported here.
    public static let notSupported: ErrorName = "org.freedesktop.DBus.Error.NotSupported"
    /// There is no object at the path.
    public static let unknownObject: ErrorName = "org.freedesktop.DBus.Error.UnknownObject"
    /// The object has no such interface.
    public static let unknownInterface: ErrorName = "org.freedesktop.DBus.Error.UnknownInterface"
    /// The interface has no such method.
    public static let unknownMethod: ErrorName = "org.freedesktop.DBus.Error.UnknownMethod"
    /// The interface has no such property.
    public static let unknownProperty: ErrorName = "org.freedesktop.DBus.Error.UnknownProperty"
    /// The property can't be set.
    public static let propertyReadOnly: ErrorName = "org.freedesktop.DBus.Error.PropertyReadOnly"
}
