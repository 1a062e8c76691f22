import DBusTypes
import Support
import Testing

@testable import DefaultsModel

@Suite("The board against a naive one")
struct CountdownOracleTests {
    /// The board and the naive countdowns, given the same calls.
    private struct Pair {
        var board = CountdownBoard(
            bootID: "boot", busGUID: "bus", limits: CountdownLimits(perConnection: 4, perUser: .max, total: .max))
        let naive = NaiveCountdowns(perConnection: 4)
        var random: SeededGenerator
        var refusals = 0

        init(seed: UInt64) { random = SeededGenerator(seed: seed) }

        var now: Instant {
            Instant(
                boottime: Instant.start.boottime + Int64(naive.boottime) * 1_000_000,
                monotonic: Instant.start.monotonic + Int64(naive.monotonic) * 1_000_000, wall: 0)
        }

        mutating func pick(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &random) }

        static func owner(_ number: Int) -> CountdownOwner {
            CountdownOwner(name: BusName(":1.\(number)") ?? ":1.0", user: UInt32(number % 2))
        }

        mutating func spec() -> CountdownSpec {
            CountdownSpec(duration: UInt64([0, pick(1...400), pick(1...3_000)][pick(0...2)]), tick: UInt64(pick(50...400))) {
                spec in
                spec.start = pick(0...2) == 0 ? .whenReady : .now
                spec.skippableAfter = UInt64(pick(0...1) * pick(0...1_500))
                spec.onSuspend = pick(0...1) == 0 ? .continue : .pause
                spec.onOwnerLost = pick(0...2) == 0 ? .continue : .cancel
                spec.replace = pick(0...2) == 0
            }
        }

        /// Compares one call's outcome on both sides.
        mutating func compare(
            _ what: String, _ ours: () throws -> CountdownReply,
            _ theirs: () throws -> (before: [CountdownEvent], after: [CountdownEvent])
        ) {
            let left = Result { try ours() }
            let right = Result { try theirs() }
            switch (left, right) {
            case (.success(let reply), .success(let expected)):
                #expect(reply.beforeReply.map(\.event) == expected.before, "\(what)")
                #expect(reply.afterReply.map(\.event) == expected.after, "\(what)")
            case (.failure(let error as ModelError), .failure(let refusal)):
                refusals += 1
                #expect(error.code.rawValue.lowercased() == "\(refusal)".lowercased(), "\(what)")
            default:
                Issue.record("\(what): \(left) is not \(right)")
            }
        }

        mutating func step() {
            let owner = pick(0...4)
            let token = "t\(pick(0...5))"
            let key = "1_\(owner)/\(token)"
            switch pick(0...19) {
            case 0...4:
                let spec = spec()
                let scale = [1, 1, 1, 0, 3][pick(0...4)]
                let (at, naive) = (now, naive)
                var board = board
                compare("start \(key) \(spec)") {
                    try board.start(
                        token: token, spec: spec, scale: CountdownScale(.int32(Int32(scale))), owner: Self.owner(owner), at: at)
                } _: {
                    try naive.start(key, owner: owner, spec: spec, scale: scale)
                }
                self.board = board
            case 5...11:
                let name = ["ready", "pause", "resume", "extend", "skip", "cancel", "ready"][pick(0...6)]
                let by = [0, pick(1...900), Int(CountdownSpec.maximumDuration) + 1][pick(0...2)]
                act(name, key: key, by: by)
            case 12:
                let lost = board.ownerLost(Self.owner(owner).name, at: now)
                #expect(Dictionary(grouping: lost, by: \.id.recordKey).mapValues { $0.map(\.event) } == naive.ownerLost(owner))
            default:
                let milliseconds = [pick(0...5), pick(0...300), pick(0...1_500)][pick(0...2)]
                naive.boottime += milliseconds
                if pick(0...4) > 0 { naive.monotonic += milliseconds }
                if pick(0...3) > 0 { advance() }
            }
        }

        mutating func act(_ name: String, key: String, by: Int) {
            guard let id = CountdownID(recordKey: key) else { return }
            let (at, naive) = (now, naive)
            var board = board
            compare("\(name) \(key)") {
                switch name {
                case "ready": try board.ready(id, at: at)
                case "pause": try board.pause(id, at: at)
                case "resume": try board.resume(id, at: at)
                case "extend": try board.extend(id, by: UInt64(by), at: at)
                case "skip": try board.skip(id, at: at)
                default: try board.cancel(id, at: at)
                }
            } _: {
                try naive.act(name, key, by: by)
            }
            self.board = board
        }

        mutating func advance() {
            let sent = Dictionary(grouping: board.advance(to: now), by: \.id.recordKey).mapValues { $0.map(\.event) }
            var expected: [String: [CountdownEvent]] = [:]
            for entry in naive.live {
                let events = naive.due(entry)
                if !events.isEmpty { expected[entry.key] = events }
            }
            #expect(sent == expected)
        }

        /// Compares what both sides would answer, and when they want to wake up.
        func compareStates() {
            var seen = 0
            for user in 0...1 as ClosedRange<UInt32> {
                for (id, state) in board.list(user: user, at: now) {
                    seen += 1
                    guard let entry = naive.live.first(where: { $0.key == id.recordKey }) else {
                        Issue.record("\(id) lives on the board only")
                        continue
                    }
                    #expect(state.remaining == UInt64(naive.left(entry)))
                    #expect(state.remainingTicks == UInt32(NaiveCountdowns.Entry.count(naive.left(entry), Int(entry.spec.tick))))
                    #expect(state.duration == UInt64(entry.duration))
                    #expect(state.isSkippable == naive.isSkippable(entry))
                    #expect(state.phase.rawValue == "\(entry.phase)")
                }
            }
            #expect(seen == naive.live.count && board.liveCount == seen)
            let next = board.nextDeadline
            #expect(next.boottime == naive.next(.continue).map { Instant.start.boottime + Int64($0) * 1_000_000 })
            #expect(next.monotonic == naive.next(.pause).map { Instant.start.monotonic + Int64($0) * 1_000_000 })
        }
    }

    @Test("10,000 random calls and waits give what the rules give, event by event", arguments: 1...5)
    func random(seed: Int) {
        var pair = Pair(seed: UInt64(seed))
        for _ in 0..<2_000 {
            pair.step()
            pair.compareStates()
        }
        #expect(pair.refusals > 100)
    }
}
