import DBusTypes

/// How far a run of a tour is.
public struct TourPlace: Hashable, Sendable {
    /// The step on the screen, by its place among the run's steps, from 0.
    public var step: Int
    /// Grows by one with each change of the step (T2).
    public var sequence: UInt64
    /// Whether the last change went back: the direction of travel for a step that can't be shown (T5).
    public var isGoingBack: Bool
    /// The ids of the steps that were shown and left, each once, in the order in which they were first left; also before the tour was resumed.
    public var shown: [Identifier]
    /// The run has the steps that are newer than this revision; all of them for 0 (T6).
    public let newerThan: UInt32

    /// Names a place.
    public init(
        step: Int, sequence: UInt64 = 1, isGoingBack: Bool = false, shown: [Identifier] = [], newerThan: UInt32 = 0
    ) {
        self.step = step
        self.sequence = sequence
        self.isGoingBack = isGoingBack
        self.shown = shown
        self.newerThan = newerThan
    }

    /// Takes note that a step was shown.
    mutating func markShown(_ step: Identifier) {
        if !shown.contains(step) { shown.append(step) }
    }

    /// The entries of the run's record.
    var stored: [(String, Value)] {
        [
            ("step", .uint32(UInt32(clamping: step))), ("sequence", .uint64(sequence)), ("back", .boolean(isGoingBack)),
            ("shown", .array(shown.map(\.text))), ("newer_than", .uint32(newerThan)),
        ]
    }

    /// Reads what `stored` gave; nil for anything else.
    init?(stored entries: DictionaryValue) {
        guard let step = entries["step"]?.get(as: UInt32.self), let sequence = entries["sequence"]?.get(as: UInt64.self),
            let isGoingBack = entries["back"]?.get(as: Bool.self), let shown = [Identifier](stored: entries["shown"]),
            let newerThan = entries["newer_than"]?.get(as: UInt32.self)
        else { return nil }
        self.init(
            step: Int(step), sequence: sequence, isGoingBack: isGoingBack, shown: shown, newerThan: newerThan)
    }
}

extension [Identifier] {
    /// Reads the ids of a record, an `as`; nil for anything else.
    init?(stored: Value?) {
        guard let texts = stored?.get(as: [String].self) else { return nil }
        self = texts.compactMap(Identifier.init)
        guard count == texts.count else { return nil }
    }
}
