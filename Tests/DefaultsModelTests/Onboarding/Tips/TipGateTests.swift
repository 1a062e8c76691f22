import DBusTypes
import Testing

@testable import DefaultsModel

@Suite("Gates of tips")
struct TipGateTests {
    private let desk = TipDesk()

    private func set(_ key: String, _ milliseconds: UInt64, in domain: DomainName = LedgerFixture.app) {
        desk.fixture.set(key, .uint64(milliseconds), in: domain)
        desk.fixture.commitAll()
    }

    @Test("S2: the gates are in the order of the reasons, and the first that fails is the reason")
    func order() throws {
        try desk.define(
            "t",
            [
                ("max_display_count", .uint32(1)), ("group", .string("g")),
                TipDesk.rules([("key", .string("a")), ("value", .int32(1))]),
            ])
        let call = desk.call()
        let gates = try desk.view.tipGates(desk.app, TipDesk.id("t"), call, explaining: true)
        #expect(
            gates.checks.map(\.gate) == [.policy, .invalid, .snoozed, .group, .frequency, .budget, .rules, .inhibited, .busy])
        #expect(gates.checks.filter { !$0.isPassed }.map(\.gate) == [.rules])
        #expect(gates.checks.allSatisfy { !$0.why.isEmpty })
        try desk.perform { view throws(ModelError) in try view.inhibiting(by: TipDesk.connection(9), reason: "") }
        #expect(try desk.reason("t") == "rules")
        desk.fixture.set("a", .int32(1))
        desk.fixture.commitAll()
        #expect(try desk.reason("t") == "inhibited")
    }

    @Test("S4: every gate says what it used")
    func explanations() throws {
        set("onboarding.tip-frequency", 60_000)
        try desk.define("first")
        try desk.show("first")
        try desk.define(
            "t",
            [
                ("max_display_count", .uint32(3)),
                TipDesk.rules(
                    [("key", .string("mode")), ("value", .string("expert"))],
                    [("event", .string("e")), ("operator", .string(">=")), ("count", .uint32(2)), ("window", .uint64(500))]),
            ])
        try desk.donate("e")
        try desk.snooze("t", 1_500)
        let gates = try desk.view.tipGates(desk.app, TipDesk.id("t"), desk.call(), explaining: true)
        let why = Dictionary(uniqueKeysWithValues: gates.checks.map { ($0.gate, $0.why) })
        #expect(why[.policy] == "no policy says anything: allow")
        #expect(
            why[.invalid]
                == "presented 0 of at most 3 times, on screen 0 ms with no limit, at revision 1 where 1 is defined")
        #expect(why[.snoozed] == "put off, for 1500 ms more")
        #expect(why[.group] == "it is in no group")
        #expect(why[.frequency] == "onboarding.tip-frequency is 60000 ms, and the last new tip is younger, for 60000 ms more")
        #expect(why[.budget] == "onboarding.tip-budget of global is not set")
        #expect(
            why[.rules]
                == "rules[0] doesn't hold: preference \"mode\" is absent, asked for is == \"expert\"; rules[1] doesn't hold: event \"e\" was donated 1 times in the last 500 ms, asked for is >= 2"
        )
    }

    // MARK: Limits

    @Test("I1: max_display_count counts presentations; reached during one, the tip is used up when that ends")
    func displayCount() throws {
        try desk.define("t", [("max_display_count", .uint32(2))])
        try desk.show("t")
        #expect(try desk.reason("t").isEmpty)
        let run = try desk.present("t")
        #expect(run.tip["display_count"] == .uint32(2))
        #expect(try desk.reason("t") == "busy")
        #expect(try desk.invalid("t").isEmpty)
        try desk.finish(run.run)
        #expect(try desk.reason("t") == "invalid")
        #expect(try desk.invalid("t") == "display_count")
        #expect(try desk.present("t").reason == "invalid")
    }

    @Test("I1: max_display_duration is cumulative over presentations, and never cuts one short")
    func displayDuration() throws {
        try desk.define("t", [("max_display_duration", .uint64(1_000))])
        try desk.show("t", for: 600)
        #expect(try desk.reason("t").isEmpty)
        try desk.show("t", for: 399)
        #expect(try desk.reason("t").isEmpty)
        let run = try desk.present("t")
        desk.advance(milliseconds: 1)
        #expect(try desk.reason("t") == "busy")
        #expect(try desk.finish(run.run)["display_duration"] == .uint64(1_000))
        #expect(try desk.invalid("t") == "display_duration")
    }

    @Test("I1: what a run comes to counts also when its owner dies, and not after a logout")
    func ownerLoss() throws {
        try desk.define("t", [("max_display_duration", .uint64(1_000))])
        for (end, shown): (RunEnd, Bool) in [(.busLost, true), (.ownerLost, false)] {
            let run = try desk.present("t")
            desk.advance(milliseconds: 1_000)
            let now = desk.now
            try desk.perform { view in view.cleaning(at: now) { $0 == TipDesk.connection(1) ? end : nil } }
            #expect(throws: ModelError.self) { try desk.finish(run.run) }
            #expect(try desk.reason("t").isEmpty == shown, "\(end)")
        }
        #expect(try desk.invalid("t") == "display_duration")
    }

    @Test("I3: action and closed use a tip up, hidden doesn't", arguments: TipOutcome.allCases)
    func outcomes(_ outcome: TipOutcome) throws {
        try desk.define("t")
        try desk.show("t", outcome)
        #expect(try desk.invalid("t") == (outcome == .hidden ? "" : outcome.rawValue))
        #expect(try desk.reason("t") == (outcome == .hidden ? "" : "invalid"))
    }

    @Test("G4: a raised revision makes a tip new again, a lowered one changes nothing")
    func revisions() throws {
        try desk.define("t", [("revision", .uint32(2)), ("max_display_count", .uint32(1))])
        try desk.show("t", .closed)
        #expect(try !desk.define("t", [("revision", .uint32(1))]))
        #expect(try desk.invalid("t") == "closed")
        #expect(try desk.define("t", [("revision", .uint32(2)), ("max_display_count", .uint32(5))]))
        #expect(try desk.invalid("t") == "closed")
        #expect(try desk.define("t", [("revision", .uint32(3)), ("max_display_count", .uint32(1))]))
        #expect(try desk.reason("t").isEmpty)
        #expect(try desk.present("t").tip["display_count"] == .uint32(1))
    }

    @Test("I3: a tip of which the user has had a newer revision is used up")
    func olderRevision() throws {
        let old = try TipDesk.definition([("revision", .uint32(1))])
        desk.take(FileLayers(definitions: [desk.app: ManifestDefinitions(tips: [TipDesk.id("t"): old])]))
        try desk.define("t", [("revision", .uint32(2))])
        try desk.show("t")
        let app = desk.app
        let now = desk.now
        try desk.perform { view throws(ModelError) in try view.removingTip(app, TipDesk.id("t"), at: now) }
        #expect(try desk.invalid("t") == "revision")
        #expect(try desk.reason("t") == "invalid")
    }

    // MARK: Time

    @Test("A snooze ends by itself, or by one of 0 ms; it is no invalidity")
    func snooze() throws {
        try desk.define("t")
        try desk.snooze("t", 1_000)
        #expect(try desk.reason("t") == "snoozed")
        #expect(try desk.invalid("t").isEmpty)
        #expect(try desk.nextChange() == 1_000)
        desk.advance(milliseconds: 999)
        #expect(try desk.reason("t") == "snoozed")
        desk.advance(milliseconds: 1)
        #expect(try desk.reason("t").isEmpty)
        try desk.snooze("t", .max)
        #expect(try desk.reason("t") == "snoozed")
        try desk.snooze("t", 0)
        #expect(try desk.reason("t").isEmpty)
        #expect(throws: ModelError.self) { try desk.snooze("unknown", 1) }
    }

    @Test("I2: frequency limits only tips never shown before, of one application")
    func frequency() throws {
        set("onboarding.tip-frequency", 10_000)
        for tip in ["a", "b", "urgent"] { try desk.define(tip, [("ignores_frequency", .boolean(tip == "urgent"))]) }
        try desk.define("c", in: LedgerFixture.other)
        try desk.show("a", for: 1_000)
        #expect(try desk.reason("b") == "frequency")
        #expect(try desk.reason("a").isEmpty)
        #expect(try desk.reason("urgent").isEmpty)
        #expect(try desk.reason("c", in: LedgerFixture.other).isEmpty)
        try desk.show("a")
        desk.advance(milliseconds: 8_999)
        #expect(try desk.reason("b") == "frequency")
        desk.advance(milliseconds: 1)
        // Ten seconds after a was first shown, whenever it was shown again.
        #expect(try desk.reason("b").isEmpty)
    }

    @Test("I2: the budget of all applications together is global's")
    func budget() throws {
        set("onboarding.tip-budget", 10_000, in: .global)
        try desk.define("a")
        try desk.define("b")
        try desk.define("c", in: LedgerFixture.other)
        try desk.define("urgent", [("ignores_frequency", .boolean(true))], in: LedgerFixture.other)
        try desk.show("a")
        #expect(try desk.reason("b") == "budget")
        #expect(try desk.reason("c", in: LedgerFixture.other) == "budget")
        #expect(try desk.reason("urgent", in: LedgerFixture.other).isEmpty)
        desk.advance(milliseconds: 10_000)
        #expect(try desk.reason("c", in: LedgerFixture.other).isEmpty)
        // An application's own key of that name is no budget.
        set("onboarding.tip-budget", 99_000)
        #expect(try desk.reason("b").isEmpty)
    }

    @Test("I3: a last-shown time in 2099 delays nothing beyond its interval")
    func future() throws {
        set("onboarding.tip-frequency", 10_000)
        set("onboarding.tip-budget", 5_000, in: .global)
        for tip in ["a", "b"] { try desk.define(tip) }
        let today = desk.now
        desk.now.wall = 4_070_908_800_000_000
        try desk.show("a")
        try desk.snooze("a", 2_000)
        desk.now = today
        #expect(try desk.present("b").reason == "frequency")
        #expect(try desk.reason("a") == "snoozed")
        desk.advance(milliseconds: 2_000)
        #expect(try desk.reason("a").isEmpty)
        desk.advance(milliseconds: 7_999)
        #expect(try desk.reason("b") == "frequency")
        desk.advance(milliseconds: 1)
        #expect(try desk.reason("b").isEmpty)
    }

    @Test(
        "What is no number of milliseconds limits nothing",
        arguments: [Value.int64(-1), .string("1000"), .double(1_000), .uint32(0)])
    func oddIntervals(_ value: Value) throws {
        for (key, domain) in [("onboarding.tip-frequency", desk.app), ("onboarding.tip-budget", .global)] {
            desk.fixture.set(key, value, in: domain)
        }
        desk.fixture.commitAll()
        try desk.define("a")
        try desk.define("b")
        try desk.show("a")
        #expect(try desk.reason("b").isEmpty)
    }

    // MARK: Groups

    @Test("I4: of an unordered group the first available one is shown, in the order in which they were defined")
    func unordered() throws {
        let group: (String, Value) = ("group", .string("g"))
        try desk.define("one", [group, TipDesk.rules([("key", .string("a")), ("value", .int32(1))])])
        try desk.define("two", [group])
        try desk.define("three", [group])
        try desk.define("alone")
        #expect(try ["one", "two", "three", "alone"].map { try desk.reason($0) } == ["rules", "", "group", ""])
        desk.fixture.set("a", .int32(1))
        desk.fixture.commitAll()
        #expect(try ["one", "two", "three"].map { try desk.reason($0) } == ["", "group", "group"])
        let run = try desk.present("one")
        #expect(try desk.reason("two") == "group")
        try desk.finish(run.run, .action)
        #expect(try ["one", "two", "three"].map { try desk.reason($0) } == ["invalid", "", "group"])
        // A definition that is replaced keeps its place.
        try desk.define("two", [group, ("title", .string("new"))])
        #expect(try ["two", "three"].map { try desk.reason($0) } == ["", "group"])
        try desk.snooze("two", 1_000)
        #expect(try ["two", "three"].map { try desk.reason($0) } == ["snoozed", ""])
    }

    @Test("I4: in an ordered group a tip waits until all before it are used up")
    func ordered() throws {
        for tip in ["one", "two", "three"] { try desk.define(tip, [("group", .string("g")), ("ordered", .boolean(true))]) }
        #expect(try ["one", "two", "three"].map { try desk.reason($0) } == ["", "group", "group"])
        try desk.show("one", .hidden)
        try desk.snooze("one", 60_000)
        #expect(try ["one", "two", "three"].map { try desk.reason($0) } == ["snoozed", "group", "group"])
        try desk.snooze("one", 0)
        try desk.show("one", .closed)
        #expect(try ["one", "two", "three"].map { try desk.reason($0) } == ["invalid", "", "group"])
        try desk.show("two", .action)
        #expect(try desk.reason("three").isEmpty)
    }

    @Test("I4: what a manifest defines comes first, in its order")
    func manifestOrder() throws {
        func tip(_ position: Int) throws -> TipDefinition {
            var definition = try TipDesk.definition([("group", .string("g"))])
            definition.position = position
            return definition
        }
        try desk.define("a", [("group", .string("g"))])
        let tips = [TipDesk.id("z"): try tip(0), TipDesk.id("y"): try tip(1)]
        desk.take(FileLayers(definitions: [desk.app: ManifestDefinitions(tips: tips)]))
        #expect(try ["z", "y", "a"].map { try desk.reason($0) } == ["", "group", "group"])
        try desk.show("z", .closed)
        #expect(try ["z", "y", "a"].map { try desk.reason($0) } == ["invalid", "", "group"])
    }
}
