import DBusTypes
import DefaultsModel

/// Reads `apps/APP.json`: what an application says of its own keys (P13), and its guides, tours and tips.
enum ApplicationReader {
    static func read(_ members: [JSONNode.Member], _ report: inout Report) -> ApplicationManifest {
        var manifest = ApplicationManifest()
        for member in members {
            let path = JSONPath.root.member(member.name)
            let node = member.value
            switch member.name {
            case "preferences": manifest.schemas = schemas(node, at: path, &report)
            case "guides":
                manifest.definitions.guides = DefinitionReader.read(node, at: path, &report) {
                    (entries) throws(ModelError) in try GuideDefinition(entries)
                }
            case "tours":
                manifest.definitions.tours = DefinitionReader.read(node, at: path, &report) {
                    (entries) throws(ModelError) in try TourDefinition(entries)
                }
            case "tips":
                // Their order counts: it is that of their groups (I4).
                var position = 0
                manifest.definitions.tips = DefinitionReader.read(node, at: path, &report) {
                    (entries) throws(ModelError) in
                    var tip = try TipDefinition(entries)
                    tip.position = position
                    position += 1
                    return tip
                }
            default: report.add(path, "is unknown; the entries are preferences, guides, tours, tips")
            }
        }
        return manifest
    }

    private static func schemas(
        _ node: JSONNode, at path: JSONPath, _ report: inout Report
    ) -> [PreferenceKey: PreferenceSchema] {
        var schemas: [PreferenceKey: PreferenceSchema] = [:]
        guard case .object(let entries) = node else {
            report.add(path, "\(node.kind) is no object of keys and what is said of them")
            return schemas
        }
        for entry in entries {
            let path = path.member(entry.name)
            guard let key = report.noting({ () throws(EntryError) in try LayerReader.key(entry.name, at: path) }) else {
                continue
            }
            schemas[key] = SchemaReader(path: path, key: key).read(entry.value, &report)
        }
        return schemas
    }
}

/// Reads what a manifest says of one key.
private struct SchemaReader {
    private static let entries = ["type", "default", "choices", "minimum", "maximum", "summary", "description"]

    let path: JSONPath
    let key: PreferenceKey

    /// Nil where not even the type is right; any other wrong entry is left out.
    func read(_ node: JSONNode, _ report: inout Report) -> PreferenceSchema? {
        guard case .object(let members) = node else {
            report.add(path, "\(node.kind) is no object with a type")
            return nil
        }
        for member in members where !Self.entries.contains(member.name) {
            report.add(path.member(member.name), "is unknown; the entries are \(Self.entries.joined(separator: ", "))")
        }
        guard let type = type(node, &report) else { return nil }
        let parts = Parts(
            type: type, defaultValue: value("default", node, type, &report), choices: choices(node, type, &report),
            minimum: value("minimum", node, type, &report), maximum: value("maximum", node, type, &report),
            summary: text("summary", node, &report), description: text("description", node, &report))
        return sound(parts, &report)
    }

    /// The parts of a schema, each of the key's type.
    private struct Parts {
        let type: DBusType
        var defaultValue: Value?
        var choices: [Value]
        var minimum: Value?
        var maximum: Value?
        let summary: String
        let description: String

        var schema: PreferenceSchema {
            PreferenceSchema(
                type: type, defaultValue: defaultValue, choices: choices, minimum: minimum, maximum: maximum,
                summary: summary, description: description)
        }
    }

    /// Leaves out what contradicts the rest until nothing does.
    private func sound(_ parts: Parts, _ report: inout Report) -> PreferenceSchema {
        var parts = parts
        while let problem = parts.schema.problem(of: key) {
            report.add(path.member(problem.entry), problem.reason)
            switch problem.entry {
            case "minimum": parts.minimum = nil
            case "maximum": parts.maximum = nil
            case "default": parts.defaultValue = nil
            default: parts.choices = []
            }
        }
        return parts.schema
    }

    private func type(_ node: JSONNode, _ report: inout Report) -> DBusType? {
        let path = path.member("type")
        guard let entry = node["type"] else {
            report.add(path, "is missing; it must be the signature of the key's values, such as \"s\"")
            return nil
        }
        guard case .string(let text) = entry else {
            report.add(path, "\(entry.kind) is no signature")
            return nil
        }
        return report.noting { () throws(EntryError) in try ValueReader.type(text, at: path) }
    }

    private func value(_ name: String, _ node: JSONNode, _ type: DBusType, _ report: inout Report) -> Value? {
        guard let entry = node[name] else { return nil }
        return value(entry, type, at: path.member(name), &report)
    }

    private func value(_ node: JSONNode, _ type: DBusType, at path: JSONPath, _ report: inout Report) -> Value? {
        report.noting { () throws(EntryError) in
            let value = try ValueReader.value(node, inEitherForm: type, at: path)
            try LayerReader.check(value, for: key, at: path)
            return value
        }
    }

    private func choices(_ node: JSONNode, _ type: DBusType, _ report: inout Report) -> [Value] {
        guard let entry = node["choices"] else { return [] }
        let path = path.member("choices")
        guard case .array(let elements) = entry else {
            report.add(path, "\(entry.kind) is no array of values")
            return []
        }
        if elements.isEmpty { report.add(path, "is empty; leave it out where any value is allowed") }
        return elements.enumerated().compactMap { index, element in
            value(element, type, at: path.element(index), &report)
        }
    }

    private func text(_ name: String, _ node: JSONNode, _ report: inout Report) -> String {
        guard let entry = node[name] else { return "" }
        guard case .string(let text) = entry, !text.utf8.contains(0) else {
            report.add(path.member(name), "\(entry.kind) is no text")
            return ""
        }
        return text
    }
}
