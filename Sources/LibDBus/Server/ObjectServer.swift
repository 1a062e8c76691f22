public import DBusTypes

/// Answers the method calls that reach a connection.
public final class ObjectServer {
    /// The error for an answer that doesn't fit into a message: told the member and the limit in bytes.
    public var tooLarge: (_ member: String, _ limit: Int) -> DBusError = { member, limit in
        DBusError(.limitsExceeded, "the answer of \(member) is larger than a message can be (\(limit) bytes)")
    }

    /// Serves the calls on `connection`, which has at most one server.
    public init(_ connection: BusConnection) {}

    /// Puts an object at `path`, instead of the one there.
    public func export(_ path: ObjectPath, _ handlers: [any InterfaceHandler]) {}

    /// Takes away the object or the subtree at `path`.
    public func unexport(_ path: ObjectPath) {}

    /// Has `node` asked for the objects below `path`; the path itself is a plain node.
    public func exportSubtree(below path: ObjectPath, node: any SubtreeHandler) {}
}
