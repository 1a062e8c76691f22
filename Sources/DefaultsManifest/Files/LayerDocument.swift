import DBusTypes
import DefaultsModel

/// A file of `defaults.d` or `mandatory.d` that is to be changed, with everything in it that isn't touched, also what is wrong.
public struct LayerDocument: Hashable, Sendable {
    private var members: [JSONNode.Member]

    /// A file that says nothing.
    public init() { members = [] }

    /// Reads a file; throws where it doesn't parse, since writing it anew would lose what someone wrote.
    public init(_ text: [UInt8], path: String) throws(Diagnostic) {
        let root: JSONNode
        do throws(JSONSyntaxError) {
            root = try JSONNode(parsing: text)
        } catch {
            throw Diagnostic(path, error)
        }
        guard case .object(let members) = root else {
            throw Diagnostic(path, "\(root.kind) is no configuration; it must be an object")
        }
        self.members = members
    }

    /// The file's text: domains and keys sorted by their bytes.
    public var text: String { JSONNode.object(members).text }

    /// Sets a key, or with nil removes it; returns whether that changes anything.
    public mutating func set(_ domain: DomainName, _ key: PreferenceKey, to value: Value?) -> Bool {
        var entries: [JSONNode.Member] = []
        if case .object(let found)? = JSONNode.object(members)[domain.text] { entries = found }
        let old = entries.first { $0.name.utf8.elementsEqual(key.text.utf8) }?.value
        if let value, let old, Self.reads(old, as: value) { return false }
        if value == nil && old == nil { return false }
        entries = Self.replacing(key.text, in: entries, by: value.map { JSONNode($0) })
        members = Self.replacing(domain.text, in: members, by: entries.isEmpty ? nil : .object(entries))
        return true
    }

    /// Whether an entry has the type and bits of a value already (P4).
    private static func reads(_ node: JSONNode, as value: Value) -> Bool {
        do throws(EntryError) {
            return try ValueReader.value(node, at: .root) == value
        } catch {
            return false
        }
    }

    private static func replacing(_ name: String, in members: [JSONNode.Member], by value: JSONNode?) -> [JSONNode.Member] {
        var members = members.filter { !$0.name.utf8.elementsEqual(name.utf8) }
        if let value { members.append(JSONNode.Member(name, value)) }
        return members.sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
    }
}
