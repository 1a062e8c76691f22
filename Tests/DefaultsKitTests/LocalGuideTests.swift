import DBusTypes
import DefaultsInterface
import Testing

@testable import DefaultsKit

@Suite("A guide's run in the client")
struct LocalGuideTests {
    private func guide(page: UInt32 = 0, completion: String = "swipe", outcome: String = "") throws -> LocalGuide {
        let page1 = DictionaryValue([("title", .string("One")), ("extra", .int32(7))])
        let pages = ArrayValue(
            unchecked: [.dictionary(page1), .vardict([]), .vardict([])], of: .dictionary(key: .string, value: .variant))
        return try #require(
            LocalGuide(
                DictionaryValue([
                    ("pages", .array(pages)), ("page", .uint32(page)), ("furthest", .uint32(page)),
                    ("completion", .string(completion)), ("attempts", .uint32(1)), ("outcome", .string(outcome)),
                    ("countdown", .objectPath(.root)), ("attributes", .vardict([("a", .int32(1))])),
                ])))
    }

    @Test("It reads what Present answers, an entry of the application's own too")
    func reading() throws {
        let guide = try guide(page: 2)
        #expect(guide.state.page == 2 && guide.state.isLast && !guide.state.isButtonVisible && guide.countdown == nil)
        #expect(guide.state.pages[0] == GuidePage(title: "One", attributes: ["extra": Int32(7)]))
        #expect(guide.state.attributes["a"] == .int32(1))
        #expect(LocalGuide(DictionaryValue([])) == nil)
        #expect(try self.guide(page: 99).state.page == 2, "a page that isn't there")
    }

    @Test("G7: pages stay within the pages, whatever is added to them", arguments: [Int.min, -1, 1, 2, 3, Int.max])
    func clamping(by pages: Int) throws {
        var guide = try guide(page: 1)
        try guide.act(.advance(pages))
        #expect(guide.state.page == min(max(1 + min(max(pages, -9), 9), 0), 2) && guide.state.outcome == nil)
        #expect(guide.state.furthest == max(guide.state.page, 1))
    }

    @Test("One on from the last page completes a guide that is swiped, and changes nothing where a button does")
    func completion() throws {
        var swiped = try guide(page: 2)
        try swiped.act(.advance(1))
        #expect(swiped.state.outcome == .completed)
        var button = try guide(page: 2, completion: "button")
        try button.act(.advance(1))
        #expect(button.state.outcome == nil && button.state.isButtonVisible)
        #expect(throws: DefaultsError.self) { try button.act(.goTo(3)) }
        #expect(throws: DefaultsError.self) { try button.act(.goTo(-1)) }
        #expect(button.state.page == 2)
    }

    @Test("The daemon is brought to the page, or to the end where the program may say it")
    func catchingUp() throws {
        var guide = try guide(page: 1)
        #expect(guide.catchUp(5)?.member == GuidesInterface.goTo)
        #expect(guide.catchUp(5)?.arguments == [.uint64(5), .uint32(1)])
        guide.end("timed_out")
        #expect(guide.catchUp(5) == nil, "the daemon knows of its countdown's end itself")
        var other = try self.guide()
        try other.act(.finish(.skipped))
        #expect(other.catchUp(5)?.arguments == [.uint64(5), .string("skipped")])
    }

    @Test("Signals turn the page and change attributes; a word of a newer daemon ends it")
    func signals() throws {
        var guide = try guide()
        let asks = guide.follow(GuidesInterface.pageChanged, [.uint32(2), .uint32(3)])
        #expect(!asks && guide.state.page == 2)
        guide.end("vanished")
        #expect(guide.state.isFinal)
    }

    @Test("A definition leaves out what is as by default, and refuses what D-Bus has no value for")
    func definition() throws {
        let entries = try #require(try GuideDefinition(pages: [GuidePage()]).builder.finish().dictionary)
        #expect(entries.entries.count == 1)
        var definition = GuideDefinition(
            pages: [GuidePage(title: "A", alt: "b", attributes: ["c": 1])], revision: 2, kind: .whatsNew, sinceVersion: "2.0",
            completion: .button, countdown: .init(.seconds(5), skippableAfter: .milliseconds(1500)), attributes: ["d": "e"])
        definition.audience = .fresh
        definition.minimumSignificance = .major
        definition.mark = .show
        definition.maxAttempts = 0
        let all = try #require(try definition.builder.finish().dictionary)
        #expect(Set(all.entries.map(\.key)) == Set(GuideDefinitionEntries.all.map { .string($0.name) }))
        #expect(all["countdown"]?.dictionary?["skippable_after"] == .int64(1500))
        let nothing: Int? = nil
        definition.pages[0].attributes.set("none", to: nothing)
        #expect { try definition.builder.finish() } throws: { ($0 as? DefaultsError)?.code == .unencodable }
    }
}
