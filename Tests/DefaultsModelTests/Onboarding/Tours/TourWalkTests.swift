import DBusTypes
import Testing

@testable import DefaultsModel

@Suite struct TourWalkTests {
    private let five = ["s1", "s2", "s3", "s4", "s5"]

    @Test("A tour is shown step by step and completed past its last")
    func walk() throws {
        let desk = TourDesk()
        try desk.define(five)
        let start = try desk.start()
        #expect(start.show && start.reason.isEmpty && start.step.state == "presenting")
        #expect(desk.takeSignals().isEmpty)
        var step = start.step
        for (index, id) in five.enumerated() {
            #expect(step.id == id && step.index == UInt32(index) && step.count == 5 && step.sequence == UInt64(index) + 1)
            step = try desk.next(start.run, step)
            #expect(step.hasChanged && !step.isStale)
        }
        #expect(step.state == "finished" && step.outcome == "completed" && step.id == "s5")
        #expect(
            desk.takeSignals() == [
                "step s2 1/5 #2", "step s3 2/5 #3", "step s4 3/5 #4", "step s5 4/5 #5",
                "finished completed [s1 s2 s3 s4 s5]",
            ])
        #expect(try desk.start().reason == "seen")
    }

    @Test("T2, scenario 23: a double tap advances once, and both callers learn where the tour is")
    func doubleTap() throws {
        let desk = TourDesk()
        try desk.define(five)
        let start = try desk.start()
        let first = try desk.next(start.run, "s1", 1)
        _ = desk.takeRows()
        let second = try desk.next(start.run, "s1", 1)
        #expect(first.id == "s2" && first.hasChanged && !first.isStale)
        #expect(second.id == "s2" && !second.hasChanged && second.isStale && second.sequence == first.sequence)
        #expect(desk.takeRows().isEmpty)
        #expect(desk.takeSignals() == ["step s2 1/5 #2"])
    }

    @Test("T2: a step seen again after going back has another sequence")
    func staleAfterBack() throws {
        let desk = TourDesk()
        try desk.define(five)
        let run = try desk.start().run
        _ = try desk.next(run, "s1", 1)
        _ = try desk.back(run)
        #expect(try desk.next(run, "s1", 1).isStale)
        #expect(try desk.next(run, "s1", 3).id == "s2")
        #expect(try desk.next(run, "s3", 4).isStale)
    }

    @Test("T3, scenario 24: an unknown step is NotFound, Back on the first and GoTo the present one change nothing")
    func edges() throws {
        let desk = TourDesk()
        try desk.define(five)
        let run = try desk.start().run
        _ = desk.takeRows()
        for call in [{ try desk.goTo(run, "nope") }, { try desk.next(run, "nope", 1) }, { try desk.unavailable(run, "nope") }] {
            #expect(error { _ = try call() }?.code == .notFound)
        }
        for step in [try desk.back(run), try desk.goTo(run, "s1")] {
            #expect(step.id == "s1" && !step.hasChanged && step.sequence == 1)
        }
        #expect(desk.takeRows().isEmpty && desk.takeSignals().isEmpty)
        #expect(try desk.goTo(run, "s4").id == "s4")
        #expect(try desk.back(run).id == "s3")
        #expect(desk.takeSignals() == ["step s4 3/5 #2", "step s3 2/5 #3"])
    }

    @Test("T3, G8: Next on the last completes once; what comes later returns that and changes nothing")
    func once() throws {
        let desk = TourDesk()
        try desk.define(["s1"])
        let start = try desk.start()
        #expect(try desk.next(start.run, start.step).outcome == "completed")
        _ = desk.takeRows()
        _ = desk.takeSignals()
        let later = [
            try desk.next(start.run, start.step), try desk.finish(start.run, "dismissed"), try desk.back(start.run),
            try desk.goTo(start.run, "nope"), try desk.unavailable(start.run, "s1"),
        ]
        for step in later { #expect(step.outcome == "completed" && step.state == "finished" && !step.hasChanged) }
        #expect(desk.takeRows().isEmpty && desk.takeSignals().isEmpty)
        #expect(error { _ = try desk.finish(start.run, "seen") }?.code == .invalidArgument)
    }

    @Test("T5, scenario 25: a step that can't be shown is passed over, in the direction of travel")
    func unavailable() throws {
        let desk = TourDesk()
        try desk.define(five)
        let run = try desk.start().run
        #expect(try desk.unavailable(run, "s1").id == "s2")
        #expect(try desk.unavailable(run, "s1").isStale)
        _ = try desk.next(run, "s2", 2)
        _ = try desk.next(run, "s3", 3)
        #expect(try desk.back(run).id == "s3")
        #expect(try desk.unavailable(run, "s3").id == "s2")
        #expect(try desk.back(run).id == "s1")
        // Nothing comes before it: the tour turns round.
        #expect(try desk.unavailable(run, "s1").id == "s2")
        #expect(try desk.unavailable(run, "s2").id == "s3")
        #expect(try desk.finish(run, "dismissed").outcome == "dismissed")
        #expect(desk.takeSignals().last == "finished dismissed [s2 s3 s4]")
    }

    @Test("T5: past the last the tour is completed if a step was shown")
    func unavailableLast() throws {
        let desk = TourDesk()
        try desk.define(["s1", "s2"])
        let run = try desk.start().run
        _ = try desk.next(run, "s1", 1)
        #expect(try desk.unavailable(run, "s2").outcome == "completed")
        #expect(desk.takeSignals().last == "finished completed [s1]")
        #expect(try desk.start().reason == "seen")
    }

    @Test("T5, scenario 25: none could be shown: unavailable, due again from the first step, until the attempts are used up")
    func allUnavailable() throws {
        let desk = TourDesk()
        try desk.define(["s1", "s2"])
        for attempt in 1...3 {
            let start = try desk.start()
            #expect(start.show && start.step.id == "s1")
            #expect(try desk.unavailable(start.run, "s1").id == "s2")
            let end = try desk.unavailable(start.run, "s2")
            #expect(end.outcome == "unavailable" && end.state == "finished" && end.hasChanged)
            #expect(desk.takeSignals() == ["step s2 1/2 #2", "finished unavailable []"])
            #expect(try desk.listed()["attempts"] == .uint32(UInt32(attempt)))
        }
        #expect(try desk.start().reason == "abandoned")
    }

    @Test("T8: each Start gives a new run, and a call about the old one never moves the new one")
    func newRuns() throws {
        let desk = TourDesk()
        try desk.define(five)
        let first = try desk.start()
        _ = try desk.finish(first.run, "released")
        let second = try desk.start()
        #expect(second.run > first.run)
        #expect(try desk.next(first.run, "s1", 1).state == "released")
        #expect(try desk.finish(first.run, "completed").outcome == "released")
        #expect(try desk.next(second.run, "s1", 1).id == "s2")
    }

    @Test("A run that never was, or of another kind, is NotFound")
    func unknownRun() {
        let desk = TourDesk()
        #expect(error { _ = try desk.back(1) }?.code == .notFound)
        #expect(error { _ = try desk.start("nope") }?.code == .notFound)
    }
}
