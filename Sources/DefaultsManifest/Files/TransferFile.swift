import DBusTypes
import DefaultsModel

/// The JSON of an export: `{"format": 1, "preferences": {DOMAIN: {KEY: {"type", "data"}}}, "onboarding": {APP: {KIND: {ID: …}}}}`.
///
/// Everything is sorted by bytes, and nothing in it depends on time or machine: the same state gives the same bytes.
public enum TransferFile {
    /// The format that this version writes and reads.
    public static let format: Int64 = 1

    /// The text of an export.
    public static func text(_ transfer: Transfer) -> String {
        let preferences = transfer.preferences.sorted { $0.key < $1.key }.map { domain, values in
            JSONNode.Member(
                domain.text,
                .object(values.sorted { $0.key < $1.key }.map { JSONNode.Member($0.key.text, JSONNode(typed: $0.value)) }))
        }
        var members: [JSONNode.Member] = [
            JSONNode.Member("format", .integer(format)), JSONNode.Member("preferences", .object(preferences)),
        ]
        if !transfer.onboarding.isEmpty {
            let apps = transfer.onboarding.sorted { $0.key < $1.key }.map { app, records in
                JSONNode.Member(app.text, .object(kinds(records)))
            }
            members.append(JSONNode.Member("onboarding", .object(apps)))
        }
        return JSONNode.object(members).text
    }

    private static func kinds(_ records: [OnboardingID: Value]) -> [JSONNode.Member] {
        let byKind = Dictionary(grouping: records) { $0.key.kind.rawValue }
        return byKind.sorted { $0.key < $1.key }.map { kind, records in
            JSONNode.Member(
                kind,
                .object(
                    records.sorted { $0.key < $1.key }.map { JSONNode.Member($0.key.id, JSONNode(typed: $0.value)) }))
        }
    }

    /// Reads an export; throws `InvalidArgument` naming what is wrong, by line and column or by path.
    ///
    /// Nothing is skipped. A value that is larger than one may be is `LimitExceeded`.
    public static func read(_ text: [UInt8]) throws(ModelError) -> Transfer {
        let root: JSONNode
        do throws(JSONSyntaxError) {
            root = try JSONNode(parsing: text)
        } catch {
            throw .invalidArgument("The file is no JSON: line \(error.line), column \(error.column): \(error.message).")
        }
        do throws(EntryError) {
            return try transfer(root)
        } catch {
            let place = JSONLocator.position(of: error.path, in: text)
            let path = error.path.description.isEmpty ? "" : "\(error.path): "
            throw ModelError(
                error.code,
                "The file can't be imported: line \(place.line), column \(place.column): \(path)\(error.message).")
        }
    }

    private static func transfer(_ root: JSONNode) throws(EntryError) -> Transfer {
        let sections = try members(root, of: "format, preferences and onboarding", at: .root)
        let format = root["format"]
        guard format == .integer(Self.format) else {
            throw EntryError(
                JSONPath.root.member("format"),
                format.map { "\($0.kind) is not \(Self.format), the format that can be read" }
                    ?? "is missing; an export has format \(Self.format)")
        }
        var transfer = Transfer()
        for member in sections {
            let path = JSONPath.root.member(member.name)
            switch member.name {
            case "format": break
            case "preferences":
                for domain in try members(member.value, of: "domains and their values", at: path) {
                    let at = path.member(domain.name)
                    transfer.preferences[try Self.domain(domain.name, at: at)] = try values(domain.value, at: at)
                }
            case "onboarding":
                for app in try members(member.value, of: "applications and their records", at: path) {
                    let at = path.member(app.name)
                    transfer.onboarding[try Self.domain(app.name, at: at)] = try records(app.value, at: at)
                }
            default: throw EntryError(path, "is unknown; an export has format, preferences and onboarding")
            }
        }
        return transfer
    }

    private static func values(_ node: JSONNode, at path: JSONPath) throws(EntryError) -> [PreferenceKey: Value] {
        var values: [PreferenceKey: Value] = [:]
        for entry in try members(node, of: "keys and values", at: path) {
            let at = path.member(entry.name)
            let key = try LayerReader.key(entry.name, at: at)
            let value = try ValueReader.value(entry.value, at: at)
            try LayerReader.check(value, for: key, at: at)
            values[key] = value
        }
        return values
    }

    private static func records(_ node: JSONNode, at path: JSONPath) throws(EntryError) -> [OnboardingID: Value] {
        var records: [OnboardingID: Value] = [:]
        for kindMember in try members(node, of: "kinds of records", at: path) {
            let at = path.member(kindMember.name)
            guard let kind = OnboardingKind(rawValue: kindMember.name), kind.isTransferred else {
                throw EntryError(at, "is no kind of onboarding record that can be imported")
            }
            for record in try members(kindMember.value, of: "ids and records", at: at) {
                let at = at.member(record.name)
                let id = OnboardingID(kind, record.name)
                let value = try ValueReader.value(record.value, at: at)
                guard id.accepts(value) else {
                    throw EntryError(at, "is no record of \(kind.rawValue) that this version can read")
                }
                records[id] = value
            }
        }
        return records
    }

    private static func members(
        _ node: JSONNode, of contents: String, at path: JSONPath
    ) throws(EntryError) -> [JSONNode.Member] {
        guard case .object(let members) = node else { throw EntryError(path, "\(node.kind) is no object of \(contents)") }
        return members
    }

    private static func domain(_ name: String, at path: JSONPath) throws(EntryError) -> DomainName {
        guard let domain = DomainName(name) else {
            throw EntryError(path, "is no domain; a domain is \"global\" or an application id such as \"org.example.App\"")
        }
        return domain
    }
}
