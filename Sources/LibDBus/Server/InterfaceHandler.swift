public import DBusTypes

/// Serves one interface of one or more objects.
///
/// All functions are called on the loop's thread. A handler answers at once or later; see ``IncomingCall`` and
/// ``PropertyRequest``.
public protocol InterfaceHandler: AnyObject {
    /// The interface; always the same for one handler, and the same for all handlers whose interface has the same name.
    var description: InterfaceDescription { get }

    /// Answers a call of one of the interface's methods; the arguments have the described types.
    func handle(_ call: IncomingCall)

    /// Answers with the values of the properties asked for. An interface without properties is never asked.
    func properties(_ request: PropertyRequest)
}

extension InterfaceHandler {
    /// For interfaces without properties.
    public func properties(_ request: PropertyRequest) {
        request.fail(DBusError(.failed, "\(description.name) doesn't say what its properties are"))
    }
}

/// Serves objects that come and go below a path, without exporting each.
///
/// Both questions may be answered at once or later, each exactly once, on the loop's thread: it may take the caller's
/// credentials to answer.
public protocol SubtreeHandler: AnyObject {
    /// The interfaces of the object at `path`; nil where there is none that `sender` may know of.
    func handlers(at path: ObjectPath, for sender: BusName, completion: @escaping ([any InterfaceHandler]?) -> Void)

    /// The names of the nodes directly below `path` (each one path element) that `sender` may know of.
    func children(of path: ObjectPath, for sender: BusName, completion: @escaping ([String]) -> Void)
}
