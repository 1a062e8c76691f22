import DBusTypes

/// What the configuration files say of preferences, merged.
///
/// A later folder beats an earlier, in one folder files apply in the order of their names (P1). Empty where there are no
/// files.
public struct FileLayers: Hashable, Sendable {
    /// Values by domain and key.
    public typealias Values = [DomainName: [PreferenceKey: Value]]

    /// What is imposed: `mandatory.d/*.json`.
    public var mandatory: Values
    /// What is suggested: `defaults.d/*.json`.
    public var machine: Values
    /// What applications say of their own keys: `apps/APP.json`.
    public var schemas: [DomainName: [PreferenceKey: PreferenceSchema]]
    /// What applications' manifests define beside preferences: `apps/APP.json`.
    public var definitions: [DomainName: ManifestDefinitions]
    /// What may be presented: `policy.d/*.json`.
    public var policy: OnboardingPolicy

    /// No files, or what they say.
    public init(
        mandatory: Values = [:], machine: Values = [:], schemas: [DomainName: [PreferenceKey: PreferenceSchema]] = [:],
        definitions: [DomainName: ManifestDefinitions] = [:], policy: OnboardingPolicy = OnboardingPolicy()
    ) {
        self.mandatory = mandatory
        self.machine = machine
        self.schemas = schemas
        self.definitions = definitions
        self.policy = policy
    }

    /// Whether two say the same of preferences, whatever they say of onboarding.
    func hasSamePreferences(as other: FileLayers) -> Bool {
        mandatory == other.mandatory && machine == other.machine && schemas == other.schemas
    }

    /// What a schema gives a key where no layer has a value.
    func schemaDefault(_ domain: DomainName, _ key: PreferenceKey) -> Value? { schemas[domain]?[key]?.defaultValue }

    /// Whether a key is locked for readers of a domain (P2).
    func locks(_ domain: DomainName, _ key: PreferenceKey) -> Bool {
        mandatory[domain]?[key] != nil || !domain.isGlobal && mandatory[.global]?[key] != nil
    }

    /// The keys locked for readers of a domain, sorted.
    func lockedKeys(_ domain: DomainName) -> [PreferenceKey] {
        var keys = Set((mandatory[domain] ?? [:]).keys)
        if !domain.isGlobal { keys.formUnion((mandatory[.global] ?? [:]).keys) }
        return keys.sorted()
    }

    /// The keys that files say anything of for readers of a domain.
    func keys(_ domain: DomainName) -> Set<PreferenceKey> {
        var keys = Set((mandatory[domain] ?? [:]).keys)
        keys.formUnion((machine[domain] ?? [:]).keys)
        keys.formUnion((schemas[domain] ?? [:]).filter { $0.value.defaultValue != nil }.keys)
        if !domain.isGlobal {
            keys.formUnion((mandatory[.global] ?? [:]).keys)
            keys.formUnion((machine[.global] ?? [:]).keys)
        }
        return keys
    }

    /// Whether files may say anything of preferences for readers of a domain.
    func mayHaveValues(_ domain: DomainName) -> Bool {
        if mandatory.isEmpty && machine.isEmpty && schemas.isEmpty { return false }
        return !keys(domain).isEmpty
    }

    /// The domains of which files have a value.
    var domains: Set<DomainName> {
        var domains = Set(mandatory.filter { !$0.value.isEmpty }.keys)
        domains.formUnion(machine.filter { !$0.value.isEmpty }.keys)
        domains.formUnion(schemas.filter { $0.value.values.contains { $0.defaultValue != nil } }.keys)
        return domains
    }

    /// A number that is the same for the same contents in every process and version of the daemon.
    ///
    /// It tells a daemon that starts whether the files have changed since the last one stopped; it guards against nothing.
    public var digest: UInt64 {
        var hash = FNV1a()
        for (tag, values) in [(UInt8(0), mandatory), (1, machine)] {
            hash.add([tag])
            for domain in values.keys.sorted() {
                for (key, value) in (values[domain] ?? [:]).sorted(by: { $0.key < $1.key }) {
                    hash.add(domain.text, key.text)
                    hash.add(value)
                }
            }
        }
        hash.add([2])
        for domain in schemas.keys.sorted() {
            for (key, schema) in (schemas[domain] ?? [:]).sorted(by: { $0.key < $1.key }) {
                guard let value = schema.defaultValue else { continue }
                hash.add(domain.text, key.text)
                hash.add(value)
            }
        }
        return hash.value
    }

    /// The same of what they say of onboarding: the policy, and what manifests define.
    public var onboardingDigest: UInt64 {
        var hash = FNV1a()
        hash.add(policy.machine)
        for app in policy.apps.keys.sorted() {
            hash.add(app.text)
            hash.add(policy.apps[app] ?? OnboardingPolicy.Entries())
        }
        for app in definitions.keys.sorted() {
            guard let definitions = definitions[app] else { continue }
            hash.add(app.text)
            hash.add(definitions.guides.mapValues(\.entries))
            hash.add(definitions.tours.mapValues(\.entries))
            hash.add(definitions.tips.mapValues(\.entries))
        }
        return hash.value
    }
}

/// The hash FNV-1a of 64 bits.
private struct FNV1a {
    private(set) var value: UInt64 = 0xcbf2_9ce4_8422_2325

    mutating func add(_ bytes: some Sequence<UInt8>) {
        for byte in bytes { value = (value ^ UInt64(byte)) &* 0x100_0000_01b3 }
    }

    /// Ends each text with a byte that no UTF-8 has, so that texts can't run into each other.
    mutating func add(_ texts: String...) {
        for text in texts {
            add(text.utf8)
            add([0xFF])
        }
    }

    mutating func add(_ value: Value) {
        add(value.type.text)
        add(value.marshalled())
    }

    mutating func add(_ entries: OnboardingPolicy.Entries) {
        add(entries.onboarding?.rawValue ?? "")
        for kind in PresentationKind.allCases { add(entries.kinds[kind]?.rawValue ?? "") }
        add(entries.statistics.map { "\($0)" } ?? "")
    }

    mutating func add(_ definitions: [Identifier: DictionaryValue]) {
        for (id, entries) in definitions.sorted(by: { $0.key < $1.key }) {
            add(id.text)
            add(.dictionary(entries))
        }
        add([3])
    }
}
