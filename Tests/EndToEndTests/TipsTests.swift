import DBusTypes
import DefaultsInterface
import LibDBus
import Support
import Testing

@Suite("Tips")
struct TipsTests {
    private let timed: TimedDaemon
    private var client: Client { timed.client }

    init() throws { timed = try TimedDaemon() }

    private func rule(_ comparison: String, _ count: UInt32, window: UInt64 = 0) -> (String, Value) {
        tipRules([
            ("event", .string("opened")), ("operator", .string(comparison)), ("count", .uint32(count)),
            ("window", .uint64(window)),
        ])
    }

    @Test("A tip is defined, available, shown, and used up by what the user does; all of it outlives the daemon")
    func life() throws {
        #expect(try client.defineTip("t", [("title", .string("Drag here")), ("max_display_count", .uint32(3))]) == true)
        #expect(try client.defineTip("t", [("title", .string("Drag here")), ("max_display_count", .uint32(3))]) == false)
        #expect(try client.evaluateTips() == ["t": ""])
        let presented = try client.presentTip("t")
        #expect(presented.show && presented.reason.isEmpty && presented.run > 0)
        #expect(presented.tip["id"] == .string("t"))
        #expect(presented.tip["state"] == .string("presenting"))
        #expect(presented.tip["display_count"] == .uint32(1))
        #expect(presented.tip["title"] == .string("Drag here"))
        try timed.daemon.kill9()
        try timed.daemon.restart()
        // The run goes on while its connection lives (S1).
        #expect(try client.presentTip("t").reason == "busy")
        try timed.advance(1_500)
        let ended = try client.finishTip(presented.run, "closed")
        #expect(ended["state"] == .string("finished"))
        #expect(ended["outcome"] == .string("closed"))
        #expect(try client.finishTip(presented.run, "action")["outcome"] == .string("closed"))
        try timed.daemon.kill9()
        try timed.daemon.restart()
        let listed = try #require(try client.listedTip("t"))
        #expect(listed["available"] == .boolean(false))
        #expect(listed["reason"] == .string("invalid"))
        #expect(listed["invalid"] == .string("closed"))
        #expect(listed["revision"] == .uint32(1))
        #expect(listed["display_count"] == .uint32(1))
        #expect(listed["source"] == .string("bus"))
        try client.call(TipsInterface.name, TipsInterface.reset, .string(tipApp), .string("t"))
        #expect(try client.evaluateTips() == ["t": ""])
        try client.call(TipsInterface.name, TipsInterface.remove, .string(tipApp), .string("t"))
        #expect(try client.evaluateTips() == [:])
    }

    @Test("What is wrong is a named error that changes nothing: a definition by its path, unknown tips and runs, odd words")
    func errors() throws {
        func code(_ body: () throws -> some Any) throws -> ErrorName? { try client.error(body)?.name }
        let wrong = try client.error { try client.defineTip("t", [tipRules([("key", .string("a")), ("value", .int32(1))], [])]) }
        #expect(wrong?.name == ErrorNames.invalidArgument)
        #expect(wrong?.message.contains("\"rules[1]\"") == true)
        #expect(try code { try client.defineTip("") } == ErrorNames.invalidName)
        #expect(try code { try client.defineTip("t", app: "global") } == ErrorNames.invalidName)
        #expect(try client.evaluateTips() == [:])
        #expect(try code { try client.presentTip("t") } == ErrorNames.notFound)
        #expect(try code { try client.snoozeTip("t", 1) } == ErrorNames.notFound)
        for member in [TipsInterface.remove, TipsInterface.reset] {
            let call = { try client.call(TipsInterface.name, member, .string(tipApp), .string("t")) }
            #expect(try code(call) == ErrorNames.notFound)
        }
        #expect(try code { try client.finishTip(1) } == ErrorNames.notFound)
        try client.defineTip("t")
        let run = try client.presentTip("t").run
        #expect(try code { try client.finishTip(run, "done") } == ErrorNames.invalidArgument)
        #expect(try code { try client.presentTip("t", [("token", .string("x"))]) } == ErrorNames.invalidArgument)
        #expect(try code { try client.presentTip("t", [("on_owner_lost", .string("x"))]) } == ErrorNames.invalidArgument)
        #expect(try client.finishTip(run)["state"] == .string("finished"))
    }

    @Test("S1: two applications' tips at once: one is shown, the other busy; the holder dies, and the next may")
    func oneStage() throws {
        let first = try Client(on: timed.bus)
        try first.defineTip("a", app: "org.example.First")
        try client.defineTip("b")
        #expect(try first.presentTip("a", app: "org.example.First").show)
        #expect(try client.presentTip("b").reason == "busy")
        first.connection.close()
        try client.ask("the stage") { try client.evaluateTips() == ["b": ""] }
        #expect(try client.presentTip("b").show)
    }

    @Test("I1: a tip redrawn ten times in one presentation counts once; shown as often as it may, it is used up")
    func redrawn() throws {
        try client.defineTip("t", [("max_display_count", .uint32(2))])
        let run = try client.presentTip("t").run
        for _ in 1...10 { #expect(try client.presentTip("t").tip["display_count"] == .uint32(1)) }
        try client.finishTip(run)
        try client.showTip("t")
        #expect(try client.presentTip("t").reason == "invalid")
        #expect(try client.listedTip("t")?["invalid"] == .string("display_count"))
    }

    @Test("I1: time on screen adds up over presentations, the owner's death included")
    func duration() throws {
        try client.defineTip("t", [("max_display_duration", .uint64(2_000))])
        let other = try Client(on: timed.bus)
        #expect(try other.presentTip("t").show)
        try timed.advance(1_200)
        other.connection.close()
        try client.ask("the end") { try client.evaluateTips() == ["t": ""] }
        let run = try client.presentTip("t")
        #expect(run.tip["display_duration"] == .uint64(1_200))
        try timed.advance(800)
        #expect(try client.finishTip(run.run)["display_duration"] == .uint64(2_000))
        #expect(try client.listedTip("t")?["invalid"] == .string("display_duration"))
    }

    @Test("on_owner_lost keep: a run outlives its owner and ends after an hour without a call")
    func keeping() throws {
        try client.defineTip("t")
        let shell = try Client(on: timed.bus)
        let run = try shell.presentTip("t", [("on_owner_lost", .string("keep"))]).run
        shell.connection.close()
        try timed.advance(3_599_999)
        #expect(try client.listedTip("t")?["display_count"] == .uint32(1))
        #expect(try client.finishTip(run)["outcome"] == .string("hidden"))
    }

    // MARK: Events

    @Test("I2: counts are exact over two processes: 2 × 200 donations are 400, and a rule on 400 holds from that on")
    func exactCounts() throws {
        try client.defineTip("t", [rule("==", 400)])
        let other = try Client(on: timed.bus)
        var totals: Set<UInt64> = []
        for _ in 1...200 {
            #expect(try client.evaluateTips() == ["t": "rules"])
            for each in [client, other] { totals.insert(try #require(try each.donate("opened"))) }
        }
        #expect(totals == Set(1...400))
        #expect(try client.evaluateTips() == ["t": ""])
        #expect(try other.donate("opened") == 401)
        #expect(try client.evaluateTips() == ["t": "rules"])
    }

    @Test("I2: donations sent without waiting are answered in their order, each with its own total")
    func pipelined() throws {
        let replies = (1...250).map { _ in
            client.begin(TipsInterface.name, TipsInterface.donate, .string(tipApp), .string("opened"), .uint32(2))
        }
        for (index, reply) in replies.enumerated() {
            try client.finish(reply)
            #expect(try reply.result?.get() == [.uint64(UInt64(index + 1) * 2)])
        }
    }

    @Test("I2: a rolling window forgets an event to the millisecond")
    func window() throws {
        try client.defineTip("t", [rule(">=", 2, window: 60_000)])
        try client.donate("opened")
        try timed.advance(30_000)
        try client.donate("opened")
        #expect(try client.evaluateTips() == ["t": ""])
        try timed.advance(29_999)
        #expect(try client.evaluateTips() == ["t": ""])
        try timed.advance(1)
        #expect(try client.evaluateTips() == ["t": "rules"])
    }

    // MARK: Pace

    @Test("I2: frequency keeps back new tips of one application, the budget those of all; neither what was shown before")
    func pace() throws {
        try client.set(tipApp, "onboarding.tip-frequency", .uint32(60_000))
        try client.set("global", "onboarding.tip-budget", .uint64(10_000))
        for tip in ["a", "b"] { try client.defineTip(tip) }
        try client.defineTip("c", app: "org.example.Other")
        try client.showTip("a")
        #expect(try client.evaluateTips() == ["a": "", "b": "frequency"])
        #expect(try client.evaluateTips("org.example.Other") == ["c": "budget"])
        try timed.advance(10_000)
        #expect(try client.evaluateTips("org.example.Other") == ["c": ""])
        try client.showTip("a")
        try timed.advance(49_999)
        #expect(try client.evaluateTips() == ["a": "", "b": "frequency"])
        try timed.advance(1)
        #expect(try client.evaluateTips() == ["a": "", "b": ""])
    }

    @Test("I3: a last-shown time and a donation of 2099 delay nothing beyond their intervals, over restarts too")
    func future() throws {
        try client.set(tipApp, "onboarding.tip-frequency", .uint64(60_000))
        for tip in ["a", "b"] { try client.defineTip(tip) }
        try client.defineTip("recent", [rule(">=", 1, window: 60_000), ("ignores_frequency", .boolean(true))])
        let clock = TestClock(client.connection)
        try clock.setWall(microseconds: 4_070_908_800_000_000)
        try client.showTip("a")
        try client.donate("opened")
        try client.preferences(PreferencesInterface.synchronize)
        // The clock of the new daemon begins at the machine's time, which is long before that.
        try timed.daemon.kill9()
        try timed.daemon.restart()
        #expect(try client.evaluateTips() == ["a": "", "b": "frequency", "recent": ""])
        try timed.advance(59_999)
        #expect(try client.evaluateTips() == ["a": "", "b": "frequency", "recent": ""])
        try timed.advance(1)
        let after = try client.evaluateTips()
        #expect(after == ["a": "", "b": "", "recent": "rules"])
    }

    @Test("I4: groups: the first available of an unordered one, and one after the other of an ordered one")
    func groups() throws {
        for tip in ["third", "second", "first"] {
            try client.defineTip("free-\(tip)", [("group", .string("free"))])
            try client.defineTip("row-\(tip)", [("group", .string("row")), ("ordered", .boolean(true))])
        }
        try client.snoozeTip("free-third", 1_000)
        try client.snoozeTip("row-third", 1_000)
        #expect(
            try client.evaluateTips() == [
                "free-third": "snoozed", "free-second": "", "free-first": "group", "row-third": "snoozed",
                "row-second": "group", "row-first": "group",
            ])
        try timed.advance(1_000)
        try client.showTip("row-third", "action")
        #expect(
            try client.evaluateTips() == [
                "free-third": "", "free-second": "group", "free-first": "group", "row-third": "invalid", "row-second": "",
                "row-first": "group",
            ])
    }

    @Test("I4: the tips of a manifest are in its order")
    func manifestOrder() throws {
        let folder = ConfigurationFolder(timed.bus)
        try client.watch(tipApp)
        try folder.replace("apps/\(tipApp).json", #"{"tips": {"z": {"group": "g"}, "a": {"group": "g"}, "m": {"group": "g"}}}"#)
        try client.wait(for: 3, "the tips") { TipStatus($0) != nil }
        #expect(try client.evaluateTips() == ["z": "", "a": "group", "m": "group"])
        try client.showTip("z", "closed")
        #expect(try client.evaluateTips() == ["z": "invalid", "a": "", "m": "group"])
    }
}
