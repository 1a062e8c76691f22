public import DBusTypes

/// Which signals are wanted: every condition that isn't nil must hold.
///
/// The bus sends what matches; what arrives is checked again here, since any client can send a signal to one connection
/// without being asked. Name a `sender` wherever a forged signal would do harm.
public struct MatchRule: Hashable, Sendable {
    /// The sender: a unique name, or a well-known one, which stands for its owner of the moment.
    public var sender: BusName?
    /// The object.
    public var path: ObjectPath?
    /// The object or any below it.
    public var pathNamespace: ObjectPath?
    /// The interface.
    public var interface: InterfaceName?
    /// The signal's name.
    public var member: MemberName?
    /// Texts that the string arguments with these numbers (0–63) have.
    public var arguments: [Int: String]

    /// Makes a rule.
    public init(
        sender: BusName? = nil, path: ObjectPath? = nil, pathNamespace: ObjectPath? = nil, interface: InterfaceName? = nil,
        member: MemberName? = nil, arguments: [Int: String] = [:]
    ) {
        precondition(arguments.keys.allSatisfy { (0...63).contains($0) }, "a match rule compares arguments 0 to 63")
        self.sender = sender
        self.path = path
        self.pathNamespace = pathNamespace
        self.interface = interface
        self.member = member
        self.arguments = arguments
    }

    /// The rule as `org.freedesktop.DBus.AddMatch` takes it; equal rules have equal texts.
    public var text: String {
        var parts = ["type='signal'"]
        if let sender { parts.append("sender='\(sender)'") }
        if let path { parts.append("path='\(path)'") }
        // A namespace of / matches everything, and dbus-daemon before 1.15 refuses to be told so.
        if let pathNamespace, pathNamespace != .root { parts.append("path_namespace='\(pathNamespace)'") }
        if let interface { parts.append("interface='\(interface)'") }
        if let member { parts.append("member='\(member)'") }
        for (index, text) in arguments.sorted(by: { $0.key < $1.key }) { parts.append("arg\(index)=\(Self.quoted(text))") }
        return parts.joined(separator: ",")
    }

    /// Quotes a text: an apostrophe ends the quotation, comes after a backslash, and begins it again.
    private static func quoted(_ text: String) -> String {
        var result = "'"
        for scalar in text.unicodeScalars {
            if scalar == "'" { result += "'\\''" } else { result.unicodeScalars.append(scalar) }
        }
        return result + "'"
    }

    /// Whether a signal fulfils every condition but that on the sender.
    func matchesContent(of signal: SignalMessage) -> Bool {
        if let member, member != signal.member { return false }
        if let interface, interface != signal.interface { return false }
        if let path, path != signal.path { return false }
        if let pathNamespace, pathNamespace != signal.path, !signal.path.isBelow(pathNamespace) { return false }
        for (index, text) in arguments {
            guard index < signal.arguments.count, case .string(let argument) = signal.arguments[index],
                argument.hasSameBytes(as: text)
            else { return false }
        }
        return true
    }
}
