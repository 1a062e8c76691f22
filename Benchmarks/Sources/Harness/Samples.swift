/// Measured values of one kind.
public struct Samples {
    /// In the order in which they were taken.
    public private(set) var values: [Double] = []

    /// Makes an empty collection.
    public init() {}

    /// Takes one more.
    public mutating func add(_ value: Double) { values.append(value) }

    /// How many there are.
    public var count: Int { values.count }

    /// The value that this share of all doesn't exceed; 0 where there are none.
    public func quantile(_ share: Double) -> Double {
        guard !values.isEmpty else { return 0 }
        let sorted = values.sorted()
        return sorted[min(sorted.count - 1, Int(Double(sorted.count) * share))]
    }

    /// The middle one.
    public var median: Double { quantile(0.5) }

    /// The share of those that `isCounted`.
    public func share(_ isCounted: (Double) -> Bool) -> Double {
        values.isEmpty ? 0 : Double(values.count(where: isCounted)) / Double(values.count)
    }
}

extension Samples {
    /// The same with every value multiplied.
    public func scaled(_ factor: Double) -> Samples {
        var scaled = Samples()
        for value in values { scaled.add(value * factor) }
        return scaled
    }

    /// All of an array.
    public init(_ values: [Double]) {
        self.init()
        for value in values { add(value) }
    }
}
