import DBusTypes

/// What is on record of a flag of `Once` or `OnceForVersion` (L7).
///
/// The two share a flag: `Once` is true only where nothing is on record at all. `OnceForVersion` is true for each version higher than
/// all before, and once for each opaque text.
public struct FlagRecord: Sendable {
    /// How many opaque texts are kept.
    ///
    /// With more the one that came first is forgotten, and would be answered true again: a record must not grow forever, and nobody goes
    /// back 256 nightly builds.
    public static let maximumTexts = 256
    private static let format: UInt32 = 1

    /// When the answer was last true: microseconds since the Unix epoch.
    public let when: Int64
    /// The highest version so far; nil where only opaque texts or `Once` came.
    let highest: Version?
    /// The opaque texts so far, oldest first.
    let texts: [Version]

    /// The test and set of `Once`: gives the record to store where the answer is true, nil where it is false.
    ///
    /// Throws `Unavailable` for a flag with nothing on record where the store lost data (P9).
    public static func once(
        _ earlier: FlagRecord?, flag: Identifier, storeLostData: Bool = false, at now: Instant
    ) throws(ModelError) -> FlagRecord? {
        guard earlier == nil else { return nil }
        try checkKnown(flag, storeLostData: storeLostData)
        return FlagRecord(when: now.wall, highest: nil, texts: [])
    }

    /// The test and set of `OnceForVersion`: gives the record to store where the answer is true, nil where it is false.
    ///
    /// Throws `Unavailable` for a flag with nothing on record where the store lost data (P9).
    public static func onceForVersion(
        _ earlier: FlagRecord?, flag: Identifier, version: Version, storeLostData: Bool = false, at now: Instant
    ) throws(ModelError) -> FlagRecord? {
        guard let earlier else {
            try checkKnown(flag, storeLostData: storeLostData)
            return FlagRecord(when: now.wall, highest: nil, texts: []).adding(version, at: now)
        }
        let isNew =
            version.isOpaque
            ? !earlier.texts.contains { version.change(from: $0) == .same }
            : earlier.highest.map { version.isHigher(than: $0) } ?? true
        return isNew ? earlier.adding(version, at: now) : nil
    }

    private static func checkKnown(_ flag: Identifier, storeLostData: Bool) throws(ModelError) {
        guard !storeLostData else {
            throw .unavailable(
                "whether flag \"\(flag)\" was ever asked for is unknown since the store lost data; Admin.AcknowledgeLoss starts afresh"
            )
        }
    }

    private func adding(_ version: Version, at now: Instant) -> FlagRecord {
        version.isOpaque
            ? FlagRecord(when: now.wall, highest: highest, texts: (texts + [version]).suffix(Self.maximumTexts))
            : FlagRecord(when: now.wall, highest: version, texts: texts)
    }

    private init(when: Int64, highest: Version?, texts: [Version]) {
        self.when = when
        self.highest = highest
        self.texts = texts
    }

    /// The `a{sv}` for the store.
    public var stored: Value {
        var entries: [(String, Value)] = [("format", .uint32(Self.format)), ("when", .int64(when))]
        if let highest { entries.append(("highest_version", highest.stored)) }
        if !texts.isEmpty { entries.append(("texts", .array(texts.map(\.text)))) }
        return .vardict(entries)
    }

    /// Reads what `stored` gave; nil for anything else, which is damage and not an absent flag (P8).
    public init?(stored: Value) {
        guard let entries = stored.dictionary, entries["format"]?.get() == Self.format,
            let when = entries["when"]?.get(as: Int64.self)
        else { return nil }
        var highest: Version?
        if let value = entries["highest_version"] {
            guard let version = Version(stored: value), !version.isOpaque else { return nil }
            highest = version
        }
        var texts: [Version] = []
        if let value = entries["texts"] {
            guard let array = value.get(as: [String].self), array.count <= Self.maximumTexts else { return nil }
            texts = array.compactMap { try? Version($0, scheme: .opaque) }
            guard texts.count == array.count else { return nil }
        }
        self.init(when: when, highest: highest, texts: texts)
    }
}
