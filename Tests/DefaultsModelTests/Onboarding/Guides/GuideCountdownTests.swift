import DBusTypes
import Testing

@testable import DefaultsModel

@Suite("Countdowns of guides")
struct GuideCountdownTests {
    private let desk = GuideDesk()

    init() throws {
        try desk.launch("1.0")
        try desk.define("timed", [("countdown", .vardict([("duration", .uint64(10_000))]))])
    }

    @Test("G8: the countdown is the presenter's, begins after the reply, and is in the same transaction")
    func begins() throws {
        let presented = try desk.present("timed", by: 7)
        #expect(desk.signals == ["begins guide_\(presented.run)"])
        #expect(presented.guide["countdown"] == .objectPath("/org/defaultsd1/countdown/1_7/guide_1"))
        #expect(presented.guide.number("page") == 0)
        #expect(desk.rows == 5, "the number, the run, its content, the guide's progress and the countdown")
        guard case .countdownBegins(let start) = try #require(desk.announcements.first) else {
            throw GuideDeskError.other
        }
        #expect(start.spec.duration == 10_000 && start.now == desk.now && start.owner.user == 1000)
    }

    @Test("G8: Finish ends it, and skipped and elapsed end the guide; Cancel leaves the guide")
    func ends() throws {
        let first = try desk.present("timed").run
        try desk.finish(first, .dismissed)
        #expect(desk.signals == ["finished dismissed", "ends cancelled"])
        for (reason, outcome) in [(CountdownReason.skipped, "skipped"), (.elapsed, "timed_out")] {
            try desk.define(outcome, [("countdown", .vardict([("duration", .uint64(1_000))]))])
            let run = try desk.present(outcome).run
            try desk.end(run, because: .countdown(reason))
            #expect(desk.signals == ["finished \(outcome)"])
            #expect(try desk.finish(run).text("outcome") == outcome)
            #expect(try desk.present(outcome).reason == "seen")
        }
        try desk.define("kept", [("countdown", .vardict([("duration", .uint64(1_000))]))])
        let kept = try desk.present("kept").run
        for reason in [CountdownReason.cancelled, .ownerLost, .policy] {
            try desk.end(kept, because: .countdown(reason))
            #expect(desk.signals.isEmpty && desk.rows == 0)
        }
        #expect(try desk.advance(kept).text("state") == "presenting")
    }

    @Test("A token of the caller's is taken; a bad one is InvalidName, a live one AlreadyExists: nothing is presented")
    func tokens() throws {
        let taken = try CountdownStart(
            token: "mine", spec: CountdownSpec(), scale: .standard,
            owner: CountdownOwner(name: ":1.1", user: 1000), at: desk.now)
        _ = try desk.board.start(taken)
        for (token, code) in [("no token", ModelError.Code.invalidName), ("mine", .alreadyExists)] {
            #expect { try desk.present("timed", GuideOptions(countdownToken: token)) } throws: {
                ($0 as? ModelError)?.code == code
            }
            #expect(desk.rows == 0 && desk.view.runs.isEmpty)
        }
        try desk.define()
        #expect(throws: ModelError.self) { try desk.present("welcome", GuideOptions(countdownToken: "no token")) }
        #expect(
            try desk.present("timed", GuideOptions(countdownToken: "other")).guide["countdown"]
                == .objectPath("/org/defaultsd1/countdown/1_1/other"))
    }

    @Test("Options are read and checked")
    func options() throws {
        let options = try GuideOptions(
            DictionaryValue([
                ("replay", .boolean(true)), ("countdown_token", .string("t")), ("on_owner_lost", .string("keep")),
            ]))
        #expect(options == GuideOptions(isReplay: true, countdownToken: "t", onOwnerLost: .keep))
        #expect(try GuideOptions(DictionaryValue([])) == GuideOptions())
        #expect(throws: ModelError.self) { try GuideOptions(DictionaryValue([("again", .boolean(true))])) }
        let kept = try desk.present("timed", GuideOptions(onOwnerLost: .keep))
        #expect(try desk.view.run(kept.run).outlivesOwner)
    }
}

enum GuideDeskError: Error { case other }
