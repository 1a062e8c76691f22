import DBusTypes
import DefaultsInterface
import Testing

@testable import DefaultsCommands

@Suite("Listings of guides, tours and tips")
struct OnboardingListingTests {
    @Test("explain: gate, passed or closed, and why, in columns; a layer has a value or not")
    func explain() {
        let gates = [
            ExplainCommand.Gate(name: "policy", isPassed: true, why: "allow"),
            ExplainCommand.Gate(name: "not_recorded", isPassed: false, why: "no launch\nof it"),
        ]
        #expect(
            ExplainCommand.lines(gates, of: "guide")
                == ["policy        passed  allow", #"not_recorded  closed  "no launch\nof it""#])
        #expect(
            ExplainCommand.lines(gates, of: "preference")
                == ["policy        yes  allow", #"not_recorded  no   "no launch\nof it""#])
    }

    @Test("stats: guides, tours and tips, sorted, with what was counted")
    func statistics() {
        func counts(_ shown: UInt64, _ others: [(String, Value)]) -> Value { .vardict([("shown", .uint64(shown))] + others) }
        let statistics = DictionaryValue([
            ("tip", .vardict([("undo", counts(2, [("hidden", .uint64(2))]))])),
            (
                "guide",
                .vardict([
                    ("whatsnew", counts(1, [("furthest", .uint32(0))])),
                    ("intro", counts(12, [("skipped", .uint64(2)), ("furthest", .uint32(3)), ("completed", .uint64(1))])),
                ])
            ),
        ])
        #expect(
            StatisticsCommand.lines(statistics) == [
                "guide  intro     shown 12, completed 1, skipped 2, furthest 3", "guide  whatsnew  shown 1, furthest 0",
                "tip    undo      shown 2, hidden 2",
            ])
        #expect(StatisticsCommand.lines(DictionaryValue([])).isEmpty)
    }

    @Test("list: id and entries in the order that help gives them, - for what is empty")
    func list() {
        let entries = DictionaryValue([
            ("source", .string("bus")), ("state", .string("new")), ("outcome", .string("")), ("revision", .uint32(2)),
            ("attempts", .uint32(0)), ("furthest", .uint32(1)),
        ])
        #expect(PresentationCommands.line("intro", entries, of: .guide) == "intro\tnew\t-\t2\t0\t1\tbus")
        let tip = DictionaryValue([
            ("available", .boolean(false)), ("reason", .string("rules")), ("invalid", .string("")), ("revision", .uint32(1)),
            ("display_count", .uint32(3)), ("source", .string("manifest")),
        ])
        #expect(PresentationCommands.line("undo", tip, of: .tip) == "undo\tfalse\trules\t-\t1\t3\tmanifest")
    }

    @Test("S2: each reason has a sentence; busy and inhibited mean try again, the others no", arguments: Reasons.all)
    func reasons(reason: String) {
        let failure = NotShown.failure(.tip, app: "org.example.App", id: "undo", reason: reason)
        #expect(failure.message.hasPrefix("tip undo of org.example.App isn't shown (\(reason)): "))
        #expect(!failure.message.contains("doesn't know that reason"))
        let isPassing = reason == "busy" || reason == "inhibited"
        #expect(failure.status == (isPassing ? .notNow : .no))
        #expect(failure.message.hasSuffix("\"defaultsctl explain org.example.App tip undo\" says more") == !isPassing)
    }

    @Test("what is seen or used up says how to see it again, in the words of its kind")
    func again() {
        let guide = NotShown.failure(.guide, app: "org.example.App", id: "intro", reason: "seen").message
        #expect(guide.contains("\"defaultsctl guide reset org.example.App intro\" makes it new") && guide.contains("--replay"))
        let unknown = NotShown.failure(.tour, app: "org.example.App", id: "a\u{1B}", reason: "later\u{1B}").message
        #expect(!unknown.contains("\u{1B}") && unknown.contains("doesn't know that reason"))
    }

    @Test("COUNT of donate is a number that the interface can carry, 1 by default")
    func donate() throws {
        #expect(try TipCommands.count(nil) == 1)
        #expect(try TipCommands.count("4294967295") == .max)
        for text in ["-1", "4294967296", "many", ""] {
            let failure = try #require(throws: Failure.self) { try TipCommands.count(text) }
            #expect(failure.status == .usage && failure.message.contains("\"\(text)\""))
        }
    }

    @Test("the daemon's names of members and entries become what one types")
    func words() {
        #expect(
            CommandWords.message("no launch of app a.b is on record; Launches.Record records one")
                == "no launch of app a.b is on record; \"defaultsctl launch record\" records one")
        #expect(
            CommandWords.message("it is unknown; Admin.AcknowledgeLoss starts afresh")
                == "it is unknown; \"defaultsctl status --acknowledge\" starts afresh")
        #expect(
            CommandWords.message("spec entry \"duration\" is 9999999999000; it must be 0 to 2592000000 milliseconds")
                == "SECONDS, in milliseconds, is 9999999999000; it must be 0 to 2592000000 milliseconds")
        #expect(CommandWords.message("nothing of the kind") == "nothing of the kind")
    }
}
