import DBusTypes
import DefaultsInterface
import LibDBus
import Support
import Testing

@Suite("Admin: why, and how often")
struct ExplainTests {
    private let timed: TimedDaemon
    private var client: Client { timed.client }

    init() throws { timed = try TimedDaemon() }

    /// The gates of a tip that don't let it pass, in order.
    private func closed(_ tip: String = "t") throws -> [String] {
        try client.explain("tip", tip).filter { !$0.isPassed }.map(\.gate)
    }

    @Test("S4: every gate of a tip, in the order of the reasons; each fails alone and passes again, and says what it used")
    func tipGates() throws {
        let names = ["policy", "invalid", "snoozed", "group", "frequency", "budget", "rules", "inhibited", "busy"]
        try client.defineTip("before", [("group", .string("g"))])
        try client.snoozeTip("before", .max)
        try client.defineTip(
            "t",
            [
                ("group", .string("g")), tipRules([("key", .string("mode")), ("operator", .string("!=")), ("value", .int32(7))]),
            ])
        let open = try client.explain("tip", "t")
        #expect(open.map(\.gate) == names)
        #expect(open.allSatisfy { $0.isPassed && !$0.why.isEmpty })
        #expect(try client.evaluateTips()["t"] == "")

        try client.snoozeTip("t", 1_000)
        #expect(try closed() == ["snoozed"])
        try timed.advance(1_000)
        try client.snoozeTip("before", 0)
        #expect(try closed() == ["group"])
        #expect(try client.explain("tip", "t")[3].why == "tip \"before\" of group \"g\" comes first")
        try client.showTip("before")
        try client.snoozeTip("before", .max)
        try client.set(tipApp, "onboarding.tip-frequency", .uint64(5_000))
        #expect(try closed() == ["frequency"])
        try client.set("global", "onboarding.tip-budget", .uint64(9_000))
        #expect(try closed() == ["frequency", "budget"])
        try timed.advance(5_000)
        #expect(try closed() == ["budget"])
        try timed.advance(4_000)
        try client.set(tipApp, "mode", .int32(7))
        #expect(try closed() == ["rules"])
        #expect(try client.explain("tip", "t")[6].why.contains("preference \"mode\" is 7, asked for is != 7"))
        try client.reset(tipApp, "mode")
        let cookie = try #require(try client.call(AdminInterface.name, AdminInterface.inhibit, .string("a film")).first)
        #expect(try closed() == ["inhibited"])
        #expect(try client.explain("tip", "t")[7].why.contains("a film"))
        try client.call(AdminInterface.name, AdminInterface.uninhibit, cookie)
        let run = try client.presentTip("t").run
        #expect(try closed() == ["busy"])
        #expect(try client.explain("tip", "t")[8].why.contains("run \(run)"))
        try client.finishTip(run, "closed")
        #expect(try closed() == ["invalid"])
        #expect(try client.explain("tip", "t")[1].why.hasPrefix("used up: closed"))
    }

    @Test("S4: a guide's and a tour's gates are those of their kind")
    func otherKinds() throws {
        let pages = ArrayValue(unchecked: [.vardict([])], of: .dictionary(key: .string, value: .variant))
        try client.call(
            GuidesInterface.name, GuidesInterface.define, .string(tipApp), .string("g"), .vardict([("pages", .array(pages))]))
        let guide = try client.explain("guide", "g")
        #expect(guide.first?.gate == "policy" && guide.last?.gate == "busy")
        #expect(guide.first { !$0.isPassed }?.gate == "not_recorded")
        let steps = ArrayValue(unchecked: [.vardict([("id", .string("s"))])], of: .dictionary(key: .string, value: .variant))
        try client.call(
            ToursInterface.name, ToursInterface.define, .string(tipApp), .string("t"), .vardict([("steps", .array(steps))]))
        #expect(try client.explain("tour", "t").map(\.gate) == ["policy", "seen", "abandoned", "inhibited", "busy"])
        for kind in ["guide", "tour", "tip"] {
            #expect(try client.error { try client.explain(kind, "unknown") }?.name == ErrorNames.notFound)
        }
        #expect(try client.error { try client.explain("hint", "t") }?.name == ErrorNames.invalidArgument)
        #expect(try client.error { try client.explain("tip", "t", app: "global") }?.name == ErrorNames.invalidName)
        #expect(try client.error { try client.explain("tip", "") }?.name == ErrorNames.invalidName)
    }

    @Test("P1: a preference's layers, with who set what, and which lock it")
    func preference() throws {
        let folder = ConfigurationFolder(timed.bus)
        let other = try Client(on: timed.bus)
        #expect(try client.explain("preference", "theme").allSatisfy { !$0.isPassed && $0.why == "no value" })
        try other.set("global", "theme", .string("dark"))
        try client.watch(tipApp)
        try folder.replace("mandatory.d/a.json", #"{"org.example.Tipper": {"theme": "light"}}"#)
        try client.wait("the lock") { $0.member == PreferencesInterface.locksChanged }
        let layers = try client.explain("preference", "theme")
        #expect(layers.filter(\.isPassed).map(\.gate) == ["mandatory app", "user global"])
        #expect(
            layers.first?.why
                == "\"light\", imposed by a configuration file, which locks the key; this is the effective value")
        #expect(layers[3].why.hasPrefix("\"dark\", set by \(other.name) at "))
        #expect(layers[3].why.hasSuffix("a higher layer hides it"))
        #expect(try client.explain("preference", "theme", app: "global").first?.gate == "mandatory global")
    }

    @Test("S3: the policy is the first gate, and where it has no statistics there are none")
    func policy() throws {
        let folder = ConfigurationFolder(timed.bus)
        try client.defineTip("t")
        try client.watch(tipApp)
        try client.showTip("t")
        #expect(try client.statistics("tip")?["t"]?.dictionary?["shown"] == .uint64(1))
        #expect(try client.statistics("tip")?["t"]?.dictionary?["hidden"] == .uint64(1))
        #expect(try client.statistics("guide") == nil)
        _ = try client.newTipStatuses()
        try folder.replace("policy.d/a.json", #"{"apps": {"org.example.Tipper": {"tips": "deny", "statistics": false}}}"#)
        try client.wait("the policy") { TipStatus($0) == TipStatus("t", "policy") }
        #expect(try client.presentTip("t").reason == "policy")
        #expect(try closed() == ["policy"])
        #expect(try client.explain("tip", "t").first?.why == "policy entry apps.org.example.Tipper.tips is \"deny\"")
        #expect(try client.statistics("tip") == nil)
        _ = try client.newTipStatuses()
        try folder.replace("policy.d/a.json", #"{"apps": {"org.example.Tipper": {"statistics": false}}}"#)
        try client.wait("its end") { TipStatus($0) == TipStatus("t", "") }
        try client.showTip("t")
        try folder.remove("policy.d/a.json")
        try client.ask("statistics") { try client.statistics("tip") != nil }
        // What was shown meanwhile wasn't counted.
        #expect(try client.statistics("tip")?["t"]?.dictionary?["shown"] == .uint64(1))
    }
}
