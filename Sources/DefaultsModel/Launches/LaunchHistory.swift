import DBusTypes

/// What is on record of one version of an application.
public struct VersionRecord: Sendable {
    /// The version, with the text of its latest launch.
    public var version: Version
    /// When it was first launched: microseconds since the Unix epoch.
    public let firstSeen: Int64
    /// When it was last launched: microseconds since the Unix epoch.
    public var lastSeen: Int64
    /// How many launches of it were recorded.
    public var launches: UInt64

    /// Names what is on record.
    public init(version: Version, firstSeen: Int64, lastSeen: Int64, launches: UInt64) {
        self.version = version
        self.firstSeen = firstSeen
        self.lastSeen = lastSeen
        self.launches = launches
    }
}

/// All that is kept of one application's launches, and the decision what a new one is (L1–L6).
///
/// Order is the order of recording; the clock decides nothing (L6). Two texts that compare as the same version and build are one version.
public struct LaunchHistory: Sendable {
    /// How many versions are kept; the one not launched for the longest goes first.
    public static let maximumVersions = 64

    /// The versions launched, that of the latest launch first.
    public internal(set) var versions: [VersionRecord] = []
    /// Nil while nothing is on record.
    var facts: Facts?

    /// What is on record besides the versions, once anything is.
    struct Facts: Sendable {
        var launches: UInt64
        let firstVersion: Version
        let firstLaunch: Int64
        let firstKind: LaunchKind
        let baselineVersion: Version?
        /// P9: the history begins with `unknown`, and the user hasn't acknowledged the loss.
        var beganUnknown: Bool
        var highestVersion: Version
        /// The latest launch, for Query.
        var latest: Latest
        /// What came of all launches so far, for what is due after an upgrade.
        var transitions = Transitions()
        /// What the owner of the latest transition was answered.
        var ownerAnswer: OwnerAnswer?
    }

    /// What the latest launch was.
    struct Latest: Sendable {
        let kind: LaunchKind
        let significance: Significance?
        let isRevisit: Bool
        let previousVersion: String
        let previousLaunch: Int64
    }

    /// The history of an application that never recorded a launch.
    public init() {}

    init(versions: [VersionRecord], facts: Facts) {
        self.versions = versions
        self.facts = facts
    }

    /// Whether no launch is on record.
    public var isEmpty: Bool { facts == nil }
    /// What the first launch on record was; nil where there is none.
    public var firstKind: LaunchKind? { facts?.firstKind }
    /// The version of the first launch on record.
    public var firstVersion: Version? { facts?.firstVersion }
    /// The version that an adopted user had before, as the application said at the first launch.
    public var baselineVersion: Version? { facts?.baselineVersion }
    /// The version of the latest launch.
    public var lastVersion: Version? { versions.first?.version }
    /// The highest release, or the highest pre-release while there is no release (L5).
    ///
    /// Opaque versions have no place in an order: one stands here, the latest, only while all on record are.
    public var highestVersion: Version? { facts?.highestVersion }
    /// Whether the history begins with an `unknown` launch that the user hasn't acknowledged (P9).
    public var beganUnknown: Bool { facts?.beganUnknown ?? false }

    /// How many launches were recorded.
    public var launchCount: UInt64 { facts?.launches ?? 0 }
    /// What came of all launches so far.
    var transitions: Transitions { facts?.transitions ?? Transitions() }

    /// Takes note that the user acknowledged the loss of data (P9); returns whether that changed anything.
    public mutating func acknowledgeLoss() -> Bool {
        guard beganUnknown else { return false }
        facts?.beganUnknown = false
        return true
    }

    /// The latest launch as Query tells it: what Record answered, `owner` false; throws `NotFound` where none is on record.
    public func query(app: DomainName) throws(ModelError) -> Launch {
        guard let launch = latestLaunch(isOwner: false) else {
            throw .notFound("no launch of app \(app) is on record; Launches.Record records one")
        }
        return launch
    }

    /// The versions as History tells them: `a(sxxt)`, newest first.
    public var versionsValue: Value {
        let type = DBusType.structure([.string, .int64, .int64, .uint64])
        let rows = versions.map { record in
            Value.structure([
                .string(record.version.text), .int64(record.firstSeen), .int64(record.lastSeen), .uint64(record.launches),
            ])
        }
        return .array(ArrayValue(unchecked: rows, of: type))
    }

    /// The latest launch; nil where none is on record.
    func latestLaunch(isOwner: Bool) -> Launch? {
        guard let facts, let record = versions.first else { return nil }
        return Launch(
            kind: facts.latest.kind, significance: facts.latest.significance, isOwner: isOwner, isRevisit: facts.latest.isRevisit,
            version: record.version.text, previousVersion: facts.latest.previousVersion,
            highestVersion: facts.highestVersion.text, firstVersion: facts.firstVersion.text, launches: facts.launches,
            launchesOfVersion: record.launches, firstLaunch: facts.firstLaunch, previousLaunch: facts.latest.previousLaunch)
    }
}
