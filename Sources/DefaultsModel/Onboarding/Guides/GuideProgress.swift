import DBusTypes

/// What became of a guide so far: a small record of its own, beside the definition.
public struct GuideProgress: Hashable, Sendable {
    /// Where the guide is in its life while it isn't presented; the raw value is the word on the wire.
    public enum State: String, Hashable, Sendable, CaseIterable {
        /// Not presented yet.
        case new
        /// Ended.
        case finished
        /// Given back.
        case released
    }

    /// The revision that it is about, apart from `eligible`.
    public internal(set) var revision: UInt32
    /// Where it is in its life.
    public internal(set) var state = State.new
    /// How its last run ended; nil where none has.
    public internal(set) var outcome: GuideOutcome?
    /// The page to go on at, from 0.
    public internal(set) var page = 0
    /// The furthest page reached, from 0.
    public internal(set) var furthest = 0
    /// How many presentations count (G2).
    public internal(set) var attempts: UInt32 = 0
    /// Whether the revision counts as seen (G1).
    public internal(set) var isSeen = false
    /// How many launches there had been when it was seen.
    var seenAtLaunch: UInt64 = 0
    /// Whether the revision is abandoned (G2).
    public internal(set) var isAbandoned = false
    /// The revision that became due at some launch, and stays so until it is seen (G6); nil for none.
    var eligible: UInt32?
    /// What was counted, over all revisions.
    public internal(set) var statistics = GuideStatistics()

    /// What is known of a revision that was never presented.
    public init(revision: UInt32) { self.revision = revision }

    /// What is known of the revision in effect: a raised one is new (G4), a lowered one changes nothing.
    func current(for definition: GuideDefinition) -> GuideProgress {
        revision < definition.revision ? fresh(revision: definition.revision) : self
    }

    /// Nothing but what outlives a revision.
    private func fresh(revision: UInt32) -> GuideProgress {
        var fresh = GuideProgress(revision: revision)
        fresh.eligible = eligible
        fresh.statistics = statistics
        return fresh
    }

    /// What is left when the guide is made new again.
    var reset: GuideProgress {
        var reset = GuideProgress(revision: revision)
        reset.statistics = statistics
        return reset
    }

    /// Whether there is nothing in it that must be kept.
    var isEmpty: Bool { self == GuideProgress(revision: revision) }
}

// MARK: - What happens to it

extension GuideProgress {
    /// Takes note that a run begins; returns the page to show.
    mutating func begin(_ definition: GuideDefinition, atLaunch launches: UInt64) -> Int {
        self = current(for: definition)
        // Due again after an upgrade (G6): from the start.
        if isSeen { self = fresh(revision: revision) }
        page = min(page, definition.pageCount - 1)
        furthest = max(furthest, page)
        attempts.countOne()
        if definition.mark == .show { markSeen(definition.revision, atLaunch: launches) }
        return page
    }

    /// Takes note of a page.
    mutating func turn(to page: Int) {
        self.page = page
        furthest = max(furthest, page)
    }

    /// Takes note that a run of `revision` ends; returns its outcome.
    ///
    /// `maximum` is after how many attempts the guide is abandoned, 0 for never.
    mutating func end(
        _ end: GuideEnd, revision: UInt32, maximumAttempts maximum: UInt32, atLaunch launches: UInt64
    ) -> GuideOutcome {
        var outcome = end.outcome
        switch end {
        case .removal: return outcome
        case .outcome(.released):
            // Also where it was marked as seen when it was shown: it is given back, and due as it was.
            if isSeen { eligible = revision }
            isSeen = false
            giveBackAttempt()
        case .interruption: giveBackAttempt()
        case .outcome(.failed): isAbandoned = isExhausted(maximum)
        case .death:
            isAbandoned = isExhausted(maximum)
            if isAbandoned { outcome = .abandoned }
        case .outcome: markSeen(revision, atLaunch: launches)
        }
        state = outcome.state == .released ? .released : .finished
        self.outcome = outcome
        return outcome
    }

    /// Takes note that the administrator has it count as seen (S3).
    mutating func baseline(_ definition: GuideDefinition, atLaunch launches: UInt64) {
        self = current(for: definition)
        markSeen(revision, atLaunch: launches)
        state = .finished
        outcome = .policy
    }

    private mutating func markSeen(_ revision: UInt32, atLaunch launches: UInt64) {
        isSeen = true
        seenAtLaunch = launches
        if let eligible, eligible <= revision { self.eligible = nil }
    }

    private mutating func giveBackAttempt() { attempts -= attempts == 0 ? 0 : 1 }

    private func isExhausted(_ maximum: UInt32) -> Bool { !isSeen && maximum > 0 && attempts >= maximum }
}

// MARK: - On disk

extension GuideProgress {
    private static let format: UInt32 = 1

    /// The `a{sv}` for the store.
    var stored: Value {
        var entries: [(String, Value)] = [
            ("format", .uint32(Self.format)), ("revision", .uint32(revision)), ("state", .string(state.rawValue)),
            ("outcome", .string(outcome?.rawValue ?? "")), ("page", .uint32(UInt32(clamping: page))),
            ("furthest", .uint32(UInt32(clamping: furthest))), ("attempts", .uint32(attempts)), ("seen", .boolean(isSeen)),
            ("seen_at_launch", .uint64(seenAtLaunch)), ("abandoned", .boolean(isAbandoned)),
            ("statistics", statistics.dictionary),
        ]
        if let eligible { entries.append(("eligible", .uint32(eligible))) }
        return .vardict(entries)
    }

    /// Reads what `stored` gave; nil for anything else.
    init?(stored: Value) {
        guard let entries = stored.dictionary, entries["format"]?.get() == Self.format,
            let revision = entries["revision"]?.get(as: UInt32.self),
            let state = entries["state"]?.get(as: String.self).flatMap(State.init),
            let word = entries["outcome"]?.get(as: String.self), let page = entries["page"]?.get(as: UInt32.self),
            let furthest = entries["furthest"]?.get(as: UInt32.self), let attempts = entries["attempts"]?.get(as: UInt32.self),
            let isSeen = entries["seen"]?.get(as: Bool.self), let seenAtLaunch = entries["seen_at_launch"]?.get(as: UInt64.self),
            let isAbandoned = entries["abandoned"]?.get(as: Bool.self),
            let statistics = entries["statistics"].flatMap(GuideStatistics.init(stored:))
        else { return nil }
        let outcome = GuideOutcome(rawValue: word)
        guard outcome != nil || word.isEmpty else { return nil }
        var eligible: UInt32?
        if let value = entries["eligible"] {
            guard let revision = value.get(as: UInt32.self) else { return nil }
            eligible = revision
        }
        self.init(revision: revision)
        self.state = state
        self.outcome = outcome
        self.page = Int(page)
        self.furthest = Int(furthest)
        self.attempts = attempts
        self.isSeen = isSeen
        self.seenAtLaunch = seenAtLaunch
        self.isAbandoned = isAbandoned
        self.eligible = eligible
        self.statistics = statistics
    }
}
