public import DBusTypes

/// A question for properties of one interface, to be answered exactly once, at once or later.
///
/// Belongs to the loop's thread. A second answer is a bug and traps; a request that is let go without one answers `noReply`.
public final class PropertyRequest {
    /// The object.
    public let path: ObjectPath
    /// The interface.
    public let interface: InterfaceName
    /// The properties whose values are wanted: one, or all of the interface.
    public let names: [MemberName]
    /// The unique name of the caller.
    public let sender: BusName

    private let properties: [PropertyDescription]
    private var completion: ((Result<[MemberName: Value], DBusError>) -> Void)?

    init(
        _ path: ObjectPath, _ interface: InterfaceName, _ properties: [PropertyDescription], sender: BusName,
        completion: @escaping (Result<[MemberName: Value], DBusError>) -> Void
    ) {
        self.path = path
        self.interface = interface
        self.properties = properties
        names = properties.map(\.name)
        self.sender = sender
        self.completion = completion
    }

    /// Answers with a value of the described type for each of `names`; anything else is a bug: a trap in a debug build, an error
    /// reply otherwise.
    public func reply(_ values: [MemberName: Value]) {
        for property in properties {
            guard values[property.name]?.hasType(property.type) == true else {
                assertionFailure("\(interface).\(property.name) has a value of type \(property.type.text)")
                return fail(
                    DBusError(
                        .failed,
                        "\(interface).\(property.name) has no value of its type \(property.type.text): a bug of the service"))
            }
        }
        answer(.success(values))
    }

    /// Answers with an error.
    public func fail(_ error: DBusError) { answer(.failure(error)) }

    private func answer(_ result: Result<[MemberName: Value], DBusError>) {
        guard let completion else { preconditionFailure("a request for properties of \(interface) is answered once") }
        self.completion = nil
        completion(result)
    }
}
