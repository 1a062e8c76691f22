import Glibc
import Support

/// One kind of fault at work: how often it struck, and what was lost by it.
final class Trial {
    /// Whether few faults are to do, so that the whole run takes less than a minute.
    let isShort: Bool
    /// What decides where and when faults strike: the same seed gives the same choices.
    var random: SeededGenerator
    /// How many faults have struck.
    private(set) var tried = 0
    /// What was lost, a sentence each.
    private(set) var losses: [String] = []
    /// Figures worth reading beside the counts.
    private(set) var notes: [String] = []

    /// After so many losses a kind stops: more of the same tell nothing new.
    private static let enough = 20

    private let part: (number: Int, count: Int)

    init(isShort: Bool, seed: UInt64, part: (number: Int, count: Int)) {
        self.isShort = isShort
        self.part = part
        random = SeededGenerator(seed: seed)
    }

    /// How many faults to do.
    func count(short: Int, long: Int) -> Int { isShort ? short : long }

    /// Counts a fault that has struck.
    func strike() {
        tried += 1
        if tried % 1_000 == 0 { say("  \(tried) faults, \(losses.count) lost") }
    }

    /// Notes a loss unless `condition` holds.
    func check(_ condition: Bool, _ loss: @autoclosure () -> String) {
        if !condition { lose(loss()) }
    }

    /// Notes a loss.
    func lose(_ loss: String) {
        losses.append(loss)
        say("  LOST: \(loss)")
    }

    /// Whether going on is worth while.
    var isWorthwhile: Bool { losses.count < Self.enough }

    /// Adds a figure.
    func note(_ text: String) { notes.append(text) }

    /// Whether this run does all that there is to do: of a part, nothing may strike.
    var isWhole: Bool { part.count == 1 }

    /// What of many things this run is to do.
    func part<Element>(of elements: [Element]) -> [Element] {
        elements.enumerated().filter { $0.offset % part.count == part.number - 1 }.map(\.element)
    }

    /// A few of many, chosen at random and in their order.
    func sample<Element>(_ elements: [Element], _ count: Int) -> [Element] {
        guard count < elements.count else { return elements }
        return elements.indices.shuffled(using: &random).prefix(count).sorted().map { elements[$0] }
    }
}

/// Writes a line to standard output at once, also where that is a file.
func say(_ line: String) {
    print(line)
    fflush(nil)
}
