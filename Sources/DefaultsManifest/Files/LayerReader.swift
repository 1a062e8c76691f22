import DBusTypes
import DefaultsModel

/// Reads `defaults.d/*.json` and `mandatory.d/*.json`: `{DOMAIN: {KEY: VALUE}}`.
enum LayerReader {
    static func read(_ members: [JSONNode.Member], _ report: inout Report) -> FileLayers.Values {
        var values: FileLayers.Values = [:]
        for member in members {
            let path = JSONPath.root.member(member.name)
            guard let domain = DomainName(member.name) else {
                report.add(path, "is no domain; a domain is \"global\" or an application id such as \"org.example.App\"")
                continue
            }
            guard case .object(let entries) = member.value else {
                report.add(path, "\(member.value.kind) is no object of keys and values")
                continue
            }
            for entry in entries {
                let path = path.member(entry.name)
                guard let (key, value) = report.noting({ () throws(EntryError) in try preference(entry, at: path) }) else {
                    continue
                }
                values[domain, default: [:]][key] = value
            }
        }
        return values
    }

    private static func preference(
        _ entry: JSONNode.Member, at path: JSONPath
    ) throws(EntryError) -> (PreferenceKey, Value) {
        let key = try key(entry.name, at: path)
        let value = try ValueReader.value(entry.value, at: path)
        try check(value, for: key, at: path)
        return (key, value)
    }

    static func key(_ name: String, at path: JSONPath) throws(EntryError) -> PreferenceKey {
        guard let key = PreferenceKey(name) else {
            throw EntryError(path, "is no key; a key has 1 to 255 bytes of UTF-8 without control characters")
        }
        return key
    }

    /// Checks what the daemon would check of a value that a client sets (P12).
    static func check(_ value: Value, for key: PreferenceKey, at path: JSONPath) throws(EntryError) {
        do throws(ModelError) {
            try PreferenceLimits.check(value, for: key)
        } catch {
            throw EntryError(
                path, error.message.hasSuffix(".") ? String(error.message.dropLast()) : error.message,
                error.code == .limitExceeded ? .limitExceeded : .invalidArgument)
        }
    }
}
