import DBusTypes
import Support
import Testing

@testable import DefaultsModel

/// Random lives of one tour: calls from several windows, updates of the definition, deaths, clocks that jump.
@Suite struct TourPropertyTests {
    @Test("T1–T8: whatever happens to it, a tour is never out of range, moves by one, and ends once", arguments: 0..<100)
    func lives(_ seed: UInt64) throws {
        var life = TourLife(seed: seed)
        for _ in 0..<120 { try life.step() }
    }
}

private struct TourLife {
    private let desk = TourDesk()
    private var random: SeededGenerator
    private var definition = TourDesk.entries(["s0", "s1", "s2"])
    private var revision: UInt32 = 1
    /// The live run, and the step that it showed last.
    private var live: (run: UInt64, step: TourDesk.Step, steps: [String])?
    private var ended: [(run: UInt64, outcome: String)] = []
    private var finishedSignals: [UInt64: Int] = [:]
    private var highestRun: UInt64 = 0
    private var highestSeen: UInt32 = 0

    init(seed: UInt64) {
        random = SeededGenerator(seed: seed)
    }

    private mutating func number(_ range: Range<Int>) -> Int { Int.random(in: range, using: &random) }

    mutating func step() throws {
        switch number(0..<20) {
        case 0..<3: try define()
        case 3..<7: try start()
        case 7..<11: try next(isStale: false)
        case 11: try next(isStale: true)
        case 12: try back()
        case 13: try goTo()
        case 14: try unavailable()
        case 15: try finish()
        case 16, 17: try die()
        case 18: try touchEnded()
        default: wait()
        }
        try checkInvariants()
    }

    private mutating func define() throws {
        let ids = (0..<10).filter { _ in number(0..<2) == 0 }.shuffled(using: &random)
        guard !ids.isEmpty else { return }
        let raised = UInt32(number(0..<4))
        let new = revision + (raised == 3 ? 1 : 0)
        let modes = ["restart", "progressive", "resume"]
        let steps = ids.map {
            TourDesk.step("s\($0)", [("since_revision", .uint32(UInt32(number(0..<3))))])
        }
        let entries = DictionaryValue([
            ("steps", TourDesk.steps(steps)), ("revision", .uint32(new)),
            ("on_new_revision", .string(modes[number(0..<3)])),
            ("on_crash", .string(number(0..<2) == 0 ? "resume" : "restart")),
            ("max_attempts", .uint32(UInt32(number(0..<5)))), ("resume_window", .uint64(UInt64(number(0..<3)) * 5000)),
        ])
        try desk.define(entries)
        definition = entries
        revision = new
    }

    private mutating func start() throws {
        if try desk.listed().isEmpty { try desk.define(definition) }
        let replay = number(0..<6) == 0
        let start = try desk.start(by: number(1..<4), with: replay ? [("replay", .boolean(true))] : [])
        #expect(start.step.index < start.step.count)
        guard start.show else {
            #expect(["seen", "abandoned", "busy"].contains(start.reason))
            #expect(start.run == 0 && (live != nil || start.reason != "busy"))
            return
        }
        #expect(live == nil, "a second tour was shown beside run \(live?.run ?? 0)")
        #expect(start.run > highestRun)
        #expect(start.step.sequence == 1 && start.step.state == "presenting")
        highestRun = start.run
        let run = try desk.ledger.committedView.run(start.run)
        live = (start.run, start.step, try desk.ledger.committedView.tourRun(run).steps.map(\.id.text))
    }

    /// Takes what a call about the live run answered, and checks that it went on by one or not at all.
    private mutating func take(_ step: TourDesk.Step, _ place: String = #function) throws {
        guard let (run, old, steps) = live else { return }
        #expect(step.index < step.count && Int(step.count) == steps.count && steps[Int(step.index)] == step.id)
        if step.state == "presenting" {
            #expect(step.sequence == old.sequence + (step.hasChanged ? 1 : 0), "\(place)")
            #expect(step.hasChanged == (step.id != old.id))
            #expect(step.outcome.isEmpty)
            live?.step = step
        } else {
            #expect(step.hasChanged && !step.outcome.isEmpty)
            #expect(step.sequence == old.sequence)
            ended.append((run, step.outcome))
            live = nil
        }
    }

    private mutating func next(isStale: Bool) throws {
        guard let (run, step, steps) = live else { return }
        guard isStale else { return try take(desk.next(run, step)) }
        _ = desk.takeRows()
        let other = number(0..<2) == 0
        let answer =
            other
            ? try desk.next(run, step.id, step.sequence &+ (number(0..<2) == 0 ? 1 : .max))
            : try desk.next(run, steps[(Int(step.index) + 1) % steps.count], step.sequence)
        guard steps.count > 1 || other else { return try take(answer) }
        #expect(answer.isStale && !answer.hasChanged && answer.id == step.id && answer.sequence == step.sequence)
        #expect(desk.takeRows().isEmpty)
    }

    private mutating func back() throws {
        guard let (run, step, _) = live else { return }
        let answer = try desk.back(run)
        #expect(answer.index == (step.index == 0 ? 0 : step.index - 1))
        try take(answer)
    }

    private mutating func goTo() throws {
        guard let (run, step, steps) = live else { return }
        guard number(0..<4) > 0 else {
            #expect(error { _ = try desk.goTo(run, "nope") }?.code == .notFound)
            #expect(try desk.back(run).sequence <= step.sequence + 1)
            live?.step = try desk.goTo(run, desk.back(run).id)
            return
        }
        let aim = steps[number(0..<steps.count)]
        let answer = try desk.goTo(run, aim)
        #expect(answer.id == aim)
        try take(answer)
    }

    private mutating func unavailable() throws {
        guard let (run, step, _) = live else { return }
        try take(desk.unavailable(run, step.id))
    }

    private mutating func finish() throws {
        guard let (run, _, _) = live else { return }
        let outcome = ["completed", "skipped", "dismissed", "failed", "released"][number(0..<5)]
        let answer = try desk.finish(run, outcome)
        #expect(answer.outcome == outcome)
        try take(answer)
    }

    private mutating func die() throws {
        guard let (run, _, _) = live else { return }
        let end = [RunEnd.ownerLost, .ownerLost, .busLost, .policy, .superseded][number(0..<5)]
        try desk.end(run, because: end)
        ended.append((run, try desk.finish(run, "completed").outcome))
        live = nil
    }

    /// Calls about a run that has ended return how, and change nothing.
    private mutating func touchEnded() throws {
        guard let (run, outcome) = ended.last else { return }
        _ = desk.takeRows()
        for answer in [try desk.finish(run, "completed"), try desk.back(run), try desk.next(run, "s0", 1)] {
            #expect(answer.outcome == outcome && !answer.hasChanged)
        }
        try desk.end(run, because: .ownerLost)
        #expect(desk.takeRows().isEmpty)
    }

    private mutating func wait() {
        // Less than the ten minutes after which a silent run loses the stage.
        let milliseconds = Int64(number(0..<8000))
        desk.now = desk.now.after(milliseconds: milliseconds)
        if number(0..<3) == 0 { desk.now.wall += Int64(number(-20_000..<20_000)) * 1000 }
        if let live { desk.activity.note(live.run, at: desk.now) }
    }

    private mutating func checkInvariants() throws {
        #expect(desk.liveRuns.map(\.id) == (live.map { [$0.run] } ?? []))
        for signal in desk.signals {
            guard case .finished = signal.event else { continue }
            finishedSignals[signal.run, default: 0] += 1
        }
        _ = desk.takeSignals()
        #expect(finishedSignals.allSatisfy { $0.value == 1 })
        #expect(Set(finishedSignals.keys) == Set(ended.map(\.run)))
        let progress = try desk.progress()
        #expect(progress.seenRevision >= highestSeen && progress.seenRevision <= revision)
        #expect(TourProgress(stored: progress.stored) == progress)
        highestSeen = progress.seenRevision
    }
}
