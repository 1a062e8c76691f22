/// What of a version decides whether it is above another: epoch, numbers, pre-release (V2, V3).
struct VersionPrecedence: Hashable, Sendable {
    /// One identifier of a pre-release.
    enum Identifier: Hashable, Sendable {
        case number(VersionNumber)
        /// By the order of its bytes; V3's words in their common spelling.
        case word([UInt8])
    }

    /// How two versions stand to each other.
    enum Comparison {
        case equal
        case higher(Significance)
        case lower(Significance)
    }

    /// The number before the colon; 0 where there is none.
    let epoch: VersionNumber
    /// The dot-separated numbers without the zeros at their end (V2).
    let numbers: [VersionNumber]
    /// The pre-release; empty for a release.
    let prerelease: [Identifier]

    /// Makes a precedence; drops the zeros at the end of `numbers`.
    init(epoch: VersionNumber, numbers: [VersionNumber], prerelease: [Identifier]) {
        self.epoch = epoch
        self.numbers = Array(numbers.prefix((numbers.lastIndex { $0 != .zero } ?? -1) + 1))
        self.prerelease = prerelease
    }

    /// How this one stands to `other`, and the first part that differs (V4).
    func compare(to other: VersionPrecedence) -> Comparison {
        if epoch != other.epoch { return epoch < other.epoch ? .lower(.epoch) : .higher(.epoch) }
        for place in 0..<max(numbers.count, other.numbers.count) {
            let left = place < numbers.count ? numbers[place] : .zero
            let right = place < other.numbers.count ? other.numbers[place] : .zero
            guard left != right else { continue }
            let significance: Significance = place == 0 ? .major : place == 1 ? .minor : .patch
            return left < right ? .lower(significance) : .higher(significance)
        }
        if prerelease == other.prerelease { return .equal }
        return Self.isPrerelease(prerelease, before: other.prerelease) ? .lower(.prerelease) : .higher(.prerelease)
    }

    /// Whether one pre-release comes before another; a release, which has none, comes last (V3).
    private static func isPrerelease(_ left: [Identifier], before right: [Identifier]) -> Bool {
        if left.isEmpty || right.isEmpty { return !left.isEmpty }
        return left.lexicographicallyPrecedes(right)
    }
}

extension VersionPrecedence.Identifier: Comparable {
    /// Numbers numerically and below words, words by their bytes (V3).
    static func < (left: Self, right: Self) -> Bool {
        switch (left, right) {
        case (.number(let left), .number(let right)): left < right
        case (.number, .word): true
        case (.word, .number): false
        case (.word(let left), .word(let right)): left.lexicographicallyPrecedes(right)
        }
    }
}

/// A decimal number of any length: its digits, without leading zeros (V1, V2).
struct VersionNumber: Hashable, Comparable, Sendable {
    /// ASCII digits; none for 0.
    private let digits: [UInt8]

    /// The number 0.
    static let zero = VersionNumber([])

    /// Takes ASCII digits, which the caller has checked.
    init(_ digits: some Sequence<UInt8>) {
        self.digits = Array(digits.drop { $0 == UInt8(ascii: "0") })
    }

    /// More digits are more; of equally many, the bytes decide.
    static func < (left: VersionNumber, right: VersionNumber) -> Bool {
        left.digits.count != right.digits.count
            ? left.digits.count < right.digits.count : left.digits.lexicographicallyPrecedes(right.digits)
    }
}
