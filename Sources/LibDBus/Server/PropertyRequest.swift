public import DBusTypes

/// A question for properties of one interface, to be answered exactly once, at once or later.
public final class PropertyRequest {
    /// The object.
    public let path: ObjectPath
    /// The properties whose values are wanted: one, or all of the interface.
    public let names: [MemberName]
    /// The unique name of the caller.
    public let sender: BusName

    init(path: ObjectPath, names: [MemberName], sender: BusName) {
        self.path = path
        self.names = names
        self.sender = sender
    }

    /// Answers with a value for each of `names`, of the described type.
    public func reply(_ values: [MemberName: Value]) {}

    /// Answers with an error.
    public func fail(_ error: DBusError) {}
}
