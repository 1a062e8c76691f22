import DBusTypes

extension ObjectServer {
    /// Answers `Properties.Get`.
    func getProperty(_ call: IncomingCall, _ object: ObjectView) {
        guard let (bound, property) = findProperty(call, object) else { return }
        ask(bound, [property], call) { values in
            guard let value = values[property.name] else {
                return call.fail(DBusError(.failed, "\(bound.table.name).\(property.name) has no value"))
            }
            call.reply([.variant(value)])
        }
    }

    /// Answers `Properties.GetAll`; an empty interface name asks for those of all interfaces.
    func getAllProperties(_ call: IncomingCall, _ object: ObjectView) {
        let wanted = Self.text(call.arguments, 0)
        var interfaces = object.interfaces ?? []
        if !wanted.isEmpty {
            interfaces = interfaces.filter { $0.table.name.text == wanted }
            guard !interfaces.isEmpty || object.standard.contains(where: { $0.name.text == wanted }) else {
                return failUnknownInterface(call, wanted, object)
            }
        }
        collect(interfaces.filter { !$0.table.properties.isEmpty }[...], [], call)
    }

    private func collect(_ interfaces: ArraySlice<BoundInterface>, _ entries: [(String, Value)], _ call: IncomingCall) {
        guard let bound = interfaces.first else { return call.reply([.vardict(entries)]) }
        ask(bound, bound.table.properties, call) { [self] values in
            var entries = entries
            for property in bound.table.properties {
                if let value = values[property.name] { entries.append((property.name.text, value)) }
            }
            collect(interfaces.dropFirst(), entries, call)
        }
    }

    /// Answers `Properties.Set`: nothing can be set, and the error says why.
    func setProperty(_ call: IncomingCall, _ object: ObjectView) {
        guard let (bound, property) = findProperty(call, object) else { return }
        call.fail(
            DBusError(.propertyReadOnly, "\(bound.table.name).\(property.name) can't be set: all properties are read-only"))
    }

    private func ask(
        _ bound: BoundInterface, _ properties: [PropertyDescription], _ call: IncomingCall,
        _ body: @escaping ([MemberName: Value]) -> Void
    ) {
        let request = PropertyRequest(call.path, bound.table.name, properties, sender: call.sender) { result in
            switch result {
            case .success(let values): body(values)
            case .failure(let error): call.fail(error)
            }
        }
        bound.handler.properties(request)
    }

    /// The property that the first two arguments name; else the caller has been told.
    private func findProperty(_ call: IncomingCall, _ object: ObjectView) -> (BoundInterface, PropertyDescription)? {
        let (interface, name) = (Self.text(call.arguments, 0), Self.text(call.arguments, 1))
        let interfaces = object.interfaces ?? []
        for bound in interfaces where interface.isEmpty || bound.table.name.text == interface {
            if let property = bound.table.properties.first(where: { $0.name.text == name }) { return (bound, property) }
        }
        if interface.isEmpty {
            call.fail(DBusError(.unknownProperty, "no interface of \(call.path) has a property \(name)"))
        } else if let bound = interfaces.first(where: { $0.table.name.text == interface }) {
            let names = bound.table.properties.map(\.name.text).joined(separator: ", ")
            call.fail(
                DBusError(
                    .unknownProperty,
                    "\(interface) has no property \(name); it has \(names.isEmpty ? "none" : names)"))
        } else if object.standard.contains(where: { $0.name.text == interface }) {
            call.fail(DBusError(.unknownProperty, "\(interface) has no property \(name); it has none"))
        } else {
            failUnknownInterface(call, interface, object)
        }
        return nil
    }

    private func failUnknownInterface(_ call: IncomingCall, _ interface: String, _ object: ObjectView) {
        call.fail(
            DBusError(.unknownInterface, "\(call.path) has no interface \(interface); it has \(object.interfaceNames)"))
    }

    /// An argument that the signature has shown to be a string.
    private static func text(_ arguments: [Value], _ index: Int) -> String {
        guard case .string(let text) = arguments[index] else { preconditionFailure("the argument was checked to be a string") }
        return text
    }
}
