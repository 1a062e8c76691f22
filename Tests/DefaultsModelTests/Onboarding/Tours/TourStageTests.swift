import DBusTypes
import Testing

@testable import DefaultsModel

@Suite struct TourStageTests {
    private func policy(_ mode: OnboardingPolicy.Mode, statistics: Bool? = nil) -> FileLayers {
        FileLayers(policy: OnboardingPolicy(machine: OnboardingPolicy.Entries(onboarding: mode, statistics: statistics)))
    }

    @Test("S1, scenario 26: two applications' tours: one is shown, the other when the holder has died")
    func twoApps() throws {
        let desk = TourDesk()
        try desk.define(["a"])
        try desk.define(["x"], of: TourDesk.other)
        let start = try desk.start()
        let busy = try desk.start(of: TourDesk.other, by: 2)
        #expect(!busy.show && busy.reason == "busy" && busy.run == 0)
        #expect(busy.step.id == "x" && busy.step.state == "new" && busy.step.sequence == 0)
        try desk.end(start.run, because: .ownerLost)
        #expect(try desk.start(of: TourDesk.other, by: 2).show)
        #expect(try desk.start().reason == "busy")
    }

    @Test("S1: the tour that is presented is busy, also for who presents it")
    func twice() throws {
        let desk = TourDesk()
        try desk.define(["a"])
        let start = try desk.start()
        _ = desk.takeRows()
        #expect(try desk.start().reason == "busy")
        #expect(try desk.start(by: 2).step.state == "presenting")
        #expect(desk.takeRows().isEmpty)
        #expect(desk.liveRuns.map(\.id) == [start.run])
    }

    @Test("S1: a run that is silent for ten minutes keeps its step; the next Start takes over there, at no cost")
    func silent() throws {
        let desk = TourDesk()
        try desk.define(["a", "b", "c"])
        let old = try desk.start()
        _ = try desk.next(old.run, old.step)
        desk.now = desk.now.after(milliseconds: 10 * 60 * 1000 - 1)
        #expect(try desk.start(by: 2).reason == "busy")
        desk.now = desk.now.after(milliseconds: 1)
        let new = try desk.start(by: 2)
        #expect(new.show && new.step.id == "b")
        #expect(desk.takeSignals() == ["step b 1/3 #2", "finished released [a b]"])
        #expect(try desk.next(old.run, "b", 2).state == "released")
        #expect(desk.liveRuns.map(\.id) == [new.run])
        #expect(try desk.listed()["attempts"] == .uint32(1))
    }

    @Test("S1: a silent run whose steps are gone by now is over, and the tour counts as completed")
    func silentAndGone() throws {
        let desk = TourDesk()
        try desk.define(["a", "b"])
        let old = try desk.start()
        _ = try desk.next(old.run, old.step)
        try desk.define(["a"])
        desk.now = desk.now.after(milliseconds: 10 * 60 * 1000)
        let gone = try desk.start(by: 2)
        #expect(!gone.show && gone.reason == "seen")
    }

    @Test("S2: an inhibitor holds a tour back, a permanent reason comes first")
    func inhibited() throws {
        let desk = TourDesk()
        try desk.define(["a"])
        try desk.perform { view throws(ModelError) in try view.inhibiting(by: TourDesk.connection(9), reason: "a film") }
        #expect(try desk.start().reason == "inhibited")
        #expect(try desk.start(with: [("replay", .boolean(true))]).reason == "inhibited")
        try desk.take(policy(.deny))
        #expect(try desk.start().reason == "policy")
    }

    @Test("S3, scenario 28: deny shows nothing and writes nothing; lifted, the tour is due")
    func deny() throws {
        let desk = TourDesk()
        try desk.define(["a"])
        try desk.take(policy(.deny))
        _ = desk.takeRows()
        let denied = try desk.start()
        #expect(!denied.show && denied.reason == "policy")
        #expect(try desk.start(with: [("replay", .boolean(true))]).reason == "policy")
        #expect(desk.takeRows().isEmpty)
        try desk.take(policy(.allow))
        #expect(try desk.start().show)
    }

    @Test("S3: baseline counts as seen, written when the wish comes, for the revision that it was")
    func baseline() throws {
        let desk = TourDesk()
        try desk.define(["a"])
        try desk.take(policy(.baseline))
        #expect(try desk.start(with: [("replay", .boolean(true))]).reason == "policy")
        #expect(try desk.listed()["state"] == .string("new"))
        #expect(try desk.start().reason == "policy")
        let listed = try desk.listed()
        #expect(listed["state"] == .string("finished") && listed["outcome"] == .string("policy"))
        try desk.define(["b"], as: "other")
        #expect(try desk.listed("other")["outcome"] == .string("policy"))
        try desk.take(policy(.allow))
        #expect(try desk.start().reason == "seen")
        #expect(try desk.start("other").reason == "seen")
        try desk.define(["b"], as: "other", [("revision", .uint32(2))])
        #expect(try desk.start("other").show)
    }

    @Test("S3: a policy turned to deny ends a live run as released, at no cost")
    func policyEnds() throws {
        let desk = TourDesk()
        try desk.define(["a", "b"])
        let start = try desk.start()
        _ = try desk.next(start.run, start.step)
        try desk.take(policy(.deny))
        #expect(desk.takeSignals().last == "finished released [a b]")
        #expect(try desk.listed()["state"] == .string("released"))
        try desk.take(policy(.allow))
        #expect(try desk.start().step.id == "b")
    }

    @Test("S4: Explain names every gate, passed or not, with the data used")
    func explain() throws {
        let desk = TourDesk()
        try desk.define(["a"])
        func gates() throws -> [GateCheck] {
            try desk.ledger.committedView.tourGates(
                TourDesk.app, TourDesk.id("intro"),
                Presenting(now: desk.now, caller: TourDesk.connection(1), activity: desk.activity), explaining: true
            ).checks
        }
        #expect(try gates().map(\.gate) == [.policy, .seen, .abandoned, .inhibited, .busy])
        #expect(try gates().allSatisfy(\.isPassed))
        let run = try desk.start().run
        #expect(try gates().filter { !$0.isPassed }.map(\.gate) == [.busy])
        _ = try desk.finish(run, "dismissed")
        let seen = try #require(try gates().first { !$0.isPassed })
        #expect(seen.gate == .seen && seen.why.contains("dismissed"))
        for check in try gates() { #expect(!check.why.isEmpty) }
    }

    @Test("G9, scenario 29: a replay of a finished tour, aborted, leaves its record as it was")
    func replay() throws {
        let desk = TourDesk()
        try desk.define(["a", "b"])
        _ = try desk.finish(try desk.start().run, "completed")
        let record = desk.ledger.committedView.onboarding(TourDesk.app, OnboardingID(.tour, "intro"))
        for end in [RunEnd.ownerLost, .busLost, .policy] {
            let replay = try desk.start(with: [("replay", .boolean(true))])
            #expect(replay.show && replay.step.id == "a")
            _ = try desk.next(replay.run, replay.step)
            try desk.end(replay.run, because: end)
        }
        let replay = try desk.start(with: [("replay", .boolean(true))])
        #expect(try desk.finish(replay.run, "failed").outcome == "failed")
        #expect(desk.ledger.committedView.onboarding(TourDesk.app, OnboardingID(.tour, "intro")) == record)
        #expect(try desk.start().reason == "seen")
    }

    @Test("Statistics count what was shown, each outcome and the furthest step")
    func statistics() throws {
        let desk = TourDesk()
        try desk.define(["a", "b", "c"])
        try desk.end(try desk.start().run, because: .ownerLost)
        let run = try desk.start().run
        _ = try desk.goTo(run, "c")
        _ = try desk.back(run)
        _ = try desk.finish(run, "dismissed")
        let counted = desk.ledger.committedView.tourStatistics(TourDesk.app)
        #expect(
            counted.dictionary?["intro"]
                == .vardict([
                    ("shown", .uint64(2)), ("released", .uint64(1)), ("dismissed", .uint64(1)), ("furthest", .uint32(2)),
                ]))
    }

    @Test("No statistics where the policy says so")
    func noStatistics() throws {
        let desk = TourDesk()
        try desk.take(policy(.allow, statistics: false))
        try desk.define(["a", "b"])
        let start = try desk.start()
        _ = try desk.next(start.run, start.step)
        _ = try desk.finish(start.run, "completed")
        #expect(desk.ledger.committedView.tourStatistics(TourDesk.app) == .vardict([]))
        #expect(try desk.listed()["furthest"] == .uint32(1))
    }

    @Test("Options that nobody knows are refused")
    func options() throws {
        let desk = TourDesk()
        try desk.define(["a"])
        for option: (String, Value) in [
            ("again", .boolean(true)), ("replay", .string("yes")), ("on_owner_lost", .string("drop")),
            ("countdown_token", .string("x")),
        ] {
            #expect(error { _ = try desk.start(with: [option]) }?.code == .invalidArgument, "\(option.0)")
        }
        let kept = try desk.start(with: [("on_owner_lost", .string("keep"))])
        #expect(desk.liveRuns.first { $0.id == kept.run }?.outlivesOwner == true)
    }

    @Test("While a tour is presented its list shows no outcome, not that of the run before")
    func listedOutcome() throws {
        let desk = TourDesk()
        try desk.define(["a", "b"])
        _ = try desk.finish(try desk.start().run, "released")
        #expect(try desk.listed()["outcome"] == .string("released"))
        let run = try desk.start().run
        #expect(try desk.listed()["state"] == .string("presenting"))
        #expect(try desk.listed()["outcome"] == .string(""))
        _ = try desk.finish(run, "completed")
        #expect(try desk.listed()["outcome"] == .string("completed"))
    }
}
