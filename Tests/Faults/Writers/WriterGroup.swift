import DBusTypes
import Support

/// Four writers, and what a store must hold by what they were answered.
final class WriterGroup {
    private let writers: [Writer]
    /// What was added to the shared sum before the last check.
    private var sum: Int64 = 0

    init(on bus: PrivateBus, random: inout SeededGenerator) throws {
        var writers: [Writer] = []
        for index in 0..<4 { writers.append(try Writer(index, on: bus, seed: random.next())) }
        self.writers = writers
    }

    /// How many writes were answered.
    var answered: Int { writers.reduce(0) { $0 + $1.answered } }

    /// Writes for so long.
    func write(for duration: Duration) { Writer.run(writers, until: .now + duration) }

    /// Waits for what is under way; a daemon that has ended cuts it off.
    func drain() throws { try Writer.drain(writers, until: .inTenSeconds) }

    /// Takes in the answers that have come.
    func takeIn() { Writer.takeIn(writers) }

    /// What a store must hold now.
    func expectation() -> Expectation {
        Expectation(
            ledgers: writers.map { ($0.domain, $0.ledger) }, sum: sum + Int64(writers.reduce(0) { $0 + $1.added.answered }),
            mostSum: sum + Int64(writers.reduce(0) { $0 + $1.added.sent }))
    }

    /// Goes on from what a check has found.
    func settle(_ found: Expectation.Found) {
        for (writer, values) in zip(writers, found.values) {
            _ = writer.ledger.settle(values)
            writer.settleAdditions()
        }
        sum = found.sum
    }

    /// Notes writes that were refused although nothing forbade them.
    func checkRefusals(_ trial: Trial) {
        for writer in writers {
            for refusal in writer.refusals.prefix(1) { trial.lose("a write was refused: \(refusal)") }
        }
    }
}

/// What a store must hold at one moment.
struct Expectation {
    var ledgers: [(domain: String, ledger: DomainLedger)]
    var sum: Int64
    var mostSum: Int64

    /// What a store holds.
    struct Found {
        var values: [[String: Value]] = []
        var sum: Int64 = 0
    }

    /// Reads a store and notes what is not as it must be.
    func check(_ client: StoreClient, _ trial: Trial, _ occasion: @autoclosure () -> String) throws -> Found {
        var found = Found()
        for (domain, ledger) in ledgers {
            let values = try client.values(domain)
            var copy = ledger
            trial.check(copy.settle(values), "\(occasion()): \(domain) is \(ledger.difference(values))")
            found.values.append(values)
        }
        found.sum = try client.values(Writer.shared)["sum"]?.get(as: Int64.self) ?? 0
        trial.check(
            sum...mostSum ~= found.sum, "\(occasion()): the shared sum is \(found.sum), not in \(sum)...\(mostSum)")
        let state = try client.state()
        trial.check(state == "healthy", "\(occasion()): the store is \(state)")
        return found
    }
}
