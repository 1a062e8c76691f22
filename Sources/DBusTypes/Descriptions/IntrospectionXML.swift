/// The XML by which D-Bus objects describe themselves, valid against the specification's DTD.
public enum IntrospectionXML {
    private static let documentType = """
        <!DOCTYPE node PUBLIC "-//freedesktop//DTD D-BUS Object Introspection 1.0//EN"
         "http://www.freedesktop.org/standards/dbus/1.0/introspect.dtd">

        """

    /// The description of one object.
    ///
    /// - Parameters:
    ///   - interfaces: elements as `InterfaceDescription.interfaceXML` gives them.
    ///   - children: the names of the nodes directly below.
    public static func document(interfaces: [String], children: [String] = []) -> String {
        var text = documentType + "<node>\n"
        for interface in interfaces { text += interface }
        for child in children { text += "  <node name=\"\(escaped(child))\"/>\n" }
        return text + "</node>\n"
    }

    /// Makes a text fit for an attribute; line breaks become spaces, as XML readers make them anyway.
    static func escaped(_ text: String) -> String {
        var result = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": result += "&amp;"
            case "<": result += "&lt;"
            case ">": result += "&gt;"
            case "\"": result += "&quot;"
            case "\n", "\t", "\r": result += " "
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }

    static func annotation(_ name: String, _ value: String, indent: String) -> String {
        "\(indent)<annotation name=\"\(name)\" value=\"\(escaped(value))\"/>\n"
    }

    /// The documentation of an element, as GLib's tools read it; nothing where there is none.
    static func documentation(_ text: String, indent: String) -> String {
        text.isEmpty ? "" : annotation("org.gtk.GDBus.DocString", text, indent: indent)
    }
}
