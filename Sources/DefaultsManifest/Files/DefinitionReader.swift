import DBusTypes
import DefaultsModel

/// Reads the guides, tours and tips of a manifest: `{ID: definition}`, with the entries that `Define` takes.
enum DefinitionReader {
    /// How many of a kind are read.
    private static let limit = GuideDefinition.limit

    /// Reads one section; a definition with a wrong entry is left out and the entry named.
    static func read<Definition>(
        _ node: JSONNode, at path: JSONPath, _ report: inout Report,
        as make: (DictionaryValue) throws(ModelError) -> Definition
    ) -> [Identifier: Definition] {
        guard case .object(let members) = node else {
            report.add(path, "\(node.kind) is no object of ids and definitions")
            return [:]
        }
        if members.count > limit { report.add(path, "has \(members.count) entries; the first \(limit) are read") }
        var definitions: [Identifier: Definition] = [:]
        for member in members.prefix(limit) {
            let path = path.member(member.name)
            guard let id = Identifier(member.name) else {
                report.add(path, "is no id; an id has 1 to 64 bytes of UTF-8 without control characters")
                continue
            }
            definitions[id] = report.noting { () throws(EntryError) in try definition(member.value, at: path, make) }
        }
        return definitions
    }

    private static func definition<Definition>(
        _ node: JSONNode, at path: JSONPath, _ make: (DictionaryValue) throws(ModelError) -> Definition
    ) throws(EntryError) -> Definition {
        guard case .object = node, case .dictionary(let entries) = try ValueReader.value(node, at: path) else {
            throw EntryError(path, "\(node.kind) is no object with a definition")
        }
        do throws(ModelError) {
            return try make(entries)
        } catch {
            guard let entry = error.entry else { throw EntryError(path, error.message) }
            throw EntryError(path.following(entry.path), entry.reason)
        }
    }
}

extension JSONPath {
    /// Where an entry is that the model names by its way from here.
    fileprivate func following(_ steps: [EntryStep]) -> JSONPath {
        JSONPath(steps: self.steps + steps)
    }
}
