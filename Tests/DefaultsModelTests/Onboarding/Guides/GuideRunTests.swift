import DBusTypes
import Testing

@testable import DefaultsModel

@Suite("Runs of guides")
struct GuideRunTests {
    private let desk = GuideDesk()

    init() throws {
        try desk.launch("1.0")
        try desk.define()
    }

    @Test("Present answers with the first page, every entry, and what was defined")
    func present() throws {
        let presented = try desk.present()
        let guide = presented.guide
        #expect(presented.run == 1 && presented.show && guide.text("state") == "presenting" && guide.text("outcome") == "")
        #expect(guide.number("page") == 0 && guide.number("count") == 3 && guide.number("furthest") == 0)
        #expect(guide.flag("is_first") == true && guide.flag("is_last") == false && guide.flag("button_visible") == false)
        #expect(guide.number("attempts") == 1 && guide["countdown"] == .objectPath("/"))
        #expect(guide["pages"] == GuideDesk.pages(3))
        #expect(guide["page"]?.type == .uint32 && guide["attempts"]?.type == .uint32 && guide["furthest"]?.type == .uint32)
        #expect(desk.signals.isEmpty, "PageChanged never comes at Present")
    }

    @Test("G1: completed, skipped and dismissed are seen, each as such; released and failed aren't")
    func outcomes() throws {
        for (place, outcome) in [GuideOutcome.completed, .skipped, .dismissed, .failed, .released].enumerated() {
            let name = "guide-\(place)"
            try desk.define(name)
            let run = try desk.present(name).run
            let guide = try desk.finish(run, outcome)
            #expect(guide.text("outcome") == outcome.rawValue)
            #expect(guide.text("state") == (outcome == .released ? "released" : "finished"))
            #expect(desk.signals == ["finished \(outcome.rawValue)"])
            let listed = try #require(try desk.listed(name))
            #expect(listed.text("outcome") == outcome.rawValue && listed.number("attempts") == (outcome == .released ? 0 : 1))
            let isDue = outcome == .failed || outcome == .released
            #expect(try desk.pending().contains(name) == isDue)
            let again = try desk.present(name)
            #expect(again.reason == (isDue ? "" : "seen"))
            if again.show { try desk.finish(again.run) }
        }
    }

    @Test("G1: merely shown isn't seen, but where mark is show it is, whatever comes then")
    func markShow() throws {
        let run = try desk.present().run
        try desk.end(run, because: .ownerLost)
        #expect(try desk.pending() == ["welcome"])
        try desk.define("classic", [("mark", .string("show"))])
        let classic = try desk.present("classic").run
        try desk.end(classic, because: .ownerLost)
        #expect(try desk.present("classic").reason == "seen")
        #expect(try desk.pending() == ["welcome"])
        // Given back by the presenter itself, it is due again.
        try desk.define("classic", [("mark", .string("show")), ("revision", .uint32(2))])
        try desk.finish(desk.present("classic").run, .released)
        #expect(try desk.present("classic").show)
    }

    @Test("G2: a presenter that dies leaves the page; the next goes on there; after three the guide is abandoned (scenario 21)")
    func deaths() throws {
        try desk.define("long", [("pages", GuideDesk.pages(5))])
        for attempt in 1...3 {
            let presented = try desk.present("long", by: attempt)
            #expect(presented.guide.number("attempts") == UInt64(attempt))
            #expect(presented.guide.number("page") == (attempt == 1 ? 0 : 3))
            if attempt == 1 { try desk.goTo(presented.run, 3) }
            try desk.end(presented.run, because: .ownerLost)
            #expect(desk.signals == [attempt == 3 ? "finished abandoned" : "finished released"])
            #expect(try desk.listed("long")?.text("state") == (attempt == 3 ? "finished" : "released"))
        }
        #expect(try desk.present("long").reason == "abandoned")
        #expect(try !desk.pending().contains("long"))
        try desk.define("long", [("revision", .uint32(2))])
        let raised = try desk.present("long")
        #expect(raised.show && raised.guide.number("attempts") == 1 && raised.guide.number("page") == 0)
    }

    @Test("G2: max_attempts 0 is no limit; failed is an attempt; released and a bus that went away cost none")
    func attempts() throws {
        try desk.define("endless", [("max_attempts", .uint32(0))])
        for _ in 0..<10 { try desk.end(desk.present("endless").run, because: .ownerLost) }
        #expect(try desk.present("endless").guide.number("attempts") == 11)
        try desk.finish(try #require(desk.view.liveRuns.first?.id))
        try desk.define("once", [("max_attempts", .uint32(1))])
        for end in [RunEnd.busLost, .policy, .superseded] {
            try desk.end(desk.present("once").run, because: end)
            #expect(try desk.listed("once")?.number("attempts") == 0)
        }
        try desk.finish(desk.present("once").run, .released)
        let failed = try desk.finish(desk.present("once").run, .failed)
        #expect(failed.text("outcome") == "failed" && failed.number("attempts") == 1)
        #expect(try desk.present("once").reason == "abandoned")
    }

    @Test("G3, S1: who asks while it is presented gets busy; so does the same connection, and another guide")
    func busy() throws {
        try desk.define("other")
        let run = try desk.present().run
        for attempt in [try desk.present(by: 2), try desk.present(by: 1), try desk.present("other", by: 3)] {
            #expect(attempt.reason == "busy" && attempt.run == 0 && attempt.guide["countdown"] == .objectPath("/"))
            #expect(desk.rows == 0)
        }
        #expect(try desk.present(by: 2).guide.text("state") == "presenting")
        try desk.finish(run)
        #expect(try desk.present("other").show)
    }

    @Test("S1: a run without a call for ten minutes keeps its page; another presenter takes the guide over there, at no attempt")
    func silence() throws {
        let first = try desk.present().run
        try desk.goTo(first, 2)
        desk.now = desk.now.after(milliseconds: 10 * 60 * 1000 - 1)
        #expect(try desk.present(by: 2).reason == "busy")
        desk.now = desk.now.after(milliseconds: 1)
        let second = try desk.present(by: 2)
        #expect(second.show && second.guide.number("page") == 2 && second.guide.number("attempts") == 1 && second.run != first)
        #expect(desk.signals == ["finished released"])
        // T8: the stale run answers, and moves nothing.
        #expect(try desk.goTo(first, 0).text("state") == "released")
        #expect(desk.rows == 0 && desk.signals.isEmpty)
        #expect(try desk.listed()?.text("state") == "presenting")
    }

    @Test("G7: is_last and button_visible follow the page; a button guide isn't completed by going on")
    func pages() throws {
        try desk.define("button", [("completion", .string("button"))])
        let run = try desk.present("button").run
        #expect(try desk.advance(run).flag("button_visible") == false)
        #expect(desk.signals == ["page 1/3"])
        let last = try desk.advance(run)
        #expect(last.flag("is_last") == true && last.flag("button_visible") == true && last.number("furthest") == 2)
        #expect(try desk.advance(run).text("state") == "presenting")
        #expect(desk.signals.isEmpty && desk.rows == 0)
        let back = try desk.advance(run, by: -1)
        #expect(back.number("page") == 1 && back.flag("button_visible") == false && back.number("furthest") == 2)
        #expect(try desk.finish(run).text("outcome") == "completed")
    }

    @Test("G7: GoTo the same page changes nothing, one out of range is NotFound; Back on page 0 stays; far jumps are clamped")
    func edges() throws {
        let run = try desk.present().run
        #expect(try desk.goTo(run, 0).number("page") == 0)
        #expect(desk.rows == 0 && desk.signals.isEmpty)
        #expect { try desk.goTo(run, 3) } throws: { ($0 as? ModelError)?.code == .notFound }
        #expect(try desk.advance(run, by: -1).number("page") == 0)
        #expect(desk.rows == 0 && desk.signals.isEmpty)
        #expect(try desk.advance(run, by: .max).number("page") == 2)
        #expect(desk.signals == ["page 2/3"])
        #expect(try desk.advance(run, by: 2).text("state") == "presenting", "only one page on completes")
        #expect(try desk.advance(run, by: .min).number("page") == 0)
        #expect(desk.rows == 2, "the run's row and the guide's, not the pages")
    }

    @Test("G7: a swipe guide of one page is first and last, and is completed by going on, once")
    func swipe() throws {
        try desk.define("one", [("pages", GuideDesk.pages(1))])
        let presented = try desk.present("one")
        #expect(presented.guide.flag("is_first") == true && presented.guide.flag("is_last") == true)
        #expect(try desk.advance(presented.run).text("outcome") == "completed")
        #expect(desk.signals == ["finished completed"])
        #expect(try desk.advance(presented.run).text("outcome") == "completed")
        #expect(desk.signals.isEmpty && desk.rows == 0)
    }

    @Test("G8: Finish twice: the first outcome wins and is returned, with one signal (scenario 22)")
    func finishTwice() throws {
        let run = try desk.present().run
        try desk.goTo(run, 2)
        let first = try desk.finish(run, .dismissed)
        let second = try desk.finish(run, .completed)
        #expect(first == second && second.text("outcome") == "dismissed" && second.number("page") == 2)
        #expect(desk.signals.isEmpty && desk.rows == 0)
        #expect(try desk.present().reason == "seen")
        #expect { try desk.finish(77) } throws: { ($0 as? ModelError)?.code == .notFound }
        #expect(throws: ModelError.self) { try GuideOutcome(finish: "timed_out") }
    }

    @Test("G9: a replay writes nothing of the guide, and is held up by the stage alone (scenario 29)")
    func replay() throws {
        try desk.finish(desk.present().run, .completed)
        let before = try desk.listed()
        let statistics = desk.statistics()
        for end in [GuideOutcome.released, .dismissed, .failed] {
            let replay = try desk.present("welcome", GuideOptions(isReplay: true))
            #expect(replay.show && replay.guide.number("page") == 0 && replay.guide.number("attempts") == 1)
            #expect(try desk.listed() == before)
            #expect(try desk.present("welcome", GuideOptions(isReplay: true), by: 2).reason == "busy")
            try desk.goTo(replay.run, 1)
            #expect(try desk.finish(replay.run, end).text("outcome") == end.rawValue)
        }
        try desk.end(desk.present("welcome", GuideOptions(isReplay: true)).run, because: .ownerLost)
        #expect(desk.signals == ["finished released"])
        #expect(try desk.listed() == before)
        #expect(desk.statistics() == statistics)
    }

    @Test("Statistics count what was shown, how it ended and how far it went; Reset keeps them; replays and policy don't count")
    func statistics() throws {
        let first = try desk.present().run
        try desk.goTo(first, 2)
        try desk.end(first, because: .ownerLost)
        try desk.finish(desk.present().run, .skipped)
        func counts() -> [String: UInt64?] {
            let found = desk.statistics()
            return Dictionary(
                uniqueKeysWithValues: ["shown", "furthest", "released", "skipped", "completed"].map { ($0, found?.number($0)) })
        }
        #expect(counts() == ["shown": 2, "furthest": 2, "released": 1, "skipped": 1, "completed": nil])
        try desk.reset()
        #expect(counts()["shown"] == 2)
        try desk.take(FileLayers(policy: OnboardingPolicy(machine: .init(statistics: false))))
        try desk.finish(desk.present().run)
        #expect(counts() == ["shown": 2, "furthest": 2, "released": 1, "skipped": 1, "completed": nil])
    }

    @Test(
        "While a guide is presented its list and who asks for it meanwhile see no outcome, not that of the run before; a rehearsal hides none"
    )
    func listedOutcome() throws {
        try desk.launch("1.0")
        try desk.define()
        try desk.finish(try desk.present().run, .released)
        #expect(try desk.listed()?.text("outcome") == "released")
        let run = try desk.present().run
        #expect(try desk.listed()?.text("state") == "presenting" && desk.listed()?.text("outcome") == "")
        let busy = try desk.present(by: 2)
        #expect(!busy.show && busy.guide.text("state") == "presenting" && busy.guide.text("outcome") == "")
        try desk.finish(run)
        #expect(try desk.listed()?.text("outcome") == "completed")
        let replay = try desk.present("welcome", GuideOptions(isReplay: true))
        #expect(replay.show)
        #expect(try desk.listed()?.text("state") == "finished" && desk.listed()?.text("outcome") == "completed")
    }
}
