import Glibc

/// A generator that gives the same numbers for the same seed (SplitMix64), so that a failure can be had again.
public struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64

    /// Begins with a seed.
    public init(seed: UInt64) { state = seed }

    /// Begins with another seed in each run, and prints it: DEFAULTSD_TEST_SEED repeats it.
    public init(announcing test: String = #function) {
        let given = getenv("DEFAULTSD_TEST_SEED").flatMap { UInt64(String(cString: $0)) }
        let seed = given ?? UInt64.random(in: 0...UInt64.max)
        print("\(test): DEFAULTSD_TEST_SEED=\(seed)")
        self.init(seed: seed)
    }

    /// The next number.
    public mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}
