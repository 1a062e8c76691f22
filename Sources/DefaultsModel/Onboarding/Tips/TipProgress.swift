import DBusTypes

/// What became of a tip so far: its record on disk.
struct TipProgress: Hashable, Sendable {
    /// Why a tip is used up for good; the raw value is the word on the wire (I3).
    enum Invalidity: String, Hashable, Sendable, CaseIterable {
        /// The user did what it is about.
        case action
        /// The user closed it.
        case closed
        /// It was presented as often as it may be.
        case displayCount = "display_count"
        /// It was on the screen for as long as it may be.
        case displayDuration = "display_duration"
        /// The user has had a newer revision of it.
        case revision
        /// The administrator has it count as seen (S3).
        case policy
    }

    /// How long a tip is put off.
    struct Snooze: Hashable, Sendable {
        /// Since when: microseconds since the Unix epoch.
        var since: Int64
        /// For how long, in milliseconds.
        var duration: UInt64

        /// When it ends: microseconds since the Unix epoch; a beginning in the future is taken for now (I3).
        func end(at now: Instant) -> Int64 { min(since, now.wall).adding(milliseconds: duration) }
    }

    private static let format: UInt32 = 1

    /// The revision that all of this but the statistics is about.
    var revision: UInt32
    /// How often it was presented (I1).
    var displayCount: UInt32 = 0
    /// How long it was on the screen in all, in milliseconds (I1).
    var displayDuration: UInt64 = 0
    /// What the user or the policy has made it invalid with; limits are compared when asked.
    var invalidity: Invalidity?
    /// Until when it is put off; nil where it isn't.
    var snooze: Snooze?
    /// How often it was shown, and how often it ended how, over all revisions.
    var statistics = Statistics()

    /// A tip that was never shown.
    init(revision: UInt32) { self.revision = revision }

    /// The same as if new: only the statistics stay.
    func renewed(revision: UInt32) -> TipProgress {
        var progress = TipProgress(revision: revision)
        progress.statistics = statistics
        return progress
    }

    /// The id of the record of a tip.
    static func record(_ tip: Identifier) -> OnboardingID { OnboardingID(.tip, tip.text) }
}

extension TipProgress {
    /// What was counted of a tip.
    struct Statistics: Hashable, Sendable {
        /// How often it was shown.
        var shown: UInt64 = 0
        /// How often it ended how.
        var outcomes: [String: UInt64] = [:]

        /// Whether nothing was counted.
        var isEmpty: Bool { shown == 0 && outcomes.isEmpty }

        /// The entries of `Admin.Statistics`, sorted.
        var dictionary: Value {
            .vardict([("shown", .uint64(shown))] + outcomes.sorted { $0.key < $1.key }.map { ($0.key, .uint64($0.value)) })
        }
    }
}

// MARK: - On disk

extension TipProgress {
    /// The record; nil where there is nothing to keep.
    var stored: Value? {
        guard self != TipProgress(revision: revision) else { return nil }
        var entries: [(String, Value)] = [
            ("format", .uint32(Self.format)), ("revision", .uint32(revision)), ("display_count", .uint32(displayCount)),
            ("display_duration", .uint64(displayDuration)), ("invalid", .string(invalidity?.rawValue ?? "")),
            ("statistics", statistics.dictionary),
        ]
        if let snooze {
            entries += [("snoozed_since", .int64(snooze.since)), ("snoozed_for", .uint64(snooze.duration))]
        }
        return .vardict(entries)
    }

    /// Reads what `stored` gave; nil for anything else.
    init?(stored: Value) {
        guard let entries = stored.dictionary, entries["format"]?.get() == Self.format,
            let revision = entries["revision"]?.get(as: UInt32.self),
            let displayCount = entries["display_count"]?.get(as: UInt32.self),
            let displayDuration = entries["display_duration"]?.get(as: UInt64.self),
            let word = entries["invalid"]?.get(as: String.self),
            let statistics = entries["statistics"]?.dictionary.flatMap(Statistics.init(stored:))
        else { return nil }
        self.init(revision: revision)
        self.displayCount = displayCount
        self.displayDuration = displayDuration
        self.statistics = statistics
        invalidity = Invalidity(rawValue: word)
        guard invalidity != nil || word.isEmpty else { return nil }
        if let since = entries["snoozed_since"] {
            guard let since = since.get(as: Int64.self), let duration = entries["snoozed_for"]?.get(as: UInt64.self) else {
                return nil
            }
            snooze = Snooze(since: since, duration: duration)
        }
    }
}

extension TipProgress.Statistics {
    fileprivate init?(stored: DictionaryValue) {
        self.init()
        for entry in stored.entries {
            guard let name = entry.key.get(as: String.self), let count = stored[name]?.get(as: UInt64.self) else { return nil }
            if name == "shown" { shown = count } else { outcomes[name] = count }
        }
    }
}
