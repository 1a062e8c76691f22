import DBusTypes
import Testing

@testable import DefaultsModel

@Suite struct TourDefinitionTests {
    private func refusal(_ entries: DictionaryValue) -> ModelError? { error { _ = try TourDefinition(entries) } }

    private func refusal(step: [(String, Value)]) -> ModelError? {
        refusal(DictionaryValue([("steps", TourDesk.steps([TourDesk.step("a"), DictionaryValue(step)]))]))
    }

    @Test("T4: a definition without steps is refused, and so is one with too many")
    func steps() {
        for empty in [
            DictionaryValue([]), DictionaryValue([("steps", TourDesk.steps([]))]),
            DictionaryValue([("steps", .array([String]()))]),
        ] {
            #expect(refusal(empty)?.code == .invalidArgument)
            #expect(refusal(empty)?.entry?.path == [.member("steps")])
        }
        #expect(refusal(TourDesk.entries((1...64).map { "s\($0)" })) == nil)
        #expect(refusal(TourDesk.entries((1...65).map { "s\($0)" }))?.entry?.path == [.member("steps")])
    }

    @Test("T4: a step that has the id of another is named by its path")
    func duplicates() {
        let refused = refusal(TourDesk.entries(["a", "b", "a"]))
        #expect(refused?.code == .invalidArgument)
        #expect(refused?.entry?.path == [.member("steps"), .element(2), .member("id")])
        #expect(refused?.message.contains("steps[2].id") == true && refused?.message.contains("steps[0].id") == true)
    }

    @Test("T4: ids are bytes: composed and decomposed letters are two steps")
    func bytes() { #expect(refusal(TourDesk.entries(["é", "e\u{301}"])) == nil) }

    @Test("A wrong entry of a step is named by its path")
    func entries() {
        let wrong: [(String, Value, ModelError.Code)] = [
            ("content", .int32(1), .invalidArgument), ("image", .boolean(true), .invalidArgument),
            ("target", .double(1), .invalidArgument), ("direction", .string("up"), .invalidArgument),
            ("since_revision", .int32(-1), .invalidArgument), ("since_revision", .string("1"), .invalidArgument),
            ("sequence", .uint64(1), .invalidArgument), ("stale", .boolean(false), .invalidArgument),
        ]
        for (name, value, code) in wrong {
            let refused = refusal(step: [("id", .string("b")), (name, value)])
            #expect(refused?.code == code, "\(name)")
            #expect(refused?.entry?.path == [.member("steps"), .element(1), .member(name)], "\(name)")
        }
        for id: Value in [.string(""), .string("a\u{1}"), .string(String(repeating: "x", count: 65)), .int32(1)] {
            #expect(refusal(step: [("id", id)])?.entry?.path == [.member("steps"), .element(1), .member("id")])
        }
        #expect(refusal(step: [])?.entry?.path == [.member("steps"), .element(1), .member("id")])
    }

    @Test("A wrong entry of the definition is named")
    func definition() {
        let wrong: [(String, Value)] = [
            ("revision", .uint32(0)), ("revision", .int64(1 << 32)), ("on_new_revision", .string("again")),
            ("on_crash", .string("")), ("resume_window", .int32(-1)), ("max_attempts", .int64(-1)),
            ("attributes", .array(["x"])), ("pages", TourDesk.steps([])),
        ]
        for (name, value) in wrong {
            let refused = refusal(TourDesk.entries(["a"], [(name, value)]))
            #expect(refused?.code == .invalidArgument, "\(name)")
            #expect(refused?.entry?.path == [.member(name)], "\(name)")
        }
    }

    @Test("What no store can keep is refused: NUL, a key twice, too much")
    func values() {
        #expect(refusal(step: [("id", .string("b")), ("note", .string("a\0b"))])?.code == .invalidValue)
        let twice = DictionaryValue([("colour", .string("red")), ("colour", .string("blue"))])
        #expect(refusal(TourDesk.entries(["a"], [("attributes", .dictionary(twice))]))?.code == .invalidValue)
        let text = String(repeating: "x", count: 1 << 20)
        #expect(refusal(step: [("id", .string("b")), ("content", .string(text))])?.code == .limitExceeded)
    }

    @Test("What isn't given has its default, integers come in any width")
    func defaults() throws {
        let plain = try TourDefinition(TourDesk.entries(["a", "b"]))
        #expect(plain.revision == 1 && plain.maximumAttempts == 3 && plain.resumeWindow == 604_800_000)
        #expect(plain.onNewRevision == .restart && plain.onCrash == .resume && plain.attributes.entries.isEmpty)
        let narrow = try TourDefinition(
            TourDesk.entries(["a"], [("revision", .byte(2)), ("resume_window", .int16(7)), ("max_attempts", .uint64(0))]))
        #expect(narrow.revision == 2 && narrow.resumeWindow == 7 && narrow.maximumAttempts == 0)
    }

    @Test("A step comes back with its own entries and the tour's attributes")
    func own() throws {
        let desk = TourDesk()
        let step = TourDesk.step(
            "a", [("content", .string("Here")), ("direction", .string("top")), ("colour", .structure([.byte(1), .byte(2)]))])
        try desk.define(
            DictionaryValue([
                ("steps", TourDesk.steps([step])), ("attributes", .vardict([("next_screen", .string("login"))])),
            ]))
        let shown = try desk.start().step.entries
        #expect(shown["content"] == .string("Here") && shown["direction"] == .string("top"))
        #expect(shown["colour"] == .structure([.byte(1), .byte(2)]))
        #expect(shown["attributes"] == .vardict([("next_screen", .string("login"))]))
        #expect(shown["is_first"] == .boolean(true) && shown["is_last"] == .boolean(true))
        #expect(shown.duplicateKey == nil)
    }

    @Test("A record of a definition or of progress is accepted back, anything else is not")
    func records() throws {
        let desk = TourDesk()
        try desk.define(["a", "b"])
        let run = try desk.start()
        _ = try desk.next(run.run, run.step)
        let definition = OnboardingID(.tourDefinition, "intro")
        let progress = OnboardingID(.tour, "intro")
        let view = desk.ledger.committedView
        #expect(definition.accepts(try #require(view.onboarding(TourDesk.app, definition))))
        #expect(progress.accepts(try #require(view.onboarding(TourDesk.app, progress))))
        #expect(!progress.accepts(try #require(view.onboarding(TourDesk.app, definition))))
        #expect(!definition.accepts(.dictionary(TourDesk.entries([]))))
        #expect(!OnboardingID(.tour, "").accepts(try #require(view.onboarding(TourDesk.app, progress))))
        #expect(try TourProgress(stored: desk.progress().stored) == desk.progress())
    }
}
