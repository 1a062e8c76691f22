public import DBusTypes

/// A method call to be answered exactly once, at once or later.
///
/// Belongs to the loop's thread. A second answer is a bug and traps; a call that is let go without one answers `NoReply`
/// by itself, so that no caller waits for nothing.
public final class IncomingCall {
    /// The object that was called.
    public let path: ObjectPath
    /// The interface, also where the caller left it out.
    public let interface: InterfaceName
    /// The method.
    public let member: MemberName
    /// The unique name of the caller; the bus vouches for it.
    public let sender: BusName
    /// The arguments, of the types that the description names.
    public let arguments: [Value]
    /// Whether the caller waits for the answer; answering anyway is no error, nothing is sent then.
    public let expectsReply: Bool

    init(path: ObjectPath, interface: InterfaceName, member: MemberName, sender: BusName, arguments: [Value], expectsReply: Bool)
    {
        self.path = path
        self.interface = interface
        self.member = member
        self.sender = sender
        self.arguments = arguments
        self.expectsReply = expectsReply
    }

    /// Answers with values of the described types; other types are a bug: a trap in a debug build, an error reply otherwise.
    ///
    /// An answer that is too large for a message becomes the error that ``ObjectServer/tooLarge`` gives.
    public func reply(_ values: [Value] = []) {}

    /// Answers with an error.
    public func fail(_ error: DBusError) {}
}
