import DBusTypes

/// What a caller asks of a countdown: the spec of `Countdowns.Start`, checked.
public struct CountdownSpec: Hashable, Sendable {
    /// When the time begins to run.
    public enum Start: String, Hashable, Sendable, CaseIterable {
        /// When the daemon handles Start.
        case now
        /// When the daemon handles Ready.
        case whenReady = "when_ready"
    }

    /// What the time does while the machine sleeps (C2).
    public enum SuspendPolicy: String, Hashable, Sendable, CaseIterable {
        /// It runs on: the deadline is on CLOCK_BOOTTIME.
        case `continue`
        /// It stands still: the deadline is on CLOCK_MONOTONIC.
        case pause
    }

    /// What happens when the owner's connection ends (C8).
    public enum OwnerLostPolicy: String, Hashable, Sendable, CaseIterable {
        /// The countdown finishes as `owner_lost`.
        case cancel
        /// It runs on to its end.
        case `continue`
    }

    /// The longest duration in milliseconds: 30 days.
    public static let maximumDuration: UInt64 = 30 * 24 * 60 * 60 * 1000
    /// The shortest tick in milliseconds: 20 a second is more than a person can read.
    public static let minimumTick: UInt64 = 50
    /// The longest purpose in bytes: a line for people, held in memory as long as the countdown lives.
    public static let maximumPurposeLength = 1024

    /// How long it runs, in milliseconds.
    public var duration: UInt64
    /// The time between two ticks, in milliseconds.
    public var tick: UInt64
    /// When the time begins to run.
    public var start: Start
    /// How long after t0 it can't be skipped, in milliseconds; 0 for not at all.
    public var skippableAfter: UInt64
    /// What the time does while the machine sleeps.
    public var onSuspend: SuspendPolicy
    /// What happens when the owner's connection ends.
    public var onOwnerLost: OwnerLostPolicy
    /// Whether a live countdown with the same token is cancelled for this one (C7).
    public var replace: Bool
    /// What it is for, for people and for whoever lists countdowns.
    public var purpose: String

    /// The default spec: ten seconds by one.
    public init() {
        duration = 10_000
        tick = 1_000
        start = .now
        skippableAfter = 0
        onSuspend = .continue
        onOwnerLost = .cancel
        replace = false
        purpose = ""
    }

    /// Reads and checks an `a{sv}`.
    ///
    /// Throws `InvalidArgument` naming the entry, its value and what is allowed: for an unknown entry, a wrong type, a number that is
    /// negative or too large (duration, tick and skippable_after ≤ 30 days, tick ≥ 50 ms), a purpose over 1,024 bytes.
    public init(_ spec: DictionaryValue) throws(ModelError) {
        try self.init(OptionReader(spec, argument: "spec", known: Self.entries))
    }

    /// Reads the spec that is a part of something else; `reader` knows ``entries``.
    init(_ reader: OptionReader) throws(ModelError) {
        self.init()
        let unit = "milliseconds"
        duration = try reader.integer("duration", in: 0...Self.maximumDuration, default: duration, unit: unit)
        tick = try reader.integer("tick", in: Self.minimumTick...Self.maximumDuration, default: tick, unit: unit)
        start = try reader.choice("start", default: .now)
        skippableAfter = try reader.integer("skippable_after", in: 0...Self.maximumDuration, default: 0, unit: unit)
        onSuspend = try reader.choice("on_suspend", default: .continue)
        onOwnerLost = try reader.choice("on_owner_lost", default: .cancel)
        replace = try reader.boolean("replace")
        purpose = try reader.string("purpose")
        guard purpose.utf8.count <= Self.maximumPurposeLength else {
            throw reader.problem("purpose", "has \(purpose.utf8.count) bytes; it may have \(Self.maximumPurposeLength)")
        }
    }

    /// The entries of a spec.
    static let entries = [
        "duration", "tick", "start", "skippable_after", "on_suspend", "on_owner_lost", "replace", "purpose",
    ]
}
