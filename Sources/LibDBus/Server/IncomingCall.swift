import CDBus
public import DBusTypes

/// A method call to be answered exactly once, at once or later.
///
/// Belongs to the loop's thread. A second answer is a bug and traps; a call that is let go without one answers `noReply`
/// by itself, so that no caller waits for nothing.
public final class IncomingCall {
    /// The object that was called.
    public let path: ObjectPath
    /// The interface, also where the caller left it out.
    public let interface: InterfaceName
    /// The method.
    public var member: MemberName { method.name }
    /// The unique name of the caller; the bus vouches for it.
    public let sender: BusName
    /// The arguments, of the types that the description names.
    public let arguments: [Value]
    /// Whether the caller waits for the answer; where it doesn't, answers go nowhere.
    public let expectsReply: Bool
    /// Whether the caller waits for a person to be asked for permission, if need be.
    public let allowsInteraction: Bool

    private let method: InterfaceTable.Method
    private let serial: UInt32
    private let server: ObjectServer
    private var isAnswered = false
    /// How many bytes the values of the answer take in its message; 0 before it and where none was sent, or an error.
    public private(set) var answerSize = 0

    init(
        _ header: CallHeader, _ interface: InterfaceName, _ method: InterfaceTable.Method, _ arguments: [Value],
        server: ObjectServer
    ) {
        path = header.path
        sender = header.sender
        serial = header.serial
        expectsReply = header.expectsReply
        allowsInteraction = header.allowsInteraction
        self.interface = interface
        self.method = method
        self.arguments = arguments
        self.server = server
    }

    deinit {
        if !isAnswered { fail(DBusError(.noReply, "\(interface).\(member) was given up without an answer")) }
    }

    /// Answers with values of the described types; others are a bug: a trap in a debug build, an error reply otherwise.
    ///
    /// An answer that is too large for a message becomes the error that ``ObjectServer/tooLarge`` gives.
    public func reply(_ values: [Value] = []) {
        guard method.returns(values) else {
            let sent = values.map(\.type.text).joined()
            assertionFailure("\(interface).\(member) returns \(method.outputs.map(\.type.text).joined()), not \(sent)")
            return fail(
                DBusError(.failed, "\(interface).\(member) came to an answer of a wrong type (\(sent)): a bug of the service"))
        }
        guard takeAnswer() else { return }
        do throws(MessageFailure) {
            answerSize = try server.connection.sendReturn(values, to: serial, destination: sender)
        } catch {
            switch error {
            case .tooLarge(let limit): send(server.tooLarge("\(interface).\(member)", limit))
            case .arrayTooLong: send(server.tooLarge("\(interface).\(member)", WireLimits.arrayBytes))
            case .nestedTooDeeply, .signatureTooLong, .embeddedNull, .tooManyDescriptors, .descriptorNotDuplicated, .noMemory:
                send(error.error)
            }
        }
    }

    /// Answers with an error.
    public func fail(_ error: DBusError) {
        if takeAnswer() { send(error) }
    }

    private func send(_ error: DBusError) { server.connection.sendError(error, to: serial, destination: sender) }

    /// Whether anyone waits for the answer.
    private func takeAnswer() -> Bool {
        precondition(!isAnswered, "\(interface).\(member) is answered once")
        isAnswered = true
        return expectsReply
    }
}

/// What a call says of itself apart from its arguments.
struct CallHeader {
    let path: ObjectPath
    let interface: InterfaceName?
    let member: MemberName
    let sender: BusName
    let serial: UInt32
    let expectsReply: Bool
    let allowsInteraction: Bool

    /// Nil for a call without a path, a member or a sender, which a bus lets through for none.
    init?(_ message: ReceivedMessage, _ cache: inout HeaderCache) {
        guard let path = cache.paths.name(dbus_message_get_path(message.pointer)),
            let member = cache.members.name(dbus_message_get_member(message.pointer)),
            let sender = cache.senders.name(dbus_message_get_sender(message.pointer))
        else { return nil }
        self.path = path
        self.member = member
        self.sender = sender
        interface = cache.interfaces.name(dbus_message_get_interface(message.pointer))
        serial = message.serial
        expectsReply = message.expectsReply
        allowsInteraction = message.allowsInteraction
    }
}
