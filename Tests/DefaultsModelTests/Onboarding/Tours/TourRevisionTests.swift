import DBusTypes
import Testing

@testable import DefaultsModel

@Suite struct TourRevisionTests {
    /// Five steps of revision 1, as everywhere here.
    private let five = ["s1", "s2", "s3", "s4", "s5"]

    /// A definition of a revision, with the revision that brought each step.
    private func revision(
        _ revision: UInt32, _ mode: String, _ steps: [(String, UInt32)], _ more: [(String, Value)] = []
    ) -> DictionaryValue {
        DictionaryValue(
            [
                ("revision", .uint32(revision)), ("on_new_revision", .string(mode)),
                ("steps", TourDesk.steps(steps.map { TourDesk.step($0.0, [("since_revision", .uint32($0.1))]) })),
            ] + more)
    }

    private func first(_ mode: String) -> DictionaryValue { revision(1, mode, five.map { ($0, 0) }) }

    private func second(_ mode: String) -> DictionaryValue {
        revision(2, mode, [("s1", 0), ("new", 2), ("s2", 0), ("s3", 0), ("s4", 0), ("s5", 0), ("newer", 2)])
    }

    private func ended(_ mode: String, at step: String, as outcome: String) throws -> TourDesk {
        let desk = TourDesk()
        try desk.define(first(mode))
        let run = try desk.start().run
        _ = try desk.goTo(run, step)
        if outcome == "death" { try desk.end(run, because: .ownerLost) } else { _ = try desk.finish(run, outcome) }
        try desk.define(second(mode))
        return desk
    }

    @Test("T6: a raised revision begins again by default, ended before or left", arguments: ["completed", "dismissed", "death"])
    func restart(_ outcome: String) throws {
        let desk = try ended("restart", at: "s3", as: outcome)
        #expect(try desk.listed()["state"] == .string("new"))
        let start = try desk.start()
        #expect(start.show && start.step.id == "s1" && start.step.count == 7)
        #expect(try desk.listed()["attempts"] == .uint32(1))
    }

    @Test("T6: progressive shows only the steps that are newer than what was ended")
    func progressive() throws {
        let desk = try ended("progressive", at: "s5", as: "completed")
        let start = try desk.start()
        #expect(start.step.id == "new" && start.step.count == 2)
        #expect(error { _ = try desk.goTo(start.run, "s1") }?.code == .notFound)
        #expect(try desk.next(start.run, start.step).id == "newer")
        try desk.end(start.run, because: .ownerLost)
        let again = try desk.start()
        #expect(again.step.id == "newer" && again.step.count == 2 && again.step.index == 1)
        #expect(try desk.next(again.run, again.step).outcome == "completed")
        #expect(try desk.start().reason == "seen")
    }

    @Test("T6: progressive without a newer step counts as seen")
    func progressiveWithout() throws {
        let desk = TourDesk()
        try desk.define(first("progressive"))
        _ = try desk.finish(try desk.start().run, "skipped")
        try desk.define(revision(3, "progressive", five.map { ($0, 0) }))
        #expect(try desk.start().reason == "seen")
        #expect(try desk.listed()["state"] == .string("finished"))
        try desk.define(revision(4, "progressive", five.map { ($0, 0) } + [("s6", 4)]))
        #expect(try desk.start().step.id == "s6")
    }

    @Test("T6: progressive, never ended: all steps, from where it was left")
    func progressiveLeft() throws {
        let start = try ended("progressive", at: "s3", as: "death").start()
        #expect(start.step.id == "s3" && start.step.count == 7)
    }

    @Test("T6: resume goes on at the old place, ended or left", arguments: ["dismissed", "death"])
    func resume(_ outcome: String) throws {
        let desk = try ended("resume", at: "s3", as: outcome)
        let start = try desk.start()
        #expect(start.show && start.step.id == "s3" && start.step.index == 3)
    }

    @Test("T6, G4: a lowered revision changes nothing, over the bus")
    func lowered() throws {
        let desk = try ended("restart", at: "s3", as: "completed")
        _ = try desk.finish(try desk.start().run, "completed")
        #expect(try !desk.define(first("restart")))
        #expect(try desk.listed()["revision"] == .uint32(2))
        #expect(try desk.start().reason == "seen")
    }

    @Test("T6: a lowered revision never restarts, where a manifest lowers it")
    func loweredManifest() throws {
        let desk = TourDesk()
        try desk.takeManifest(["intro": second("restart")])
        let run = try desk.start().run
        _ = try desk.goTo(run, "s3")
        try desk.end(run, because: .ownerLost)
        try desk.takeManifest(["intro": first("restart")])
        let start = try desk.start()
        #expect(start.step.id == "s3" && start.step.count == 5)
        _ = try desk.finish(start.run, "completed")
        #expect(try desk.start().reason == "seen")
        _ = try desk.takeManifest(["intro": second("restart")])
    }

    @Test("G4: a run that ends after its revision was raised has ended the old one")
    func raisedMeanwhile() throws {
        let desk = TourDesk()
        try desk.define(first("restart"))
        let run = try desk.start().run
        try desk.define(second("restart"))
        #expect(try desk.start().reason == "busy")
        _ = try desk.finish(run, "completed")
        let start = try desk.start()
        #expect(start.show && start.step.count == 7)
    }

    @Test("G4: bus and manifest both define it: the higher revision, at equal revision the bus's")
    func sources() throws {
        let desk = TourDesk()
        try desk.takeManifest(["intro": TourDesk.entries(["m1"])])
        #expect(try desk.listed()["source"] == .string("manifest"))
        #expect(try desk.define(["b1"]))
        #expect(try desk.listed()["source"] == .string("bus"))
        try desk.takeManifest(["intro": TourDesk.entries(["m1"], [("revision", .uint32(2))])])
        #expect(try desk.listed()["source"] == .string("manifest"))
        #expect(try desk.start().step.id == "m1")
    }
}
