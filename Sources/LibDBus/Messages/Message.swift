import CDBus
import DBusTypes

/// A message to be sent, or one that arrived and is kept; unreferenced at the end.
struct Message: ~Copyable {
    let pointer: OpaquePointer

    /// Takes over one reference; nil where libdbus had no memory.
    init(owning pointer: OpaquePointer?) throws(MessageFailure) {
        guard let pointer else { throw .noMemory }
        self.pointer = pointer
    }

    deinit { dbus_message_unref(pointer) }

    static func call(
        _ destination: BusName, _ path: ObjectPath, _ interface: InterfaceName, _ member: MemberName, flags: CallFlags
    ) throws(MessageFailure) -> Message {
        let message = try Message(
            owning: dbus_message_new_method_call(destination.text, path.text, interface.text, member.text))
        if flags.contains(.noAutoStart) { dbus_message_set_auto_start(message.pointer, 0) }
        if flags.contains(.allowInteractiveAuthorization) {
            dbus_message_set_allow_interactive_authorization(message.pointer, 1)
        }
        return message
    }

    static func signal(
        _ path: ObjectPath, _ interface: InterfaceName, _ member: MemberName, to destination: BusName?
    ) throws(MessageFailure) -> Message {
        let message = try Message(owning: dbus_message_new_signal(path.text, interface.text, member.text))
        if let destination, dbus_message_set_destination(message.pointer, destination.text) == 0 { throw .noMemory }
        return message
    }

    /// The answer to the call with a serial; the call itself isn't needed any more.
    static func methodReturn(to serial: UInt32, destination: BusName) throws(MessageFailure) -> Message {
        try answer(DBUS_MESSAGE_TYPE_METHOD_RETURN, to: serial, destination: destination)
    }

    static func error(_ error: DBusError, to serial: UInt32, destination: BusName) throws(MessageFailure) -> Message {
        let message = try answer(DBUS_MESSAGE_TYPE_ERROR, to: serial, destination: destination)
        guard dbus_message_set_error_name(message.pointer, error.name.text) != 0 else { throw .noMemory }
        // A text that D-Bus can't carry must not cost the caller its answer.
        let scalars = error.message.unicodeScalars.map { $0 == "\0" ? "\u{FFFD}" : $0 }
        let text = String(String.UnicodeScalarView(scalars))
        try MessageWriter.append([.string(text)], to: message.pointer, limit: WireLimits.arrayBytes)
        return message
    }

    private static func answer(_ type: Int32, to serial: UInt32, destination: BusName) throws(MessageFailure) -> Message {
        let message = try Message(owning: dbus_message_new(type))
        dbus_message_set_no_reply(message.pointer, 1)
        guard dbus_message_set_reply_serial(message.pointer, serial) != 0,
            dbus_message_set_destination(message.pointer, destination.text) != 0
        else { throw .noMemory }
        return message
    }
}

/// Questions about a message that arrived, borrowed from libdbus.
struct ReceivedMessage {
    let pointer: OpaquePointer

    var type: Int32 { dbus_message_get_type(pointer) }
    var serial: UInt32 { dbus_message_get_serial(pointer) }
    var expectsReply: Bool { dbus_message_get_no_reply(pointer) == 0 }
    var allowsInteraction: Bool { dbus_message_get_allow_interactive_authorization(pointer) != 0 }
    var path: ObjectPath? { dbus_message_get_path(pointer).map { ObjectPath(unchecked: String(cString: $0)) } }
    var interface: InterfaceName? { dbus_message_get_interface(pointer).map { InterfaceName(unchecked: String(cString: $0)) } }
    var member: MemberName? { dbus_message_get_member(pointer).map { MemberName(unchecked: String(cString: $0)) } }
    var sender: BusName? { dbus_message_get_sender(pointer).map { BusName(unchecked: String(cString: $0)) } }
    var signature: UnsafePointer<CChar>? { dbus_message_get_signature(pointer) }

    /// The error that the message is, nil for any other.
    var error: DBusError? {
        guard type == DBUS_MESSAGE_TYPE_ERROR, let name = dbus_message_get_error_name(pointer) else { return nil }
        var text = "no reason given"
        if let arguments = try? MessageReader.arguments(of: pointer), case .string(let message)? = arguments.first {
            text = message
        }
        return DBusError(ErrorName(unchecked: String(cString: name)), text)
    }

    /// The values that a reply carries, or the error that it is.
    var result: Result<[Value], DBusError> {
        if let error { return .failure(error) }
        return Result { () throws(DBusError) in try MessageReader.arguments(of: pointer) }
    }
}
