import DBusTypes
import Testing

@testable import DefaultsModel

@Suite("Defining guides")
struct GuideDefiningTests {
    private let desk = GuideDesk()

    init() throws { try desk.launch("1.0") }

    private func manifest(_ entries: [(String, Value)]) throws -> FileLayers {
        let guide = try GuideDefinition(GuideDesk.definition(entries))
        return FileLayers(definitions: [GuideDesk.app: ManifestDefinitions(guides: [GuideDesk.id("welcome"): guide])])
    }

    private func colour(_ text: String) -> (String, Value) { ("attributes", .vardict([("colour", .string(text))])) }

    @Test("The same definition again writes nothing and answers false, whatever the order of its entries")
    func same() throws {
        #expect(try desk.define("welcome", [colour("red"), ("revision", .uint32(2))]))
        #expect(try !desk.define("welcome", [("revision", .uint32(2)), colour("red")]))
        #expect(desk.rows == 0)
    }

    @Test("G4: a raised revision is due again, a lowered one changes nothing, another content keeps the progress")
    func revisions() throws {
        try desk.define("welcome", [("revision", .uint32(2))])
        let run = try desk.present().run
        try desk.goTo(run, 2)
        try desk.end(run, because: .ownerLost)
        #expect(try desk.define("welcome", [("revision", .uint32(2)), colour("red"), ("pages", GuideDesk.pages(2))]))
        let resumed = try desk.present()
        #expect(resumed.guide.number("page") == 1 && resumed.guide.number("attempts") == 2, "within the pages that there are")
        try desk.finish(resumed.run)
        #expect(try !desk.define("welcome", [("revision", .uint32(1))]))
        #expect(desk.rows == 0)
        #expect(try desk.present().reason == "seen")
        #expect(try desk.listed()?.number("revision") == 2)
        #expect(try desk.define("welcome", [("revision", .uint32(3))]))
        let listed = try #require(try desk.listed())
        #expect(listed.text("state") == "new" && listed.text("outcome") == "" && listed.number("attempts") == 0)
        #expect(listed.number("furthest") == 0 && listed.number("revision") == 3)
        #expect(try desk.present().show)
    }

    @Test("G4: a live run keeps its pages; attributes follow Define, and the presenter is told only where they differ")
    func attributes() throws {
        try desk.define("welcome", [colour("red")])
        let run = try desk.present().run
        try desk.define("welcome", [colour("red"), ("pages", GuideDesk.pages(1)), ("revision", .uint32(2))])
        #expect(desk.signals.isEmpty)
        try desk.define("welcome", [colour("blue"), ("pages", GuideDesk.pages(1)), ("revision", .uint32(2))])
        #expect(desk.signals == ["changed"])
        guard case .presentation(let signal)? = desk.announcements.first, case .guideChanged(let value) = signal.event else {
            throw GuideDeskError.other
        }
        #expect(signal.run == run && value.dictionary?["attributes"] == colour("blue").1)
        let guide = try desk.goTo(run, 2)
        #expect(guide["attributes"] == colour("blue").1 && guide.number("count") == 3 && guide["pages"] == GuideDesk.pages(3))
        try desk.define("welcome", [("revision", .uint32(2)), ("pages", GuideDesk.pages(1))])
        #expect(desk.signals == ["changed"])
        #expect(try desk.finish(run)["attributes"] == .vardict([]), "taken away is told as empty")
        #expect(try desk.present().guide.number("count") == 1, "the revision that was raised meanwhile is due")
    }

    @Test("G4: of bus and manifest the higher revision is in effect, at equal revision the bus's")
    func sources() throws {
        try desk.take(manifest([("revision", .int64(2)), colour("file")]))
        #expect(try desk.listed()?.text("source") == "manifest")
        #expect(try desk.pending() == ["welcome"])
        #expect(try desk.define("welcome", [colour("bus")]))
        #expect(try desk.listed()?.text("source") == "manifest")
        #expect(try desk.define("welcome", [("revision", .uint32(2)), colour("bus")]))
        #expect(try desk.listed()?.text("source") == "bus")
        #expect(try desk.present().guide["attributes"] == colour("bus").1)
        try desk.take(manifest([("revision", .int64(3)), colour("file")]))
        #expect(desk.signals == ["changed"])
        #expect(try desk.listed()?.text("source") == "manifest")
        try desk.take(manifest([("revision", .int64(3)), colour("file"), ("mark", .string("show"))]))
        #expect(desk.signals.isEmpty)
    }

    @Test("A manifest that is reloaded keeps progress by id; gone and back again too")
    func reload() throws {
        try desk.take(manifest([]))
        let run = try desk.present().run
        try desk.goTo(run, 1)
        try desk.take(manifest([("max_attempts", .int64(5))]))
        #expect(try desk.goTo(run, 2).text("state") == "presenting")
        try desk.take(FileLayers())
        #expect(try desk.goTo(run, 1).number("page") == 1, "a live run goes on with the pages it began with")
        #expect { try desk.present("welcome", by: 2) } throws: { ($0 as? ModelError)?.code == .notFound }
        try desk.finish(run)
        try desk.take(manifest([]))
        #expect(try desk.present().reason == "seen")
    }

    @Test(
        "Remove takes the definition with all that is known; a manifest's stays, with the progress; nothing anywhere is NotFound")
    func remove() throws {
        try desk.define()
        let run = try desk.present().run
        try desk.remove()
        #expect(desk.signals == ["finished released"])
        #expect(try desk.listed() == nil)
        #expect(try desk.finish(run).text("outcome") == "released")
        #expect(throws: ModelError.self) { try desk.remove() }
        try desk.define()
        #expect(try desk.listed()?.text("state") == "new")
        #expect(try desk.listed()?.number("attempts") == 0)
        try desk.finish(desk.present().run)
        try desk.take(manifest([]))
        try desk.remove()
        #expect(try desk.listed()?.text("source") == "manifest")
        #expect(try desk.present().reason == "seen")
        try desk.remove()
        #expect(desk.rows == 0)
    }

    @Test("Reset makes a guide new and ends its run; one that isn't defined is NotFound")
    func reset() throws {
        try desk.define()
        try desk.finish(desk.present().run)
        try desk.reset()
        #expect(try desk.listed()?.text("state") == "new")
        #expect(try desk.pending() == ["welcome"])
        let run = try desk.present()
        #expect(run.guide.number("attempts") == 1)
        try desk.reset()
        #expect(desk.signals == ["finished released"])
        #expect(try desk.listed()?.text("state") == "new")
        #expect(try desk.listed()?.number("attempts") == 0)
        #expect { try desk.reset("nope") } throws: { ($0 as? ModelError)?.code == .notFound }
    }

    @Test("P12: an application defines at most 256 guides; replacing one is always possible")
    func limit() throws {
        for number in 0..<GuideDefinition.limit { try desk.define("guide-\(number)") }
        #expect { try desk.define("one-more") } throws: { ($0 as? ModelError)?.code == .limitExceeded }
        #expect(desk.rows == 0)
        #expect(try desk.define("guide-7", [("revision", .uint32(2))]))
    }

    @Test("Records come back as they were; an import takes no other (P8)")
    func records() throws {
        try desk.define()
        try desk.goTo(desk.present().run, 2)
        let view = desk.view
        for kind in [OnboardingKind.guideDefinition, .guide] {
            let id = OnboardingID(kind, "welcome")
            let value = try #require(view.onboarding(GuideDesk.app, id))
            #expect(id.accepts(value))
            #expect(!OnboardingID(kind, "").accepts(value))
            #expect(!id.accepts(.vardict([])) && !id.accepts(.string("x")))
        }
        let stored = try #require(view.onboarding(GuideDesk.app, OnboardingID(.guide, "welcome")))
        #expect(GuideProgress(stored: stored)?.stored == stored)
        let entries = try #require(stored.dictionary).entries
        for place in entries.indices where entries[place].key != .string("eligible") {
            var fewer = entries
            fewer.remove(at: place)
            let damaged = Value.dictionary(DictionaryValue(unchecked: fewer, key: .string, value: .variant))
            #expect(GuideProgress(stored: damaged) == nil, "\(entries[place].key)")
        }
    }
}
