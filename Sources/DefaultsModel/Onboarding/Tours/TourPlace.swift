import DBusTypes

/// How far a run of a tour is.
public struct TourPlace: Hashable, Sendable {
    /// The step on the screen, by its place among the run's steps, from 0.
    public var step: Int
    /// Grows by one with each change of the step (T2).
    public var sequence: UInt64
    /// Whether the last change went back: the direction of travel for a step that can't be shown (T5).
    public var isGoingBack: Bool
    /// The ids of the steps that were shown in this run, each once, in the order shown.
    public var shown: [String]

    /// Names a place.
    public init(step: Int, sequence: UInt64 = 1, isGoingBack: Bool = false, shown: [String] = []) {
        self.step = step
        self.sequence = sequence
        self.isGoingBack = isGoingBack
        self.shown = shown
    }

    /// The entries of the run's record.
    var stored: [(String, Value)] {
        [
            ("step", .uint32(UInt32(clamping: step))), ("sequence", .uint64(sequence)), ("back", .boolean(isGoingBack)),
            ("shown", .array(shown)),
        ]
    }

    /// Reads what `stored` gave; nil for anything else.
    init?(stored entries: DictionaryValue) {
        guard let step = entries["step"]?.get(as: UInt32.self), let sequence = entries["sequence"]?.get(as: UInt64.self),
            let isGoingBack = entries["back"]?.get(as: Bool.self), let shown = entries["shown"]?.get(as: [String].self)
        else { return nil }
        self.init(step: Int(step), sequence: sequence, isGoingBack: isGoingBack, shown: shown)
    }
}
