extension InterfaceDescription {
    /// The interface as an `<interface>` element, two spaces in; one element of an `IntrospectionXML.document`.
    public var interfaceXML: String {
        var text = "  <interface name=\"\(name)\">\n"
        text += IntrospectionXML.documentation(documentation, indent: "    ")
        for method in methods { text += method.xml }
        for signal in signals { text += signal.xml }
        for property in properties { text += property.xml }
        return text + "  </interface>\n"
    }

    /// A whole document that describes this interface alone, as kept in a file.
    public var nodeXML: String { IntrospectionXML.document(interfaces: [interfaceXML]) }
}

extension MethodDescription {
    fileprivate var xml: String {
        var text = "    <method name=\"\(name)\">\n"
        text += IntrospectionXML.documentation(documentation, indent: "      ")
        for argument in inputs { text += argument.xml(direction: "in") }
        for argument in outputs { text += argument.xml(direction: "out") }
        return text + "    </method>\n"
    }
}

extension SignalDescription {
    fileprivate var xml: String {
        var text = "    <signal name=\"\(name)\">\n"
        text += IntrospectionXML.documentation(documentation, indent: "      ")
        for argument in arguments { text += argument.xml(direction: nil) }
        return text + "    </signal>\n"
    }
}

extension ArgumentDescription {
    fileprivate func xml(direction: String?) -> String {
        let direction = direction.map { " direction=\"\($0)\"" } ?? ""
        let start = "      <arg name=\"\(IntrospectionXML.escaped(name))\" type=\"\(type.text)\"\(direction)"
        guard !documentation.isEmpty else { return start + "/>\n" }
        return start + ">\n" + IntrospectionXML.documentation(documentation, indent: "        ") + "      </arg>\n"
    }
}

extension PropertyDescription {
    fileprivate var xml: String {
        "    <property name=\"\(name)\" type=\"\(type.text)\" access=\"read\">\n"
            + IntrospectionXML.documentation(documentation, indent: "      ")
            + IntrospectionXML.annotation(
                "org.freedesktop.DBus.Property.EmitsChangedSignal", changeSignal.rawValue, indent: "      ")
            + "    </property>\n"
    }
}
