import DBusTypes
import DefaultsInterface

/// `find TEXT`: in the names of domains and keys, and in values as they are printed.
enum FindCommand {
    /// One preference that was found.
    struct Finding: Equatable {
        let domain: String
        let key: String
        let value: Value
    }

    /// Asks for the domains, which come sorted, then for all values of each.
    static func run(_ context: CommandContext) throws(Failure) -> ExitStatus {
        let daemon = try context.connect()
        let domains: [String] = try daemon.call(PreferencesInterface.name, PreferencesInterface.listDomains).get(0)
        let text = context.invocation.requiredOperand(0)
        let global = domains.contains("global") ? try values(daemon, "global") : nil
        var findings: [Finding] = []
        for domain in domains {
            if domain == "global", let global {
                findings += Self.findings(of: text, in: domain, global, inherited: nil)
            } else {
                findings += Self.findings(of: text, in: domain, try values(daemon, domain), inherited: global)
            }
        }
        let rows = findings.map { Value.structure([.string($0.domain), .string($0.key), .variant($0.value)]) }
        try context.output.result(.array(ArrayValue(unchecked: rows, of: .structure([.string, .string, .variant])))) {
            findings.map { "\($0.domain)\t\(TextEscaping.line($0.key))\t\(ValueText.line($0.value))" }
        }
        return findings.isEmpty ? .no : .success
    }

    private static func values(_ daemon: Daemon, _ domain: String) throws(Failure) -> DictionaryValue {
        try daemon.call(PreferencesInterface.name, PreferencesInterface.getAll, [.string(domain)]).dictionary(0)
    }

    /// The preferences of a domain with `text` in the domain's name, the key or the value, in whatever case, sorted by key.
    ///
    /// What a domain merely has from `inherited`, with the same value, belongs to `global`.
    static func findings(of text: String, in domain: String, _ values: DictionaryValue, inherited: DictionaryValue?) -> [Finding]
    {
        let wanted = Array(text.lowercased().utf8)
        let isWholeDomain = domain.lowercased().utf8.contains(wanted)
        return values.sortedEntries.compactMap { entry in
            guard case .string(let key) = entry.key, case .variant(let value) = entry.value, inherited?[key] != value else {
                return nil
            }
            let isFound =
                isWholeDomain || key.lowercased().utf8.contains(wanted) || ValueText.raw(value).lowercased().utf8.contains(wanted)
            return isFound ? Finding(domain: domain, key: key, value: value) : nil
        }
    }
}

extension String.UTF8View {
    /// Whether `wanted` occurs anywhere, byte by byte.
    fileprivate func contains(_ wanted: [UInt8]) -> Bool {
        let bytes = Array(self)
        guard wanted.count <= bytes.count else { return false }
        return (0...bytes.count - wanted.count).contains { bytes[$0..<$0 + wanted.count].elementsEqual(wanted) }
    }
}
