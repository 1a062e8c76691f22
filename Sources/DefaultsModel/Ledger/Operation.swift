import DBusTypes

/// Who asks, as the daemon counts its callers; a number is never used twice.
public struct CallerID: Hashable, Sendable {
    let number: UInt64

    /// The daemon itself.
    public static let daemon = CallerID(0)

    /// Names a caller by a number above 0.
    public init(_ number: UInt64) { self.number = number }
}

/// What a write comes to: the answer, the rows to change and what others are told, none of it done yet.
public struct Outcome {
    /// The values of the reply.
    public var reply: [Value]
    /// What to put on disk; empty where nothing changes.
    public var changes: [RecordChange]
    /// The configuration files that take effect with it; nil where they stay.
    var files: FileLayers?
    /// Whether other configuration files take effect with it.
    public var takesFiles: Bool { files != nil }
    /// Whether it changes nothing, on disk or in memory.
    var isEmpty: Bool { changes.isEmpty && files == nil }
    /// The revision at which `files` take effect; nil where they move no preference.
    var filesRevision: UInt64? {
        for case .revision(let revision) in changes { return revision }
        return nil
    }
    /// What is announced beside changes of preferences, which are found by comparing effective values (P5).
    public var announcements: [Announcement]

    /// An outcome; one without changes writes nothing.
    public init(reply: [Value] = [], changes: [RecordChange] = [], announcements: [Announcement] = []) {
        self.reply = reply
        self.changes = changes
        self.announcements = announcements
    }
}

/// What others are told after a reply.
public enum Announcement: Hashable, Sendable {
    /// Effective values of a domain changed.
    case preferencesChanged(PreferencesChange)
    /// The keys of a domain that are locked now, sorted.
    case locksChanged(DomainName, [PreferenceKey])
    /// A launch was recorded: the launch as an `a{sv}`.
    case launchRecorded(DomainName, Value)
    /// Something happened to a presentation: for those who watch its application, and its presenter.
    case presentation(PresentationSignal)
    /// A run's countdown begins with it: after the reply that names its path.
    case countdownBegins(CountdownStart)
    /// A run's countdown ends with it: nothing follows the end of a guide (G8).
    case countdownEnds(recordKey: String, CountdownReason)
}

extension RecordChange {
    /// Whether it ends a run, or takes one away.
    var isEndOfRun: Bool {
        guard case .onboarding(_, let id, let value) = self, id.kind == .run else { return false }
        return value?.dictionary?["state"] != .string(Run.State.presenting.rawValue)
    }
}

/// The effective values of one domain that one write changed (P5).
public struct PreferencesChange: Hashable, Sendable {
    /// The domain whose readers see it.
    public let domain: DomainName
    /// Keys with their new effective values, sorted by key.
    public let changed: [(key: PreferenceKey, stored: StoredValue)]
    /// Keys that have no value any more, sorted.
    public let removed: [PreferenceKey]
    /// The domain's revision from this change on.
    public let revision: UInt64
    /// The unique bus name of who caused it.
    public let writer: String

    /// Equal in every part.
    public static func == (left: PreferencesChange, right: PreferencesChange) -> Bool {
        left.domain == right.domain && left.removed == right.removed && left.revision == right.revision
            && left.writer == right.writer && left.changed.elementsEqual(right.changed) { $0 == $1 }
    }

    /// Hashes what tells most changes apart.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(domain)
        hasher.combine(revision)
    }
}

/// One request that rests on the pending state: it may be computed again when a commit fails (P7), so it must not have effects.
public struct Operation {
    /// Computes the outcome; throws what the caller is told instead.
    public typealias Body = (StateView) throws(ModelError) -> Outcome
    /// Called exactly once, when the batch is on disk or has failed for good: reply first, then announce.
    public typealias Completion = (Result<[Value], ModelError>, [Announcement]) -> Void

    let caller: CallerID
    let writer: String
    let body: Body
    let complete: Completion
    /// The turn in which it was submitted.
    var turn: UInt64 = 0

    /// Describes a request; `writer` is the caller's unique bus name.
    public init(caller: CallerID, writer: String, body: @escaping Body, complete: @escaping Completion) {
        self.caller = caller
        self.writer = writer
        self.body = body
        self.complete = complete
    }

    /// Ends it without having computed anything.
    public func fail(_ error: ModelError) { complete(.failure(error), []) }
}
