import DBusTypes
import Support
import Testing

@testable import DefaultsModel

/// Guides of one application under random calls, deaths, updates, policies and restarts, against what must hold whatever happens.
@Suite("Guides: what holds whatever happens")
struct GuidePropertyTests {
    private static let guides = ["a", "b", "new"]
    private static let versions = ["1.0", "1.1", "1.1.1", "2.0", "2.1-beta", "0.9"]

    /// What a test remembers beside the desk.
    private struct Memory {
        /// The revision of each guide that the user has ended.
        var ended: [String: UInt64] = [:]
        /// The revision that each guide has.
        var revisions: [String: UInt32] = [:]
        /// The runs that were begun: their guide, and whether they are replays.
        var runs: [UInt64: (guide: String, isReplay: Bool)] = [:]
        /// How often each was told to have ended.
        var ends: [UInt64: Int] = [:]
    }

    @Test("G1, G2, G3, G8, G9, S1: 20 lives of 100 steps each")
    func lives() throws {
        var generator = SeededGenerator(announcing: "guides")
        for _ in 0..<20 {
            let desk = GuideDesk()
            var memory = Memory()
            for guide in Self.guides { try define(guide, revision: 1, desk, &memory) }
            try desk.launch("1.0")
            for _ in 0..<100 {
                try step(desk, &memory, &generator)
                try check(desk, memory)
            }
        }
    }

    private func step(_ desk: GuideDesk, _ memory: inout Memory, _ generator: inout SeededGenerator) throws {
        let guide = Self.guides.randomElement(using: &generator) ?? "a"
        let run = memory.runs.keys.sorted().suffix(3).randomElement(using: &generator)
        switch Int.random(in: 0..<20, using: &generator) {
        case 0..<6:
            let options = GuideOptions(isReplay: Int.random(in: 0..<4, using: &generator) == 0)
            let caller = Int.random(in: 1...3, using: &generator)
            let presented = try desk.present(guide, options, by: caller)
            guard presented.show else { break }
            memory.runs[presented.run] = (guide, options.isReplay)
            if !options.isReplay {
                #expect(memory.ended[guide] ?? 0 < UInt64(memory.revisions[guide] ?? 1), "shown again after it was ended")
                #expect(presented.guide.number("attempts") ?? 9 <= 3)
            }
        case 6..<10:
            guard let run else { break }
            let guide = try? desk.advance(run, by: Int32.random(in: -2...2, using: &generator))
            if let guide { #expect(guide.number("page") ?? 9 < guide.number("count") ?? 0) }
        case 10..<12:
            let outcomes = [GuideOutcome.completed, .skipped, .dismissed, .failed, .released]
            guard let run, let outcome = outcomes.randomElement(using: &generator) else { break }
            _ = try? desk.finish(run, outcome)
        case 12..<15:
            let ends = [RunEnd.ownerLost, .busLost, .countdown(.skipped), .countdown(.elapsed), .countdown(.cancelled)]
            guard let run, let end = ends.randomElement(using: &generator), desk.view.liveRuns.contains(where: { $0.id == run })
            else { break }
            try desk.end(run, because: end)
        case 15: try desk.launch(Self.versions.randomElement(using: &generator) ?? "1.0")
        case 16: try define(guide, revision: (memory.revisions[guide] ?? 1) + 1, desk, &memory)
        case 17: desk.restart()
        case 18: desk.now = desk.now.after(milliseconds: 400_000)
        default:
            let mode = [OnboardingPolicy.Mode.deny, .allow].randomElement(using: &generator)
            try desk.take(FileLayers(policy: OnboardingPolicy(machine: .init(onboarding: mode))))
            note(desk, &memory)
            try desk.take(FileLayers())
        }
        note(desk, &memory)
    }

    private func define(_ guide: String, revision: UInt32, _ desk: GuideDesk, _ memory: inout Memory) throws {
        var entries: [(String, Value)] = [("revision", .uint32(revision))]
        if guide == "new" { entries += [("kind", .string("whatsnew")), ("since_version", .string("1.1"))] }
        if guide == "b" { entries.append(("completion", .string("button"))) }
        try desk.define(guide, entries)
        memory.revisions[guide] = revision
    }

    /// Takes note of the ends that were announced.
    private func note(_ desk: GuideDesk, _ memory: inout Memory) {
        for case .presentation(let signal) in desk.announcements {
            guard case .finished(let word, _) = signal.event, let run = memory.runs[signal.run] else { continue }
            memory.ends[signal.run, default: 0] += 1
            guard !run.isReplay, GuideOutcome(rawValue: word)?.isSeen == true else { continue }
            let revision = (try? desk.view.run(signal.run))?.revision ?? 0
            memory.ended[run.guide] = max(memory.ended[run.guide] ?? 0, UInt64(revision))
        }
        desk.forgetAnnouncements()
    }

    private func check(_ desk: GuideDesk, _ memory: Memory) throws {
        let live = desk.view.liveRuns
        #expect(Set(live.map(\.item)).count == live.count, "a guide is presented twice")
        #expect(live.filter { desk.activity.holdsStage($0, at: desk.now) }.count <= Self.guides.count)
        for run in memory.runs.keys {
            let isLive = live.contains { $0.id == run }
            #expect(memory.ends[run] ?? 0 == (isLive ? 0 : 1), "run \(run) ended \(memory.ends[run] ?? 0) times")
        }
        let pending = try desk.pending()
        for guide in Self.guides {
            let closed = try desk.explain(guide).checks.filter { !$0.isPassed }.map(\.gate)
            let isDue = closed.allSatisfy { $0 == .busy || $0 == .inhibited }
            #expect(pending.contains(guide) == isDue, "\(guide): \(closed)")
        }
    }
}
