import DBusTypes
import Testing

@testable import DefaultsModel

@Suite struct TourDefiningTests {
    private let attributes: [(String, Value)] = [("attributes", .vardict([("colour", .string("red"))]))]

    @Test("The same definition again writes nothing; the same revision with other content is replaced and progress kept")
    func again() throws {
        let desk = TourDesk()
        #expect(try desk.define(["a", "b"]))
        _ = desk.takeRows()
        #expect(try !desk.define(["a", "b"]))
        #expect(desk.takeRows().isEmpty)
        let run = try desk.start().run
        _ = try desk.goTo(run, "b")
        _ = try desk.finish(run, "dismissed")
        #expect(try desk.define(["a", "c"]))
        #expect(try desk.start().reason == "seen")
    }

    @Test("G4: other attributes reach the presenter of a live run, other steps don't")
    func changed() throws {
        let desk = TourDesk()
        try desk.define(["a", "b"])
        let start = try desk.start()
        try desk.define(["a", "c"])
        #expect(desk.takeSignals().isEmpty)
        try desk.define(["a", "c"], attributes)
        #expect(desk.signals.count == 1)
        let signal = try #require(desk.signals.first)
        guard case .tourChanged(let step) = signal.event else {
            Issue.record("\(signal)")
            return
        }
        #expect(signal.run == start.run && signal.presenter == TourDesk.connection(1))
        #expect(step.dictionary?["attributes"] == .vardict([("colour", .string("red"))]))
        #expect(try desk.goTo(start.run, "b").entries["attributes"] == .vardict([("colour", .string("red"))]))
    }

    @Test("G4: other attributes of a manifest reach the presenter too, and one that drops the tour leaves the run alone")
    func manifest() throws {
        let desk = TourDesk()
        try desk.takeManifest(["intro": TourDesk.entries(["a", "b"], attributes)])
        let start = try desk.start()
        try desk.takeManifest(["intro": TourDesk.entries(["a"], attributes)])
        #expect(desk.takeSignals().isEmpty)
        try desk.takeManifest(["intro": TourDesk.entries(["a"])])
        #expect(desk.takeSignals() == ["changed a"])
        try desk.takeManifest([:])
        #expect(desk.takeSignals().isEmpty)
        #expect(try desk.next(start.run, start.step).id == "b")
        #expect(error { _ = try desk.start() }?.code == .notFound)
    }

    @Test("Remove takes the tour and its progress away, ends its run, and is NotFound where there is none")
    func remove() throws {
        let desk = TourDesk()
        try desk.define(["a", "b"])
        let run = try desk.start().run
        try desk.remove()
        #expect(desk.takeSignals() == ["finished released [a]"])
        #expect(try desk.finish(run, "completed").state == "released")
        #expect(try desk.progress() == TourProgress())
        #expect(desk.liveRuns.isEmpty)
        #expect(error { try desk.remove() }?.code == .notFound)
        #expect(try desk.listed().isEmpty)
    }

    @Test("Remove leaves a manifest's tour and what became of it")
    func removeFromManifest() throws {
        let desk = TourDesk()
        try desk.takeManifest(["intro": TourDesk.entries(["a", "b"])])
        _ = desk.takeRows()
        try desk.remove()
        #expect(desk.takeRows().isEmpty)
        try desk.define(["a", "b", "c"])
        let run = try desk.start().run
        _ = try desk.goTo(run, "b")
        try desk.remove()
        #expect(try desk.listed()["source"] == .string("manifest"))
        #expect(try desk.listed()["state"] == .string("released"))
        let start = try desk.start()
        #expect(start.step.id == "b" && start.step.count == 2)
        #expect(try desk.listed()["attempts"] == .uint32(1))
    }

    @Test("Reset makes it new, ends its run and keeps what was counted")
    func reset() throws {
        let desk = TourDesk()
        #expect(error { try desk.reset() }?.code == .notFound)
        try desk.define(["a", "b"])
        _ = desk.takeRows()
        try desk.reset()
        #expect(desk.takeRows().isEmpty)
        _ = try desk.finish(try desk.start().run, "completed")
        try desk.reset()
        #expect(try desk.listed()["state"] == .string("new"))
        let run = try desk.start().run
        _ = try desk.goTo(run, "b")
        try desk.reset()
        #expect(try desk.finish(run, "completed").outcome == "released")
        #expect(try desk.start().step.id == "a")
        #expect(try desk.progress().statistics.shown == 3)
    }

    @Test("P12: an application may define 256 tours")
    func limit() throws {
        let desk = TourDesk()
        for number in 1...256 { try desk.define(["a"], as: "tour \(number)") }
        #expect(error { try desk.define(["a"], as: "one more") }?.code == .limitExceeded)
        #expect(try desk.define(["b"], as: "tour 7"))
        #expect(try desk.define(["a"], as: "another's", of: TourDesk.other))
    }

    @Test("List names each tour once, sorted, with its state")
    func list() throws {
        let desk = TourDesk()
        try desk.takeManifest(["b": TourDesk.entries(["x"]), "a": TourDesk.entries(["x"])])
        try desk.define(["x", "y"], as: "b")
        try desk.define(["x"], as: "c")
        guard case .array(let list) = try desk.ledger.committedView.tourList(TourDesk.app, at: desk.now) else {
            Issue.record("no array")
            return
        }
        let ids = list.values.compactMap { if case .structure(let fields) = $0 { fields[0].get(as: String.self) } else { nil } }
        #expect(ids == ["a", "b", "c"])
        #expect(list.element == .structure([.string, .dictionary(key: .string, value: .variant)]))
        let run = try desk.start("b").run
        _ = try desk.goTo(run, "y")
        let listed = try desk.listed("b")
        #expect(listed["state"] == .string("presenting") && listed["furthest"] == .uint32(1))
        #expect(listed["source"] == .string("bus"))
        #expect(try desk.listed("c")["state"] == .string("new"))
    }
}
