import DBusTypes
import DefaultsInterface
import Testing

@testable import DefaultsKit

@Suite("A tour's run in the client")
struct LocalTourTests {
    private func answer(_ index: Int, sequence: UInt64 = 1, count: UInt32 = 3) -> DictionaryValue {
        DictionaryValue([
            ("id", .string(["a", "b", "c"][index])), ("content", .string("text")), ("own", .boolean(true)),
            ("index", .uint32(UInt32(index))), ("count", .uint32(count)), ("sequence", .uint64(sequence)),
            ("outcome", .string("")), ("stale", .boolean(false)),
        ])
    }

    private func tour(at index: Int = 0, knowing steps: [String] = ["a", "b", "c"]) throws -> LocalTour {
        var tour = try #require(LocalTour(answer(index)))
        tour.know(steps.map { TourStep($0) })
        return tour
    }

    @Test("It reads what Start answers, an entry of the application's own too")
    func reading() throws {
        let state = try tour(at: 2).state
        #expect(state.step == TourStep("c", content: "text", attributes: ["own": true]) && state.isLast && !state.isFirst)
        #expect(LocalTour(DictionaryValue([])) == nil)
    }

    @Test("T2, T3: Next is for the step shown alone, Back stays on the first, Next on the last completes")
    func walking() throws {
        var tour = try tour()
        try tour.act(.back)
        #expect(tour.state.index == 0)
        try tour.act(.next(step: "a", sequence: 0))
        try tour.act(.next(step: "b", sequence: 1))
        #expect(tour.state.index == 0 && tour.state.sequence == 1)
        try tour.act(.next(step: "a", sequence: 1))
        #expect(tour.state.step.id == "b" && tour.state.sequence == 2)
        try tour.act(.goTo("c"))
        #expect { try tour.act(.goTo("x")) } throws: { ($0 as? DefaultsError)?.code == .notFound }
        try tour.act(.next(step: "c", sequence: 3))
        #expect(tour.state.outcome == .completed)
    }

    @Test("T5: steps that can't be shown are left out in the direction of travel; of only such it is unavailable")
    func unavailable() throws {
        var none = try tour()
        for id in ["a", "b", "c"] { try none.act(.stepUnavailable(id)) }
        #expect(none.state.outcome == .unavailable)
        #expect(none.catchUp(1)?.arguments == [.uint64(1), .string("failed")])
        var back = try tour()
        try back.act(.goTo("c"))
        try back.act(.back)
        try back.act(.stepUnavailable("b"))
        #expect(back.state.step.id == "a")
        try back.act(.goTo("c"))
        try back.act(.stepUnavailable("c"))
        #expect(back.state.outcome == .completed)
    }

    @Test("Where the next step isn't known, nothing is guessed", arguments: [[], ["a", "b"], ["x", "b", "c"]])
    func unknown(steps: [String]) throws {
        var tour = try tour(knowing: steps)
        #expect { try tour.act(.next(step: "a", sequence: 1)) } throws: { ($0 as? DefaultsError)?.code == .unreachable }
        #expect { try tour.act(.goTo("b")) } throws: { ($0 as? DefaultsError)?.code == .unreachable }
        #expect(tour.state.index == 0 && tour.state.sequence == 1)
        tour.follow(answer(1, sequence: 2))
        try tour.act(.back)
        #expect(tour.state.step.id == "a", "a step that was shown is known")
    }

    @Test("A signal of a step that isn't shown here has the daemon asked, with a call that changes nothing")
    func signal() throws {
        var tour = try tour()
        let asks = tour.follow(ToursInterface.stepChanged, [.string("b"), .uint32(1), .uint32(3), .uint64(2)])
        let asksAgain = tour.follow(ToursInterface.stepChanged, [.string("a"), .uint32(0), .uint32(3), .uint64(1)])
        #expect(asks && !asksAgain)
        #expect(tour.question(4)?.arguments == [.uint64(4), .string("a"), .uint64(.max)])
    }

    @Test("A definition leaves out what is as by default")
    func definition() throws {
        let entries = try #require(try TourDefinition(steps: [TourStep("a")]).builder.finish().dictionary)
        #expect(entries.entries.count == 1)
        var definition = TourDefinition(steps: [TourStep("a")], revision: 2, attributes: ["b": 1])
        definition.onNewRevision = .progressive
        definition.onCrash = .restart
        definition.resumeWindow = .zero
        definition.maxAttempts = 1
        let all = try #require(try definition.builder.finish().dictionary)
        #expect(Set(all.entries.map(\.key)) == Set(TourDefinitionEntries.all.map { .string($0.name) }))
    }
}
