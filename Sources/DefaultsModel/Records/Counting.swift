extension FixedWidthInteger {
    /// Counts one more; the largest number stays.
    ///
    /// An import or a damaged store may bring any number, and a counter that traps would trap again at every start.
    mutating func countOne() { if self < .max { self += 1 } }
}
