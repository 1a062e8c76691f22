import DBusTypes
import LibDBus
import Support

/// One of several that write at once: each has a connection and a domain of its own, and a sum that all add to.
final class Writer {
    /// The domain whose key `sum` all writers add to.
    static let shared = "org.example.Shared"

    let domain: String
    var ledger = DomainLedger()
    /// How many additions to the shared sum were answered, and how many were sent.
    private(set) var added = (answered: 0, sent: 0)
    /// The answers that neither a crash nor success explains.
    private(set) var refusals: [String] = []
    private(set) var answered = 0
    private let client: StoreClient
    private var random: SeededGenerator
    private var number: Int64 = 0
    private var additions = 0

    /// More than one call is under way, so that commits are of several.
    private static let window = 6

    init(_ index: Int, on bus: PrivateBus, seed: UInt64) throws {
        domain = "org.example.Writer\(index)"
        client = try StoreClient(bus)
        random = SeededGenerator(seed: seed)
    }

    /// Lets the writers write until `deadline`.
    static func run(_ writers: [Writer], until deadline: ContinuousClock.Instant) {
        while ContinuousClock.now < deadline {
            for writer in writers {
                while writer.pending < Self.window { writer.send() }
                writer.client.loop.iterate(deadline: .now)
            }
            // The first answer is waited for at the first connection only, and not for long.
            writers[0].client.loop.iterate(deadline: min(deadline, .now + .microseconds(200)))
        }
    }

    /// Takes in what has been answered, without sending more, until nothing is under way or the deadline.
    static func drain(_ writers: [Writer], until deadline: Deadline) throws {
        while writers.contains(where: { $0.pending > 0 }) {
            guard !deadline.isPast else { throw TestFailure("calls were not answered \(deadline)") }
            for writer in writers { writer.client.loop.iterate(deadline: .now + .milliseconds(1)) }
        }
    }

    /// Takes in what lies in the sockets.
    static func takeIn(_ writers: [Writer]) {
        for _ in 0..<3 { for writer in writers { writer.client.loop.iterate(deadline: .now) } }
    }

    private var pending: Int { underWay + additions }
    private var underWay = 0

    private func send() {
        if Int.random(in: 0..<8, using: &random) == 0 { return add() }
        let write = next()
        ledger.sent(write)
        underWay += 1
        let (member, arguments) = write.call(domain)
        client.send(member, arguments) { [self] result in
            underWay -= 1
            switch result {
            case .success:
                answered += 1
                ledger.succeeded()
            case .failure(let error):
                if Self.isCut(error) { break }
                ledger.refused()
                refusals.append("\(error)")
            }
        }
    }

    private func add() {
        added.sent += 1
        additions += 1
        let (member, arguments) = Write.increment("sum").call(Self.shared)
        client.send(member, arguments) { [self] result in
            additions -= 1
            switch result {
            case .success:
                answered += 1
                added.answered += 1
            case .failure(let error): if !Self.isCut(error) { refusals.append("\(error)") }
            }
        }
    }

    /// Says that so many additions of all writers were found in the store.
    func settleAdditions() { added = (0, 0) }

    /// Whether an answer is none: the daemon is gone, or not there yet.
    static func isCut(_ error: DBusError) -> Bool {
        error.name == .noReply || error.name.text.hasSuffix(".ServiceUnknown") || error.name.text.hasSuffix(".NameHasNoOwner")
    }

    private func next() -> Write {
        number += 1
        let key = "key\(Int.random(in: 0..<6, using: &random))"
        switch Int.random(in: 0..<6, using: &random) {
        case 0: return .apply([("a", .int64(number)), ("b", .int64(number)), (key, value())], reset: ["c"])
        case 1: return .apply([("a", .int64(number)), ("b", .int64(number)), ("c", .int64(number))], reset: [key])
        case 2: return .increment("sum")
        case 3: return .reset(key)
        default: return .set(key, value())
        }
    }

    /// No two are alike.
    private func value() -> Value {
        let bytes = (0..<Int.random(in: 0..<400, using: &random)).map { _ in UInt8.random(in: 0...255, using: &random) }
        return .structure([.int64(number), .bytes(bytes)])
    }
}
