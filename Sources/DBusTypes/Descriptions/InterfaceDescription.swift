/// One argument of a method or signal.
public struct ArgumentDescription: Hashable, Sendable {
    /// The argument's name, in the words of the documentation.
    public let name: String
    /// The argument's type.
    public let type: DBusType
    /// What it means and its unit; empty where the name says it all.
    public let documentation: String

    /// Describes an argument; `type` is a single complete type in D-Bus notation, anything else is a bug and traps.
    public init(_ name: String, _ type: String, _ documentation: String = "") {
        guard let type = DBusType(type) else { preconditionFailure("\"\(type)\" is not a single complete type") }
        self.name = name
        self.type = type
        self.documentation = documentation
    }
}

/// A method of an interface.
public struct MethodDescription: Hashable, Sendable {
    /// The method's name.
    public let name: MemberName
    /// What a caller sends.
    public let inputs: [ArgumentDescription]
    /// What a caller gets.
    public let outputs: [ArgumentDescription]
    /// What the method does, for whoever calls it.
    public let documentation: String

    /// Describes a method.
    public init(
        _ name: MemberName, in inputs: [ArgumentDescription] = [], out outputs: [ArgumentDescription] = [],
        _ documentation: String
    ) {
        self.name = name
        self.inputs = inputs
        self.outputs = outputs
        self.documentation = documentation
    }
}

/// A signal of an interface.
public struct SignalDescription: Hashable, Sendable {
    /// The signal's name.
    public let name: MemberName
    /// What it carries.
    public let arguments: [ArgumentDescription]
    /// When it is sent and to whom.
    public let documentation: String

    /// Describes a signal.
    public init(_ name: MemberName, _ arguments: [ArgumentDescription] = [], _ documentation: String) {
        self.name = name
        self.arguments = arguments
        self.documentation = documentation
    }
}

/// A property of an interface.
///
/// All are read-only: what changes state is a method.
public struct PropertyDescription: Hashable, Sendable {
    /// What `org.freedesktop.DBus.Property.EmitsChangedSignal` says of it.
    public enum ChangeSignal: String, Sendable {
        /// It never changes while the object lives.
        case const
        /// It changes, and no signal says so.
        case none = "false"
    }

    /// The property's name.
    public let name: MemberName
    /// The property's type.
    public let type: DBusType
    /// Whether a signal tells of changes.
    public let changeSignal: ChangeSignal
    /// What it means and its unit.
    public let documentation: String

    /// Describes a property; `type` is a single complete type in D-Bus notation, anything else is a bug and traps.
    public init(_ name: MemberName, _ type: String, changeSignal: ChangeSignal, _ documentation: String) {
        let argument = ArgumentDescription(name.text, type)
        self.name = name
        self.type = argument.type
        self.changeSignal = changeSignal
        self.documentation = documentation
    }
}

/// An interface, said once: dispatch, argument checks, `Introspect` and the XML files all come from it.
public struct InterfaceDescription: Hashable, Sendable {
    /// The interface's name.
    public let name: InterfaceName
    /// What the interface is for.
    public let documentation: String
    /// Its methods, in the order in which they are documented.
    public let methods: [MethodDescription]
    /// Its signals.
    public let signals: [SignalDescription]
    /// Its properties.
    public let properties: [PropertyDescription]

    /// Describes an interface.
    public init(
        _ name: InterfaceName, _ documentation: String, methods: [MethodDescription] = [], signals: [SignalDescription] = [],
        properties: [PropertyDescription] = []
    ) {
        self.name = name
        self.documentation = documentation
        self.methods = methods
        self.signals = signals
        self.properties = properties
    }
}
