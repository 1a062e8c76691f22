/// A well-known (`org.example.App`) or unique (`:1.42`) name of a connection on a bus.
public struct BusName: ValidatedName {
    /// The name as sent.
    public let text: String

    /// Takes a text that libdbus has checked.
    package init(unchecked text: String) { self.text = text }

    /// Returns nil for anything that is no bus name.
    public init?(_ text: String) {
        let bytes = text.utf8
        guard bytes.count <= maximumNameLength, let first = bytes.first else { return nil }
        if first == UInt8(ascii: ":") {
            guard isDottedName(bytes.dropFirst(), allowsHyphen: true, allowsLeadingDigit: true) else { return nil }
        } else {
            guard isDottedName(bytes, allowsHyphen: true, allowsLeadingDigit: false) else { return nil }
        }
        self.text = text
    }

    /// Whether the bus gave this name to exactly one connection, never to be used again on that bus.
    public var isUnique: Bool { text.utf8.first == UInt8(ascii: ":") }
}

/// The name of an interface: `org.example.App.Window`.
public struct InterfaceName: ValidatedName {
    /// The name as sent.
    public let text: String

    /// Takes a text that libdbus has checked.
    package init(unchecked text: String) { self.text = text }

    /// Returns nil for anything that is no interface name.
    public init?(_ text: String) {
        guard text.utf8.count <= maximumNameLength,
            isDottedName(text.utf8, allowsHyphen: false, allowsLeadingDigit: false)
        else { return nil }
        self.text = text
    }
}

/// The name of an error: the rules are those of an interface name.
public struct ErrorName: ValidatedName {
    /// The name as sent.
    public let text: String

    /// Takes a text that libdbus has checked.
    package init(unchecked text: String) { self.text = text }

    /// Returns nil for anything that is no error name.
    public init?(_ text: String) {
        guard let name = InterfaceName(text) else { return nil }
        self.text = name.text
    }
}

/// The name of a method, signal or property.
public struct MemberName: ValidatedName {
    /// The name as sent.
    public let text: String

    /// Takes a text that libdbus has checked.
    package init(unchecked text: String) { self.text = text }

    /// Returns nil for anything that is no member name.
    public init?(_ text: String) {
        let bytes = text.utf8
        guard let first = bytes.first, bytes.count <= maximumNameLength, !first.isASCIIDigit,
            bytes.allSatisfy(\.isASCIINameByte)
        else { return nil }
        self.text = text
    }
}
