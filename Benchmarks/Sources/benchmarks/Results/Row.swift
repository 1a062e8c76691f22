import Harness

/// What was measured of one program.
struct Figure {
    /// Which program.
    let name: String
    let median: Double
    /// Nil where there is one value only.
    let p99: Double?
    /// What it does not do that the others do; empty where it does the same.
    let omits: String

    init(_ name: String, _ samples: Samples, omits: String = "") {
        self.name = name
        median = samples.median
        p99 = samples.count > 1 ? samples.quantile(0.99) : nil
        self.omits = omits
    }

    init(_ name: String, median: Double, p99: Double?, omits: String = "") {
        self.name = name
        self.median = median
        self.p99 = p99
        self.omits = omits
    }

    init(_ name: String, _ value: Double, omits: String = "") {
        self.name = name
        median = value
        p99 = nil
        self.omits = omits
    }
}

/// One line of the table: this daemon and what it is compared with.
struct Row {
    /// What is measured.
    let what: String
    let unit: String
    /// What must be reached, in words.
    let goal: String
    let ours: Figure
    let peers: [Figure]
    /// The figure that the goal is about; nil where it is ours.
    let ratio: Double?
    /// Whether the goal is reached, as far as this run tells; nil where there is none.
    let isReached: Bool?
}

extension Row {
    /// A row whose goal is a ratio at most, or at least.
    static func ratio(
        _ what: String, unit: String, goal: String, ours: Figure, peers: [Figure], _ ratio: Double, atMost: Double = .infinity,
        atLeast: Double = 0
    ) -> Row {
        Row(
            what: what, unit: unit, goal: goal, ours: ours, peers: peers, ratio: ratio,
            isReached: ratio <= atMost && ratio >= atLeast)
    }

    /// A row whose goal is a value of ours at most.
    static func value(
        _ what: String, unit: String, goal: String, ours: Figure, peers: [Figure] = [], atMost: Double, of value: Double? = nil
    ) -> Row {
        Row(
            what: what, unit: unit, goal: goal, ours: ours, peers: peers, ratio: nil,
            isReached: (value ?? ours.median) <= atMost)
    }
}
