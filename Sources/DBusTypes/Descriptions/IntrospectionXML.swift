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
        guard text.utf8.contains(where: { replacement(of: $0) != nil }) else { return text }
        // All that is replaced is ASCII, which is no part of any other character in UTF-8.
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.utf8.count + 64)
        for byte in text.utf8 {
            if let replacement = replacement(of: byte) {
                bytes.append(contentsOf: replacement.utf8)
            } else {
                bytes.append(byte)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func replacement(of byte: UInt8) -> String? {
        switch byte {
        case UInt8(ascii: "&"): "&amp;"
        case UInt8(ascii: "<"): "&lt;"
        case UInt8(ascii: ">"): "&gt;"
        case UInt8(ascii: "\""): "&quot;"
        case UInt8(ascii: "\n"), UInt8(ascii: "\t"), UInt8(ascii: "\r"): " "
        default: nil
        }
    }

    static func annotation(_ name: String, _ value: String, indent: String) -> String {
        "\(indent)<annotation name=\"\(name)\" value=\"\(escaped(value))\"/>\n"
    }

    /// The documentation of an element, as GLib's tools read it; nothing where there is none.
    static func documentation(_ text: String, indent: String) -> String {
        text.isEmpty ? "" : annotation("org.gtk.GDBus.DocString", text, indent: indent)
    }
}
