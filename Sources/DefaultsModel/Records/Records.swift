import DBusTypes

/// The layers of preferences that the store keeps; the raw value is the one on disk.
public enum StoredLayer: Int64, Sendable, CaseIterable {
    /// What an application registered as its own defaults: the lowest layer.
    case registered = 0
    /// What the user set.
    case user = 1
}

/// One preference as stored.
public struct PreferenceRecord: Hashable, Sendable {
    /// The value with its exact type, as it is kept.
    public let stored: StoredValue
    /// When it was written: microseconds since the Unix epoch.
    public let modified: Int64
    /// The unique bus name of the writer.
    public let writer: String

    /// The value with its exact type.
    public var value: Value { stored.value }

    /// Names what is stored.
    public init(value: Value, modified: Int64, writer: String) {
        self.init(StoredValue(value), modified: modified, writer: writer)
    }

    /// Names what is stored of a value that is kept already.
    public init(_ stored: StoredValue, modified: Int64, writer: String) {
        self.stored = stored
        self.modified = modified
        self.writer = writer
    }
}

/// What a record of an application's onboarding is about; the raw value is the one on disk.
public enum OnboardingKind: String, Sendable, CaseIterable {
    /// Which configuration files were in effect, kept with `global`; its id is empty.
    case configuration
    /// The history of launches; its id is empty.
    case launches
    /// A flag of `Once` or `OnceForVersion`; its id is the flag.
    case flag
    /// A guide as an application defined it over the bus; its id is the guide.
    case guideDefinition = "guide-definition"
    /// How far the user is with a guide; its id is the guide.
    case guide
    /// A tour as an application defined it over the bus; its id is the tour.
    case tourDefinition = "tour-definition"
    /// How far the user is with a tour; its id is the tour.
    case tour
    /// A tip as an application defined it over the bus; its id is the tip.
    case tipDefinition = "tip-definition"
    /// What became of a tip so far; its id is the tip.
    case tip
    /// How often an event that tips count was donated; its id is the event.
    case event
    /// What limits the tips of an application together, or, kept with `global`, those of all; its id is empty.
    case tips
    /// One presentation, kept with `global`; its id is the number of the run.
    case run
    /// What a run shows, as it was when it began, kept with `global`; its id is the number of the run.
    case runContent = "run-content"
    /// The number of the latest run, kept with `global`; its id is empty.
    case stage
    /// Someone who has nothing new shown, kept with `global`; its id is the cookie.
    case inhibitor
}

/// Names one onboarding record of an application.
public struct OnboardingID: Hashable, Comparable, Sendable {
    /// What it is about.
    public let kind: OnboardingKind
    /// Which one of that kind; empty where there is only one.
    public let id: String

    /// Orders by kind, then by the bytes of the id.
    public static func < (left: OnboardingID, right: OnboardingID) -> Bool {
        if left.kind != right.kind { return left.kind.rawValue < right.kind.rawValue }
        return left.id.utf8.lexicographicallyPrecedes(right.id.utf8)
    }

    /// Names a record.
    public init(_ kind: OnboardingKind, _ id: String = "") {
        self.kind = kind
        self.id = id
    }
}

/// One row written or, where its value is nil, removed.
///
/// Changes of one commit apply in order, all or none (P7).
public enum RecordChange: Hashable, Sendable {
    /// The user's revision counter; it only grows.
    case revision(UInt64)
    /// A domain's own revision.
    ///
    /// A domain's row stays when its last key goes, so that the revision never goes back.
    case domain(DomainName, revision: UInt64)
    /// A preference.
    case preference(DomainName, StoredLayer, PreferenceKey, PreferenceRecord?)
    /// A record of onboarding, an `a{sv}`.
    case onboarding(DomainName, OnboardingID, Value?)
    /// A live countdown by its token and owner, an `a{sv}`.
    case countdown(String, Value?)
}

/// All that the store keeps of one domain.
public struct DomainContents: Hashable, Sendable {
    /// The domain's own revision; 0 where it was never written.
    public var revision: UInt64
    /// The preferences of each stored layer.
    public var preferences: [StoredLayer: [PreferenceKey: PreferenceRecord]]
    /// The onboarding records of the application.
    public var onboarding: [OnboardingID: Value]

    /// An empty domain, or one as given.
    public init(
        revision: UInt64 = 0, preferences: [StoredLayer: [PreferenceKey: PreferenceRecord]] = [:],
        onboarding: [OnboardingID: Value] = [:]
    ) {
        self.revision = revision
        self.preferences = preferences
        self.onboarding = onboarding
    }
}

/// What is known of a domain before its contents are loaded.
public struct DomainSummary: Hashable, Sendable {
    /// The domain's own revision; 0 where it was never written.
    public var revision: UInt64
    /// How many preferences it has, over all stored layers.
    public var keys: Int
    /// Their size: the bytes of keys and marshalled values, over all stored layers.
    public var bytes: Int

    /// The summary of an empty domain, or one as given.
    public init(revision: UInt64 = 0, keys: Int = 0, bytes: Int = 0) {
        self.revision = revision
        self.keys = keys
        self.bytes = bytes
    }
}

/// What is known of a store before any domain is loaded.
public struct StoreSummary: Hashable, Sendable {
    /// How far revisions go on above the last one known after a loss, since those given in between are not (P9).
    public static let revisionStep: UInt64 = 1 << 32

    /// The user's revision counter; 1 in a new store.
    public var revision: UInt64
    /// Every domain that has a row.
    public var domains: [DomainName: DomainSummary]
    /// The countdowns that were live, by token and owner.
    public var countdowns: [String: Value]

    /// A new store's summary, or one as given.
    public init(revision: UInt64 = 1, domains: [DomainName: DomainSummary] = [:], countdowns: [String: Value] = [:]) {
        self.revision = revision
        self.domains = domains
        self.countdowns = countdowns
    }
}
