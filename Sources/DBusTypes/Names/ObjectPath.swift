/// The path of an object: `/`, or elements of `[A-Za-z0-9_]` each led by a slash.
public struct ObjectPath: ValidatedName {
    /// The path as sent.
    public let text: String

    /// Takes a text that libdbus has checked.
    package init(unchecked text: String) { self.text = text }

    /// Returns nil for anything that is no object path.
    public init?(_ text: String) {
        guard Self.isValid(text.utf8) else { return nil }
        self.text = text
    }

    /// The path `/`.
    public static let root: ObjectPath = "/"

    private static func isValid(_ bytes: String.UTF8View) -> Bool {
        guard bytes.first == UInt8(ascii: "/") else { return false }
        if bytes.count == 1 { return true }
        var afterSlash = false
        for byte in bytes {
            if byte == UInt8(ascii: "/") {
                if afterSlash { return false }
                afterSlash = true
            } else {
                guard byte.isASCIINameByte else { return false }
                afterSlash = false
            }
        }
        return !afterSlash
    }

    /// The path one element further down; nil where `element` is empty or has other characters than `[A-Za-z0-9_]`.
    public func appending(_ element: String) -> ObjectPath? {
        guard element.utf8.allSatisfy(\.isASCIINameByte) else { return nil }
        return ObjectPath(self == .root ? "/" + element : text + "/" + element)
    }

    /// The elements, without slashes; none for `/`.
    public var elements: [Substring] { text.split(separator: "/") }

    /// Whether this path lies below `ancestor`, at any depth.
    public func isBelow(_ ancestor: ObjectPath) -> Bool {
        self != ancestor && (ancestor == .root || text.hasPrefix(ancestor.text + "/"))
    }
}
