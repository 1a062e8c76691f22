import DBusTypes

/// An interface's description, ready for look-ups by text; made once an interface, not once a call.
final class InterfaceTable: Sendable {
    /// A method with what is asked of it at every call.
    final class Method: Sendable {
        let name: MemberName
        let inputSignature: String
        let inputTypes: [DBusType]
        let outputs: [ArgumentDescription]
        let inputs: [ArgumentDescription]

        init(_ description: MethodDescription) {
            name = description.name
            inputs = description.inputs
            inputTypes = description.inputs.map(\.type)
            inputSignature = inputTypes.map(\.text).joined()
            outputs = description.outputs
        }

        /// Whether values are what the method returns.
        func returns(_ values: [Value]) -> Bool {
            guard values.count == outputs.count else { return false }
            for (value, output) in zip(values, outputs) where !value.hasType(output.type) { return false }
            return true
        }

        /// The arguments as a person reads them: `s domain, s key`.
        var inputText: String { inputs.map { "\($0.type.text) \($0.name)" }.joined(separator: ", ") }
    }

    let name: InterfaceName
    let methods: [String: Method]
    let properties: [PropertyDescription]
    private let description: InterfaceDescription

    init(_ description: InterfaceDescription) {
        self.description = description
        name = description.name
        methods = Dictionary(uniqueKeysWithValues: description.methods.map { ($0.name.text, Method($0)) })
        properties = description.properties
    }

    /// The `<interface>` element, made anew each time: hardly anyone asks, and all starts would pay for it.
    var xml: String { description.interfaceXML }
}
