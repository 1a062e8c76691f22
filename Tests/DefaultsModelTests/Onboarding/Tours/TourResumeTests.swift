import DBusTypes
import Testing

@testable import DefaultsModel

@Suite struct TourResumeTests {
    private let five = ["s1", "s2", "s3", "s4", "s5"]
    private static let day: Int64 = 24 * 60 * 60 * 1000

    /// A desk whose tour was left at a step, `wait` milliseconds ago.
    private func left(
        _ ids: [String], at step: String, because end: RunEnd = .ownerLost, _ more: [(String, Value)] = [], wait: Int64 = 0
    ) throws -> TourDesk {
        let desk = TourDesk()
        try desk.define(ids, more)
        let run = try desk.start().run
        _ = try desk.goTo(run, step)
        try desk.end(run, because: end)
        desk.now = desk.now.after(milliseconds: wait)
        return desk
    }

    @Test("T7: the owner dies, the tour is suspended and goes on at its step with another run")
    func resumed() throws {
        let desk = try left(five, at: "s3")
        #expect(desk.takeSignals().last == "finished released [s1 s3]")
        let listed = try desk.listed()
        #expect(listed["state"] == .string("suspended") && listed["outcome"] == .string("released"))
        let start = try desk.start()
        #expect(start.show && start.step.id == "s3" && start.step.index == 2 && start.step.sequence == 1)
        #expect(try desk.listed()["attempts"] == .uint32(2))
        _ = try desk.finish(start.run, "completed")
        #expect(desk.takeSignals().last == "finished completed [s1 s3]")
    }

    @Test("T1, scenario 23: the step is gone: the first surviving one after its old place, by old order")
    func removedStep() throws {
        let desk = try left(five, at: "s3")
        try desk.define(["s1", "s2", "s4", "s5", "s6"])
        let start = try desk.start()
        #expect(start.step.id == "s4" && start.step.index == 2 && start.step.count == 5)
    }

    @Test("T1: steps may be moved and several may go")
    func movedSteps() throws {
        let desk = try left(five, at: "s2")
        try desk.define(["s5", "s4", "s1", "s2"])
        #expect(try desk.start().step.index == 3)
        let other = try left(five, at: "s2")
        try other.define(["s5", "s1"])
        #expect(try other.start().step.id == "s5")
    }

    @Test("T1: nothing that came after it is left: the tour counts as completed")
    func nothingLeft() throws {
        let desk = try left(five, at: "s4")
        try desk.define(["s1", "s2", "s3"])
        #expect(try desk.listed()["state"] == .string("finished"))
        let start = try desk.start()
        #expect(!start.show && start.reason == "seen" && start.run == 0 && start.step.state == "finished")
        #expect(start.step.outcome == "completed")
        #expect(try desk.progress().seenRevision == 1)
        // It stays so, also when the step comes back.
        try desk.define(five)
        #expect(try desk.start().reason == "seen")
    }

    @Test("T1: a live run keeps the steps that it began with")
    func liveRun() throws {
        let desk = TourDesk()
        try desk.define(five)
        let run = try desk.start().run
        _ = try desk.goTo(run, "s2")
        try desk.define(["s1", "s4"])
        #expect(try desk.next(run, "s2", 2).id == "s3")
        try desk.end(run, because: .ownerLost)
        #expect(try desk.start().step.id == "s4")
    }

    @Test("T1: a tour that is on the screen is busy, although its step and all after it are gone from the definition")
    func goneWhilePresented() throws {
        let desk = TourDesk()
        try desk.define(five)
        let run = try desk.start().run
        _ = try desk.goTo(run, "s4")
        try desk.define(["s1", "s2"])
        #expect(try desk.start(by: 2).reason == "busy")
        #expect(try desk.listed()["state"] == .string("presenting"))
        #expect(try desk.progress().seenRevision == 0)
        _ = try desk.finish(run, "released")
        #expect(try desk.start().reason == "seen")
    }

    @Test("T7: after the resume window the tour begins again, in it and at its very end it goes on")
    func window() throws {
        #expect(try left(five, at: "s3", wait: 7 * Self.day).start().step.id == "s3")
        #expect(try left(five, at: "s3", wait: 7 * Self.day + 1).start().step.id == "s1")
        let short: [(String, Value)] = [("resume_window", .uint64(1000))]
        #expect(try left(five, at: "s3", short, wait: 1000).start().step.id == "s3")
        #expect(try left(five, at: "s3", short, wait: 1001).start().step.id == "s1")
        let endless: [(String, Value)] = [("resume_window", .uint64(0))]
        #expect(try left(five, at: "s3", endless, wait: 4000 * Self.day).start().step.id == "s3")
    }

    @Test("T7: a moment in the future counts as now")
    func future() throws {
        let desk = try left(five, at: "s3", [("resume_window", .uint64(1000))])
        desk.now.wall -= 3_600_000_000
        #expect(try desk.start().step.id == "s3")
    }

    @Test("T7: on_crash restart begins again after a death, not after a logout or a release")
    func restart() throws {
        let restart: [(String, Value)] = [("on_crash", .string("restart"))]
        #expect(try left(five, at: "s3", restart).start().step.id == "s1")
        #expect(try left(five, at: "s3", because: .busLost, restart).start().step.id == "s3")
        #expect(try left(five, at: "s3", because: .policy, restart).start().step.id == "s3")
    }

    @Test("T7, G2: after three deaths it is abandoned, and a raised revision is due again")
    func abandoned() throws {
        let desk = TourDesk()
        try desk.define(five)
        for attempt in 1...3 {
            let start = try desk.start()
            #expect(start.show)
            // Whoever asks while it is shown is told to try again, also at the last attempt.
            #expect(try desk.start(by: 2).reason == "busy")
            try desk.end(start.run, because: .ownerLost)
            let end = try desk.finish(start.run, "completed")
            #expect(end.outcome == (attempt < 3 ? "released" : "abandoned"))
            #expect(end.state == (attempt < 3 ? "suspended" : "finished"))
            #expect(desk.takeSignals() == ["finished \(attempt < 3 ? "released" : "abandoned") [s1]"])
        }
        #expect(try desk.start().reason == "abandoned")
        #expect(try desk.listed()["outcome"] == .string("abandoned"))
        try desk.define(five, [("revision", .uint32(2))])
        #expect(try desk.start().show)
        #expect(try desk.listed()["attempts"] == .uint32(1))
    }

    @Test(
        "G2: a release, a logout, a policy's end and a takeover cost no attempt",
        arguments: [
            RunEnd.busLost, .policy, .superseded,
        ])
    func noAttempt(_ end: RunEnd) throws {
        let desk = TourDesk()
        try desk.define(five)
        for _ in 1...5 {
            let start = try desk.start()
            #expect(start.show)
            try desk.end(start.run, because: end)
            #expect(try desk.listed()["attempts"] == .uint32(0))
            _ = try desk.finish(try desk.start().run, "released")
        }
        #expect(try desk.listed()["attempts"] == .uint32(0))
    }

    @Test("max_attempts 0 is no limit")
    func noLimit() throws {
        let desk = TourDesk()
        try desk.define(five, [("max_attempts", .uint32(0))])
        for _ in 1...20 {
            let start = try desk.start()
            #expect(start.show)
            try desk.end(start.run, because: .ownerLost)
        }
        #expect(try desk.listed()["attempts"] == .uint32(20))
    }

    @Test("failed isn't seen: the tour is due at its step, until the attempts are used up")
    func failed() throws {
        let desk = TourDesk()
        try desk.define(five)
        for _ in 1...3 {
            let start = try desk.start()
            #expect(start.show)
            _ = try desk.goTo(start.run, "s2")
            #expect(try desk.finish(start.run, "failed").state == "finished")
            #expect(try desk.listed()["outcome"] == .string("failed"))
        }
        #expect(try desk.start().reason == "abandoned")
    }

    @Test("A run whose record is there and its content isn't ends without harm")
    func damagedContent() throws {
        let desk = TourDesk()
        try desk.define(five)
        let start = try desk.start()
        try desk.perform { view in
            Outcome(changes: [.onboarding(.global, OnboardingID(.runContent, "\(start.run)"), nil)])
        }
        #expect(error { _ = try desk.next(start.run, start.step) }?.code == .unavailable)
        try desk.end(start.run, because: .ownerLost)
        #expect(desk.liveRuns.isEmpty)
        #expect(try desk.start().show)
    }

    @Test("P8: damaged progress is Unavailable and not a tour that was never shown; Reset gets over it")
    func damagedProgress() throws {
        let desk = TourDesk()
        try desk.define(five)
        try desk.perform { _ in Outcome(changes: [.onboarding(TourDesk.app, OnboardingID(.tour, "intro"), .string("x"))]) }
        #expect(error { _ = try desk.start() }?.code == .unavailable)
        try desk.reset()
        #expect(try desk.start().show)
    }

    @Test("Progress that says presenting without a run, as from an import, is taken up at its step")
    func imported() throws {
        let desk = try left(five, at: "s3")
        let run = try desk.start().run
        let record = try #require(desk.ledger.committedView.onboarding(TourDesk.app, OnboardingID(.tour, "intro")))
        let elsewhere = TourDesk()
        try elsewhere.define(five)
        try elsewhere.perform { _ in Outcome(changes: [.onboarding(TourDesk.app, OnboardingID(.tour, "intro"), record)]) }
        #expect(try elsewhere.listed()["state"] == .string("suspended"))
        #expect(try elsewhere.start().step.id == "s3")
        _ = run
    }
}
