/// When a batch is large enough to be committed: many operations at once share a flush, one at a time never waits (P7).
///
/// As many operations are expected as were under way when the last batch was answered: callers that got their answers send again. A batch that half of
/// them have come for is committed while the other half is on its way, so that neither the disk nor the bus stands still. Without this a batch would be
/// what came during one flush, and a commit costs as much as twenty operations.
struct BatchPace {
    /// A batch of so many is large enough, whatever else is expected: a commit is a small part of what they cost.
    static let enough = 64

    private var expected = 0

    /// Takes note of a batch that was answered, and of how many operations had gathered meanwhile.
    mutating func answered(_ count: Int, gathered: Int) { expected = count + gathered }

    /// Whether a batch of so many operations needs to wait for no more.
    func isFull(_ count: Int) -> Bool { count >= min((expected + 1) / 2, Self.enough) }
}

extension Ledger {
    /// How long a batch waits without another operation coming, in nanoseconds: some times what one takes on its way, and about as long as a flush.
    public static let patience: Int64 = 150_000
    /// How often it waits that long at most, while more operations come.
    public static let patienceLimit = 16

    /// How many operations the next batch has.
    public var gatheredCount: Int { gathering.entries.count }

    /// Whether there is a batch that can be committed, but is better to wait for more operations.
    public var isWorthWaiting: Bool {
        gatheredCount > 0 && inFlight.isEmpty && retrying.isEmpty && waiting.isEmpty && !pace.isFull(gatheredCount)
    }
}
