import DBusTypes

extension LaunchHistory {
    /// The version of this format.
    private static let format: UInt32 = 1

    /// The `a{sv}` for the store; nil while nothing is on record.
    public var stored: Value? {
        guard let facts else { return nil }
        var entries: [(String, Value)] = [
            ("format", .uint32(Self.format)), ("launches", .uint64(facts.launches)),
            ("first_version", facts.firstVersion.stored), ("first_launch", .int64(facts.firstLaunch)),
            ("first_kind", .string(facts.firstKind.rawValue)), ("began_unknown", .boolean(facts.beganUnknown)),
            ("highest_version", facts.highestVersion.stored), ("kind", .string(facts.latest.kind.rawValue)),
            ("significance", .string(facts.latest.significance?.rawValue ?? "")), ("revisit", .boolean(facts.latest.isRevisit)),
            ("previous_version", .string(facts.latest.previousVersion)),
            ("previous_launch", .int64(facts.latest.previousLaunch)),
            ("versions", .array(ArrayValue(unchecked: versions.map(\.stored), of: VersionRecord.storedType))),
        ]
        entries += facts.transitions.stored
        if let baseline = facts.baselineVersion { entries.append(("baseline_version", baseline.stored)) }
        if let answer = facts.ownerAnswer { entries.append(("owner_answer", answer.stored)) }
        return .vardict(entries)
    }

    /// Reads what `stored` gave; nil for anything else, which is damage and not an empty history (P8).
    public init?(stored: Value) {
        guard let entries = stored.dictionary, entries["format"]?.get() == Self.format,
            let launches = entries["launches"]?.get(as: UInt64.self), launches > 0,
            let firstVersion = entries["first_version"].flatMap(Version.init(stored:)),
            let firstLaunch = entries["first_launch"]?.get(as: Int64.self),
            let firstKind = entries["first_kind"]?.get(as: String.self).flatMap(LaunchKind.init),
            let beganUnknown = entries["began_unknown"]?.get(as: Bool.self),
            let highestVersion = entries["highest_version"].flatMap(Version.init(stored:)),
            let latest = Latest(stored: entries), let transitions = Transitions(stored: entries),
            case .array(let array)? = entries["versions"], array.element == VersionRecord.storedType,
            (1...Self.maximumVersions).contains(array.count)
        else { return nil }
        let versions = array.values.compactMap(VersionRecord.init(stored:))
        guard versions.count == array.count else { return nil }
        var baselineVersion: Version?
        if let value = entries["baseline_version"] {
            guard let version = Version(stored: value) else { return nil }
            baselineVersion = version
        }
        var ownerAnswer: OwnerAnswer?
        if let value = entries["owner_answer"] {
            guard let answer = OwnerAnswer(stored: value) else { return nil }
            ownerAnswer = answer
        }
        self.init(
            versions: versions,
            facts: Facts(
                launches: launches, firstVersion: firstVersion, firstLaunch: firstLaunch, firstKind: firstKind,
                baselineVersion: baselineVersion, beganUnknown: beganUnknown, highestVersion: highestVersion, latest: latest,
                transitions: transitions, ownerAnswer: ownerAnswer))
    }
}

extension LaunchHistory.Latest {
    /// Reads the part of a record that is about the latest launch; nil where it is damaged.
    fileprivate init?(stored entries: DictionaryValue) {
        guard let kind = entries["kind"]?.get(as: String.self).flatMap(LaunchKind.init),
            let word = entries["significance"]?.get(as: String.self),
            let isRevisit = entries["revisit"]?.get(as: Bool.self),
            let previousVersion = entries["previous_version"]?.get(as: String.self),
            let previousLaunch = entries["previous_launch"]?.get(as: Int64.self)
        else { return nil }
        let significance = Significance(rawValue: word)
        guard significance != nil || word.isEmpty else { return nil }
        self.init(
            kind: kind, significance: significance, isRevisit: isRevisit, previousVersion: previousVersion,
            previousLaunch: previousLaunch)
    }
}

extension VersionRecord {
    /// `(ssxxt)`: text, scheme, first seen, last seen, launches.
    fileprivate static let storedType = DBusType.structure([.string, .string, .int64, .int64, .uint64])

    fileprivate var stored: Value {
        .structure([
            .string(version.text), .string(version.scheme.rawValue), .int64(firstSeen), .int64(lastSeen), .uint64(launches),
        ])
    }

    fileprivate init?(stored: Value) {
        guard case .structure(let fields) = stored, fields.count == 5, let version = Version(text: fields[0], scheme: fields[1]),
            let firstSeen = fields[2].get(as: Int64.self), let lastSeen = fields[3].get(as: Int64.self),
            let launches = fields[4].get(as: UInt64.self)
        else { return nil }
        self.init(version: version, firstSeen: firstSeen, lastSeen: lastSeen, launches: launches)
    }
}

extension Version {
    /// A version in a record: `(ss)`, text and scheme.
    var stored: Value { .structure([.string(text), .string(scheme.rawValue)]) }

    /// Reads what `stored` gave; nil for anything else.
    init?(stored: Value) {
        guard case .structure(let fields) = stored, fields.count == 2 else { return nil }
        self.init(text: fields[0], scheme: fields[1])
    }

    fileprivate init?(text: Value, scheme: Value) {
        guard let text = text.get(as: String.self), let scheme = scheme.get(as: String.self).flatMap(Scheme.init),
            let version = try? Version(text, scheme: scheme)
        else { return nil }
        self = version
    }
}
