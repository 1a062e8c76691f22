import DBusTypes
import Glibc

extension ObjectServer {
    /// Hands a call to the interface that it is for.
    func call(_ message: ReceivedMessage, _ header: CallHeader, _ object: ObjectView) {
        let member = header.member.text
        guard let interface = header.interface else { return callAnyInterface(message, header, object) }
        for bound in object.interfaces ?? [] where bound.table.name == interface {
            guard let method = bound.table.methods[member] else { return failUnknownMethod(header, interface) }
            return call(message, header, bound, method)
        }
        for table in object.standard where table.name == interface {
            return callStandard(message, header, table, object)
        }
        if object.interfaces == nil, interface != StandardInterfaces.properties.name {
            return fail(header, .unknownObject, "there is no object at \(header.path), only nodes below it")
        }
        fail(
            header, .unknownInterface, "\(header.path) has no interface \(interface); it has \(object.interfaceNames)")
    }

    /// A caller may leave the interface out: the first that has the method takes the call.
    private func callAnyInterface(_ message: ReceivedMessage, _ header: CallHeader, _ object: ObjectView) {
        let member = header.member.text
        for bound in object.interfaces ?? [] {
            if let method = bound.table.methods[member] { return call(message, header, bound, method) }
        }
        for table in object.standard where table.methods[member] != nil {
            return callStandard(message, header, table, object)
        }
        fail(
            header, .unknownMethod,
            "\(header.path) has no method \(member) in any of its interfaces: \(object.interfaceNames)")
    }

    private func call(
        _ message: ReceivedMessage, _ header: CallHeader, _ bound: BoundInterface, _ method: InterfaceTable.Method
    ) {
        guard let arguments = arguments(of: message, header, method) else { return }
        bound.handler.handle(IncomingCall(header, bound.table.name, method, arguments, server: self))
    }

    /// The arguments, if they are of the method's types; else the caller has been told.
    private func arguments(
        of message: ReceivedMessage, _ header: CallHeader, _ method: InterfaceTable.Method
    ) -> [Value]? {
        guard let sent = message.signature, method.inputSignature.isEqual(to: sent) else {
            let sent = message.signature.map { String(cString: $0) } ?? ""
            let names = method.inputs.isEmpty ? "no arguments" : method.inputText
            fail(header, .invalidArgs, "\(method.name) takes (\(method.inputSignature)), not (\(sent)): \(names)")
            return nil
        }
        do {
            return try MessageReader.arguments(of: message.pointer, types: method.inputTypes, limit: valueLimit)
        } catch {
            let error = error.name == .limitsExceeded && valueLimit < .max ? tooManyValues(method.name.text, valueLimit) : error
            fail(header, error.name, error.message)
            return nil
        }
    }

    private func failUnknownMethod(_ header: CallHeader, _ interface: InterfaceName) {
        fail(header, .unknownMethod, "\(interface) has no method \(header.member)")
    }

    // MARK: Standard interfaces

    /// Answers a call of an interface that every object has.
    func callStandard(_ message: ReceivedMessage, _ header: CallHeader, _ table: InterfaceTable, _ object: ObjectView) {
        guard let method = table.methods[header.member.text] else { return failUnknownMethod(header, table.name) }
        guard let arguments = arguments(of: message, header, method) else { return }
        let call = IncomingCall(header, table.name, method, arguments, server: self)
        switch header.member.text {
        case "Ping": call.reply()
        case "GetMachineId": replyMachineID(call)
        case "Introspect": introspect(call, object)
        case "Get": getProperty(call, object)
        case "GetAll": getAllProperties(call, object)
        case "Set": setProperty(call, object)
        default: preconditionFailure("every method of the standard interfaces is answered here")
        }
    }

    private func replyMachineID(_ call: IncomingCall) {
        switch MachineID.read() {
        case .success(let identifier): call.reply([.string(identifier)])
        case .failure(let error): call.fail(error)
        }
    }

    private func introspect(_ call: IncomingCall, _ object: ObjectView) {
        let interfaces = ((object.interfaces ?? []).map(\.table) + object.standard).map(\.xml)
        var children = tree.children(of: call.path)
        guard let subtree = object.subtree else {
            return call.reply([.string(IntrospectionXML.document(interfaces: interfaces, children: children.sorted()))])
        }
        subtree.children(of: call.path, for: call.sender) { more in
            children.formUnion(more)
            call.reply([.string(IntrospectionXML.document(interfaces: interfaces, children: children.sorted()))])
        }
    }
}
