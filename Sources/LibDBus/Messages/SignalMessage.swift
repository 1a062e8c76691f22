public import DBusTypes

/// A signal that has arrived.
public struct SignalMessage: Sendable {
    /// The unique name of the connection that sent it, or `org.freedesktop.DBus` for the bus itself; the bus vouches for it.
    public let sender: BusName
    /// The object that it comes from.
    public let path: ObjectPath
    /// The interface that defines it.
    public let interface: InterfaceName
    /// Its name.
    public let member: MemberName
    /// What it carries; the types are the sender's choice and were not checked.
    public let arguments: [Value]

}
