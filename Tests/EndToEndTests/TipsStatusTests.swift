import DBusTypes
import DefaultsInterface
import LibDBus
import Support
import Testing

@Suite("Tips: StatusChanged")
struct TipsStatusTests {
    private let timed: TimedDaemon
    private var client: Client { timed.client }

    init() throws { timed = try TimedDaemon() }

    private func rule(_ comparison: String, _ count: UInt32, window: UInt64 = 0) -> (String, Value) {
        tipRules([
            ("event", .string("opened")), ("operator", .string(comparison)), ("count", .uint32(count)),
            ("window", .uint64(window)),
        ])
    }

    @Test("Once for each change of a tip's status, whatever changes it, and never where it stays the same")
    func changes() throws {
        try client.defineTip("t", [rule(">=", 2)])
        try client.watch(tipApp)
        #expect(try client.newTipStatuses() == [])
        try client.donate("opened")
        try client.donate("other")
        #expect(try client.newTipStatuses() == [])
        try client.donate("opened")
        #expect(try client.newTipStatuses() == [TipStatus("t", "")])
        try client.donate("opened")
        #expect(try client.newTipStatuses() == [])
        let run = try client.presentTip("t").run
        #expect(try client.newTipStatuses() == [TipStatus("t", "busy")])
        try client.finishTip(run)
        #expect(try client.newTipStatuses() == [TipStatus("t", "")])
        let cookie = try #require(try client.call(AdminInterface.name, AdminInterface.inhibit, .string("a film")).first)
        #expect(try client.newTipStatuses() == [TipStatus("t", "inhibited")])
        try client.call(AdminInterface.name, AdminInterface.uninhibit, cookie)
        #expect(try client.newTipStatuses() == [TipStatus("t", "")])
        try client.showTip("t", "action")
        // Presented and ended in two calls: seen as two changes, or as one.
        #expect(try client.newTipStatuses().last == TipStatus("t", "invalid"))
        try client.defineTip("t", [("revision", .uint32(2)), rule(">=", 2)])
        #expect(try client.newTipStatuses() == [TipStatus("t", "")])
        try client.defineTip("new", [rule("<", 1)])
        #expect(try client.newTipStatuses() == [TipStatus("new", "rules")])
        try client.call(TipsInterface.name, TipsInterface.remove, .string(tipApp), .string("t"))
        #expect(try client.newTipStatuses() == [TipStatus("t", "invalid")])
    }

    @Test("Preferences that a rule is on change it: the application's, and global's where it has none")
    func preferences() throws {
        try client.defineTip("t", [tipRules([("key", .string("mode")), ("value", .string("expert"))])])
        try client.watch(tipApp)
        try client.set("global", "mode", .string("expert"))
        try client.set(tipApp, "other", .string("expert"))
        #expect(try client.newTipStatuses() == [TipStatus("t", "")])
        try client.set(tipApp, "mode", .string("plain"))
        #expect(try client.newTipStatuses() == [TipStatus("t", "rules")])
        try client.set("global", "mode", .string("plain"))
        try client.reset(tipApp, "mode")
        #expect(try client.newTipStatuses() == [])
    }

    @Test("When a snooze ends, when a window forgets, when a pace is over: at that moment, with nobody asking")
    func time() throws {
        try client.set(tipApp, "onboarding.tip-frequency", .uint64(20_000))
        try client.defineTip("snoozed")
        try client.defineTip("window", [rule(">=", 1, window: 30_000), ("ignores_frequency", .boolean(true))])
        try client.defineTip("new")
        try client.defineTip("shown")
        try client.showTip("shown")
        try client.donate("opened")
        try client.snoozeTip("snoozed", 40_000)
        try client.watch(tipApp)
        for (wait, expected): (UInt64, [TipStatus]) in [
            (19_999, []), (1, [TipStatus("new", "")]), (9_999, []), (1, [TipStatus("window", "rules")]), (9_999, []),
            (1, [TipStatus("snoozed", "")]), (3_600_000, []),
        ] {
            try TestClock(client.connection).advance(milliseconds: wait)
            #expect(try client.newTipStatuses() == expected, "after \(wait) ms")
        }
    }

    @Test("S1: a run that is silent for ten minutes gives the stage back, and who watches is told")
    func silence() throws {
        try client.defineTip("t")
        try client.watch(tipApp)
        let other = try Client(on: timed.bus)
        try other.defineTip("a", app: "org.example.Other")
        let run = try other.presentTip("a", app: "org.example.Other").run
        #expect(try client.newTipStatuses() == [TipStatus("t", "busy")])
        try timed.advance(599_999)
        #expect(try client.newTipStatuses() == [])
        try timed.advance(1)
        #expect(try client.newTipStatuses() == [TipStatus("t", "")])
        try other.finishTip(run)
        #expect(try client.newTipStatuses() == [])
    }

    @Test("Only those who watch the application are told, once each, also where two of its tips change")
    func watchers() throws {
        let other = try Client(on: timed.bus)
        let bystander = try Client(on: timed.bus)
        for tip in ["a", "b"] { try client.defineTip(tip, [rule(">=", 1)]) }
        try client.watch(tipApp)
        try client.watch(tipApp)
        try other.watch(tipApp)
        try bystander.watch("org.example.Other")
        try client.donate("opened")
        let expected = [TipStatus("a", ""), TipStatus("b", "")]
        #expect(try client.newTipStatuses() == expected)
        #expect(try other.newTipStatuses() == expected)
        #expect(try bystander.newTipStatuses() == [])
        try other.unwatch(tipApp)
        try client.defineTip("a", [rule(">=", 9)])
        #expect(try client.newTipStatuses() == [TipStatus("a", "rules")])
        #expect(try other.newTipStatuses() == [])
    }

    @Test("A reply comes before the signals that its call causes")
    func order() throws {
        try client.defineTip("t", [rule(">=", 1)])
        try client.watch(tipApp)
        let reply = client.begin(TipsInterface.name, TipsInterface.donate, .string(tipApp), .string("opened"), .uint32(1))
        try client.wait("the status") { $0.member == TipsInterface.statusChanged }
        #expect(reply.result != nil)
        #expect(reply.position == 0)
    }

    @Test("A tip that a manifest defines while it is watched is told of, and so is its end")
    func manifest() throws {
        let folder = ConfigurationFolder(timed.bus)
        try client.watch(tipApp)
        try folder.replace("apps/\(tipApp).json", #"{"tips": {"t": {"rules": [{"key": "mode", "operator": "!=", "value": 7}]}}}"#)
        try client.wait("the tip") { TipStatus($0) == TipStatus("t", "") }
        #expect(try client.listedTip("t")?["source"] == .string("manifest"))
        try folder.replace("apps/\(tipApp).json", "{}")
        try client.wait("its end") { TipStatus($0) == TipStatus("t", "invalid") }
        #expect(client.signals.compactMap(TipStatus.init).count == 2)
    }
}
