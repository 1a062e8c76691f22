import DBusTypes

/// The records of a domain in memory.
struct LoadedDomain {
    private(set) var user: [PreferenceKey: PreferenceRecord]
    private(set) var registered: [PreferenceKey: PreferenceRecord]
    private(set) var onboarding: [OnboardingID: StoredValue]
    /// About what all of it takes in memory, in bytes.
    private(set) var size: Int

    /// What a record takes beside its key and value: its place in a dictionary, its time and its writer.
    private static let recordOverhead = 160

    /// Takes what the store has read of a domain, and what it knew of it before.
    init(_ contents: DomainContents, _ summary: DomainSummary) {
        user = contents.preferences[.user] ?? [:]
        registered = contents.preferences[.registered] ?? [:]
        onboarding = [:]
        onboarding.reserveCapacity(contents.onboarding.count)
        for (id, value) in contents.onboarding { onboarding[id] = Self.kept(value, id) }
        size = summary.bytes + summary.keys * Self.recordOverhead
        for value in onboarding.values { size += Self.size(of: value) }
    }

    /// The preferences of one layer.
    func preferences(_ layer: StoredLayer) -> [PreferenceKey: PreferenceRecord] {
        switch layer {
        case .user: user
        case .registered: registered
        }
    }

    /// Puts a record in the place of another, or of none; returns by how much the domain grows.
    mutating func replace(_ record: PreferenceRecord?, _ layer: StoredLayer, _ key: PreferenceKey) -> SizeChange {
        let old =
            switch layer {
            case .user: Self.replace(record, key, in: &user)
            case .registered: Self.replace(record, key, in: &registered)
            }
        let growth = SizeChange(key: key, from: old, to: record)
        size += Self.size(of: growth)
        return growth
    }

    /// Puts a record of onboarding in the place of another, or of none; returns by how many bytes the domain grows in memory.
    mutating func replace(_ value: Value?, _ id: OnboardingID) -> Int {
        let new = value.map { Self.kept($0, id) }
        let old = Self.replace(new, id, in: &onboarding)
        let growth = Self.size(of: new) - Self.size(of: old)
        size += growth
        return growth
    }

    /// What a change of preferences takes more in memory, in bytes.
    static func size(of growth: SizeChange) -> Int { growth.bytes + growth.keys * recordOverhead }

    /// A record of onboarding as it is kept.
    ///
    /// What applications define has the shape that they give it. All else is a record of ours, small and read often.
    private static func kept(_ value: Value, _ id: OnboardingID) -> StoredValue {
        switch id.kind {
        case .guideDefinition, .tourDefinition, .tipDefinition, .runContent: StoredValue(value)
        case .configuration, .launches, .flag, .guide, .tour, .tip, .event, .tips, .run, .stage, .inhibitor:
            StoredValue(unpacked: value)
        }
    }

    private static func size(of value: StoredValue?) -> Int { value.map { $0.marshalledSize + recordOverhead } ?? 0 }

    private static func replace<Key, Record>(_ record: Record?, _ key: Key, in records: inout [Key: Record]) -> Record? {
        guard let record else { return records.removeValue(forKey: key) }
        return records.updateValue(record, forKey: key)
    }
}
