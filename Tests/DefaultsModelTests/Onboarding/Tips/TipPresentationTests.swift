import DBusTypes
import Testing

@testable import DefaultsModel

@Suite("Presentations of tips")
struct TipPresentationTests {
    private let desk = TipDesk()

    private var call: Presenting { desk.call() }

    private func policy(_ mode: OnboardingPolicy.Mode?, statistics: Bool? = nil) {
        desk.take(FileLayers(policy: OnboardingPolicy(machine: .init(onboarding: mode, statistics: statistics))))
    }

    // MARK: Definitions

    @Test("Define: the same again changes nothing; other content of the same revision keeps what became of the tip")
    func defining() throws {
        #expect(try desk.define("t", [("title", .string("a")), ("group", .string("g"))]))
        #expect(try !desk.define("t", [("group", .string("g")), ("title", .string("a"))]))
        try desk.show("t", .closed)
        #expect(try desk.define("t", [("title", .string("b"))]))
        #expect(try desk.invalid("t") == "closed")
        let batches = desk.fixture.commitAll()
        #expect(batches == 0)
    }

    @Test("Bus and manifest both define a tip: the higher revision holds, at the same one the bus's")
    func twoSources() throws {
        let id = TipDesk.id("t")
        let manifest = try TipDesk.definition([("revision", .uint32(2)), ("title", .string("manifest"))])
        try desk.define("t", [("revision", .uint32(1)), ("title", .string("bus"))])
        func source() throws -> String { try desk.view.tip(desk.app, id).source }
        #expect(try source() == "bus")
        desk.take(FileLayers(definitions: [desk.app: ManifestDefinitions(tips: [id: manifest])]))
        #expect(try source() == "manifest")
        #expect(try desk.define("t", [("revision", .uint32(2)), ("title", .string("bus"))]))
        #expect(try source() == "bus")
        #expect(try desk.present("t").tip["title"] == .string("bus"))
    }

    @Test("Remove takes a tip away with what became of it and ends its run; a manifest's stays")
    func removing() throws {
        let app = desk.app
        let now = desk.now
        try desk.define("t")
        let run = try desk.present("t")
        try desk.perform { view throws(ModelError) in try view.removingTip(app, TipDesk.id("t"), at: now) }
        #expect(try desk.finish(run.run)["state"] == .string("released"))
        #expect(try desk.finish(run.run)["outcome"] == .string("released"))
        #expect(desk.view.onboardingIDs(app).isEmpty || desk.view.onboardingIDs(app).allSatisfy { $0.kind == .tips })
        #expect(throws: ModelError.self) { try desk.present("t") }
        let remove = { (view: StateView) throws(ModelError) -> Outcome in try view.removingTip(app, TipDesk.id("t"), at: now) }
        #expect(throws: ModelError.self) { try desk.perform(remove) }
        desk.take(FileLayers(definitions: [app: ManifestDefinitions(tips: [TipDesk.id("t"): try TipDesk.definition([])])]))
        try desk.show("t", .closed)
        try desk.perform(remove)
        #expect(try desk.invalid("t") == "closed")
    }

    @Test("Reset makes a tip new, ends its run and keeps the statistics")
    func resetting() throws {
        let app = desk.app
        let now = desk.now
        try desk.define("t", [("max_display_count", .uint32(1))])
        try desk.show("t", .closed)
        let reset = { (view: StateView) throws(ModelError) -> Outcome in try view.resettingTip(app, TipDesk.id("t"), at: now) }
        try desk.perform(reset)
        #expect(try desk.invalid("t").isEmpty)
        let run = try desk.present("t")
        #expect(run.tip["display_count"] == .uint32(1))
        try desk.perform(reset)
        #expect(try desk.finish(run.run)["state"] == .string("released"))
        #expect(try desk.reason("t").isEmpty)
        #expect(desk.view.tipStatistics(app).dictionary?["t"]?.dictionary?["shown"] == .uint64(2))
        #expect(throws: ModelError.self) {
            try desk.perform { view throws(ModelError) in try view.resettingTip(app, TipDesk.id("unknown"), at: now) }
        }
    }

    @Test("An application defines at most 256 tips over the bus; those there may be defined anew")
    func limit() throws {
        let changes = try (1...StateView.maximumTips).map { number -> RecordChange in
            let definition = BusTipDefinition(order: UInt64(number), definition: try TipDesk.definition([]))
            return .onboarding(desk.app, BusTipDefinition.record(TipDesk.id("t\(number)")), definition.stored)
        }
        try desk.perform { _ in Outcome(changes: changes) }
        #expect(throws: ModelError.self) { try desk.define("one more") }
        #expect(try desk.define("t7", [("title", .string("new"))]))
    }

    // MARK: Present and Finish

    @Test("A tip that is shown has its run, its entries, and the definition's")
    func presenting() throws {
        try desk.define("t", [("title", .string("a")), ("attributes", .vardict([("colour", .string("red"))]))])
        let run = try desk.present("t")
        #expect(run.show)
        #expect(run.reason.isEmpty)
        #expect(run.tip["id"] == .string("t"))
        #expect(run.tip["state"] == .string("presenting"))
        #expect(run.tip["outcome"] == .string(""))
        #expect(run.tip["display_count"] == .uint32(1))
        #expect(run.tip["display_duration"] == .uint64(0))
        #expect(run.tip["title"] == .string("a"))
        // A run keeps what it began with; attributes follow the definition.
        try desk.define("t", [("title", .string("b")), ("attributes", .vardict([("colour", .string("blue"))]))])
        desk.advance(milliseconds: 250)
        let tip = try desk.finish(run.run, .action)
        #expect(tip["title"] == .string("a"))
        #expect(tip["attributes"] == .vardict([("colour", .string("blue"))]))
        #expect(tip["state"] == .string("finished"))
        #expect(tip["outcome"] == .string("action"))
        #expect(tip["display_duration"] == .uint64(250))
        #expect(try desk.present("t").tip["state"] == .string("finished"))
    }

    @Test("G8: the first outcome wins; later calls return it and change nothing")
    func finishTwice() throws {
        try desk.define("t")
        let run = try desk.present("t").run
        let first = try desk.finish(run, .hidden)
        desk.advance(milliseconds: 100)
        #expect(try desk.finish(run, .closed) == first)
        #expect(try desk.invalid("t").isEmpty)
        #expect(throws: ModelError.self) { try desk.finish(run + 1) }
        #expect(throws: ModelError.self) { try TipOutcome(argument: "done") }
    }

    @Test("A tip redrawn ten times in one presentation counts once")
    func redrawing() throws {
        try desk.define("t", [("max_display_count", .uint32(2))])
        let run = try desk.present("t")
        for _ in 1...10 {
            let again = try desk.present("t")
            #expect(again.reason == "busy")
            #expect(again.run == 0)
            #expect(again.tip["state"] == .string("presenting"))
            #expect(again.tip["display_count"] == .uint32(1))
        }
        try desk.finish(run.run)
        #expect(try desk.reason("t").isEmpty)
    }

    @Test("S1: a tip of one application keeps another's waiting, and its holder's death lets the next come")
    func oneStage() throws {
        try desk.define("a")
        try desk.define("b", in: LedgerFixture.other)
        try desk.present("a", by: 1)
        #expect(try desk.present("b", by: 2, in: LedgerFixture.other).reason == "busy")
        let now = desk.now
        try desk.perform { view in view.cleaning(at: now) { $0 == TipDesk.connection(1) ? .ownerLost : nil } }
        #expect(try desk.present("b", by: 2, in: LedgerFixture.other).show)
    }

    @Test("S1: ten minutes without a call, and the same tip may be presented again: the old run ends")
    func silence() throws {
        try desk.define("t", [("max_display_count", .uint32(2))])
        let old = try desk.present("t")
        desk.advance(milliseconds: 599_999)
        #expect(try desk.reason("t") == "busy")
        #expect(try desk.nextChange() == 1)
        desk.advance(milliseconds: 1)
        let new = try desk.present("t", by: 2)
        #expect(new.show)
        #expect(new.tip["display_count"] == .uint32(2))
        #expect(new.tip["display_duration"] == .uint64(600_000))
        #expect(try desk.finish(old.run)["state"] == .string("released"))
        #expect(try desk.finish(new.run)["outcome"] == .string("hidden"))
        #expect(try desk.invalid("t") == "display_count")
    }

    @Test("S1: a tip on its last presentation that has gone silent is used up, and isn't begun again")
    func silentAtTheLimit() throws {
        try desk.define("t", [("max_display_count", .uint32(1))])
        let run = try desk.present("t")
        desk.advance(milliseconds: 600_000)
        #expect(try desk.present("t").reason == "invalid")
        #expect(try desk.finish(run.run, .action)["outcome"] == .string("action"))
    }

    @Test("The end of a run of an older revision says nothing of the new one")
    func olderRun() throws {
        try desk.define("t", [("revision", .uint32(1))])
        let run = try desk.present("t")
        try desk.define("t", [("revision", .uint32(2))])
        desk.advance(milliseconds: 600_000)
        let next = try desk.present("t", by: 2)
        #expect(next.show)
        #expect(next.tip["display_count"] == .uint32(1))
        #expect(next.tip["display_duration"] == .uint64(0))
        #expect(try desk.finish(run.run, .closed)["outcome"] == .string("released"))
        #expect(try desk.finish(next.run)["outcome"] == .string("hidden"))
        #expect(try desk.invalid("t").isEmpty)
    }

    @Test("G9: a replay shows what is used up, and writes nothing of it")
    func replay() throws {
        desk.fixture.set("onboarding.tip-frequency", .uint64(60_000))
        desk.fixture.commitAll()
        try desk.define("t", [TipDesk.rules([("key", .string("a")), ("value", .int32(1))])])
        try desk.define("other")
        let before = desk.view.onboardingIDs(desk.app)
        let run = try desk.present("t", replay: true)
        #expect(run.show)
        #expect(run.tip["display_count"] == .uint32(0))
        desk.advance(milliseconds: 100)
        #expect(try desk.finish(run.run, .closed)["display_duration"] == .uint64(0))
        #expect(desk.view.onboardingIDs(desk.app) == before)
        #expect(try desk.reason("t") == "rules")
        #expect(try desk.reason("other").isEmpty)
        let aborted = try desk.present("t", replay: true).run
        let now = desk.now
        try desk.perform { view in view.ending({ $0.id == aborted ? .ownerLost : nil }, at: now) }
        #expect(desk.view.onboardingIDs(desk.app) == before)
    }

    // MARK: Policy

    @Test("S3: deny shows nothing and writes no state; lifted, the tip is available again")
    func deny() throws {
        try desk.define("t")
        policy(.deny)
        let before = desk.view.onboardingIDs(desk.app)
        #expect(try desk.present("t").reason == "policy")
        #expect(try desk.present("t", replay: true).reason == "policy")
        #expect(desk.view.onboardingIDs(desk.app) == before)
        policy(nil)
        #expect(try desk.present("t").show)
    }

    @Test("S3: a policy turned to deny ends what is shown as released")
    func denyLive() throws {
        try desk.define("t", [("max_display_count", .uint32(5))])
        let run = try desk.present("t")
        policy(.deny)
        let tip = try desk.finish(run.run, .action)
        #expect(tip["state"] == .string("released"))
        policy(nil)
        #expect(try desk.reason("t").isEmpty)
    }

    @Test("S3: baseline has a tip count as seen when it is wished for, or defined, and not by a replay")
    func baseline() throws {
        for tip in ["wished", "replayed", "untouched"] { try desk.define(tip) }
        policy(.baseline)
        #expect(try desk.present("wished").reason == "policy")
        #expect(try desk.present("replayed", replay: true).reason == "policy")
        try desk.define("defined")
        try desk.define("untouched", [("title", .string("other"))])
        policy(nil)
        #expect(try desk.invalid("wished") == "policy")
        #expect(try desk.invalid("defined") == "policy")
        #expect(try desk.invalid("untouched") == "policy")
        #expect(try desk.reason("replayed").isEmpty)
        try desk.define("wished", [("revision", .uint32(2))])
        #expect(try desk.reason("wished").isEmpty)
    }

    // MARK: Statistics

    @Test("Statistics count what was shown and how it ended, over all revisions, and not where the policy says no")
    func statistics() throws {
        try desk.define("t")
        try desk.show("t", .hidden)
        try desk.show("t", .hidden)
        try desk.define("t", [("revision", .uint32(2))])
        try desk.show("t", .closed)
        let app = desk.app
        let counted = Value.vardict([
            ("t", .vardict([("shown", .uint64(3)), ("closed", .uint64(1)), ("hidden", .uint64(2))]))
        ])
        #expect(desk.view.statistics(app) == .vardict([("tip", counted)]))
        policy(nil, statistics: false)
        try desk.define("silent")
        try desk.show("silent", .closed)
        #expect(desk.view.statistics(app) == .vardict([]))
        policy(nil)
        #expect(desk.view.statistics(app) == .vardict([("tip", counted)]))
    }

    // MARK: Records

    @Test("What is on disk reads back as it was, and damaged it is nothing; neither is it absent")
    func records() throws {
        try desk.define("t", [("title", .string("a"))])
        try desk.show("t", .closed)
        try desk.snooze("t", 1_000)
        let app = desk.app
        for kind in [OnboardingKind.tipDefinition, .tip, .tips] {
            let id = try #require(desk.view.onboardingIDs(app, kind).first)
            let stored = try #require(desk.view.onboarding(app, id))
            #expect(id.accepts(stored))
            #expect(!OnboardingID(kind, kind == .tips ? "x" : "").accepts(stored))
            for entry in try #require(stored.dictionary).entries where entry.key != .string("snoozed_since") {
                let rest = (stored.dictionary?.entries ?? []).filter { $0.key != entry.key }
                let damaged = Value.dictionary(DictionaryValue(unchecked: rest, key: .string, value: .variant))
                #expect(!id.accepts(damaged), "\(kind) \(entry.key)")
            }
            try desk.perform { _ in Outcome(changes: [.onboarding(app, id, .vardict([]))]) }
            #expect(throws: ModelError.self) { try desk.present("t") }
            try desk.perform { _ in Outcome(changes: [.onboarding(app, id, stored)]) }
        }
        #expect(try desk.present("t").reason == "invalid")
    }

    @Test("What Present writes reads back from the disk as a run of the tip")
    func runOnDisk() throws {
        try desk.define("t")
        try desk.show("t", for: 70)
        let id = try desk.present("t").run
        let run = try desk.view.run(id)
        #expect(run.place == .tip(TipPlace(shownSince: desk.now.boottime, displayCount: 2, displayDuration: 70)))
        #expect(Run(id: id, stored: run.stored) == run)
        #expect(run.owner == TipDesk.connection(1))
    }
}
