import DBusTypes

/// What became of a tour so far: the record that is kept of it between runs.
public struct TourProgress: Hashable, Sendable {
    /// Where it is; the raw value is the word on the wire.
    public enum State: String, Hashable, Sendable, CaseIterable {
        /// Never shown, or forgotten.
        case new
        /// On the screen.
        case presenting
        /// Its presenter has left (T7).
        case suspended
        /// Given back.
        case released
        /// Ended by the user, abandoned, or failed.
        case finished
    }

    /// Where it is.
    public var state = State.new
    /// How its last run ended; empty where none has.
    public var outcome = ""
    /// The highest revision that was begun; 0 where none was.
    public var revision: UInt32 = 0
    /// The highest revision that the user has ended, or that a policy counts as seen; 0 where there is none (G1, S3).
    public var seenRevision: UInt32 = 0
    /// How many presentations of the revision count as attempts (G2).
    public var attempts: UInt32 = 0
    /// The step at which it was left; nil for before the first.
    public var step: Identifier?
    /// The ids of all steps of its last run, in order: where the place of a step that is gone is found (T1).
    public var steps: [Identifier] = []
    /// The steps that were shown and left since it was last begun at its first.
    public var shown: [Identifier] = []
    /// The furthest step reached in the revision, from 0.
    public var furthest: UInt32 = 0
    /// When it was last begun or left: microseconds since the Unix epoch.
    public var since: Int64 = 0
    /// Whether its last run ended because its presenter died.
    public var hasCrashed = false
    /// What is counted of it; it outlives Reset.
    public var statistics = TourStatistics()

    /// Nothing yet.
    public init() {}

    /// Whether the revision last begun was left before its end.
    var isUnfinished: Bool { revision > seenRevision }

    /// The place of the old step among other steps: its own, else that of the first after it that is still there; nil where none is (T1).
    func place(in steps: [TourStep]) -> Int? {
        guard let step else { return 0 }
        let places = Dictionary(uniqueKeysWithValues: steps.enumerated().map { ($1.id, $0) })
        if let place = places[step] { return place }
        guard let old = self.steps.firstIndex(of: step) else { return 0 }
        return self.steps[old...].lazy.compactMap { places[$0] }.first
    }

    /// Whether it was left longer ago than it can be resumed; a moment in the future counts as now.
    func isTooOld(_ definition: TourDefinition, at now: Instant) -> Bool {
        guard definition.resumeWindow > 0, now.wall > since else { return false }
        let (elapsed, overflow) = now.wall.subtractingReportingOverflow(since)
        let (window, isEndless) = definition.resumeWindow.multipliedReportingOverflow(by: 1000)
        return !isEndless && (overflow || UInt64(elapsed) > window)
    }
}

/// What is counted of a tour, on this machine only.
public struct TourStatistics: Hashable, Sendable {
    /// How often it was shown.
    public var shown: UInt64 = 0
    /// How often each outcome occurred.
    public var outcomes: [String: UInt64] = [:]
    /// The furthest step ever reached, from 0.
    public var furthest: UInt32 = 0

    /// Nothing counted.
    public init() {}

    /// Whether nothing was counted.
    var isEmpty: Bool { self == TourStatistics() }

    /// The `a{sv}` for `Admin.Statistics`.
    public var value: Value {
        .vardict(
            [("shown", .uint64(shown))] + outcomes.sorted { $0.key < $1.key }.map { ($0.key, .uint64($0.value)) }
                + [("furthest", .uint32(furthest))])
    }
}
