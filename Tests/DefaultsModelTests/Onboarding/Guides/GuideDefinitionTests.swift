import DBusTypes
import Testing

@testable import DefaultsModel

@Suite("Definitions of guides")
struct GuideDefinitionTests {
    private func error(_ entries: [(String, Value)]) -> ModelError? {
        do throws(ModelError) {
            _ = try GuideDefinition(DictionaryValue(entries))
            return nil
        } catch {
            return error
        }
    }

    @Test("A definition with pages alone has the defaults of the interface")
    func defaults() throws {
        let guide = try GuideDefinition(GuideDesk.definition())
        #expect(guide.revision == 1 && guide.kind == .onboarding && guide.audience == .both && guide.pageCount == 3)
        #expect(guide.minimumSignificance == nil && guide.sinceVersion == nil && guide.countdown == nil)
        #expect(guide.completion == .swipe && guide.mark == .finish && guide.maximumAttempts == 3)
        let news = try GuideDefinition(GuideDesk.definition([("kind", .string("whatsnew"))]))
        #expect(news.audience == .upgrade && news.minimumSignificance == .minor)
    }

    @Test("Every entry is read; integers come in any width that fits; what is empty is as if left out")
    func entries() throws {
        let spec = Value.vardict([("duration", .int32(5000)), ("skippable_after", .uint64(1000))])
        let guide = try GuideDefinition(
            GuideDesk.definition([
                ("revision", .int64(4)), ("kind", .string("whatsnew")), ("audience", .string("both")),
                ("minimum_significance", .string("")), ("since_version", .string("2.1")), ("completion", .string("button")),
                ("mark", .string("show")), ("max_attempts", .byte(0)), ("countdown", spec),
                ("attributes", .vardict([("colour", .string("#fff"))])),
            ]))
        #expect(guide.revision == 4 && guide.kind == .whatsNew && guide.audience == .both && guide.maximumAttempts == 0)
        #expect(guide.minimumSignificance == nil && guide.sinceVersion?.text == "2.1")
        #expect(guide.completion == .button && guide.mark == .show)
        #expect(guide.countdown?.duration == 5000 && guide.countdown?.skippableAfter == 1000 && guide.countdown?.tick == 1000)
        #expect(guide.attributes == .vardict([("colour", .string("#fff"))]))
        #expect(try GuideDefinition(GuideDesk.definition([("countdown", .vardict([]))])).countdown == nil)
    }

    @Test("A wrong entry is InvalidArgument and named by its path, its value and what would be right")
    func wrongEntries() {
        let pages = GuideDesk.pages(1)
        func page(_ name: String, _ value: Value) -> Value {
            let pages = [Value.vardict([]), .vardict([(name, value)])]
            return .array(ArrayValue(unchecked: pages, of: .dictionary(key: .string, value: .variant)))
        }
        let wrong: [(entries: [(String, Value)], path: String, part: String)] = [
            ([("pages", pages), ("colour", .string("red"))], "colour", "is unknown; definition may have revision, kind"),
            ([], "pages", "is missing"), ([("pages", GuideDesk.pages(0))], "pages", "is empty"),
            ([("pages", GuideDesk.pages(65))], "pages", "has 65 elements; a guide has 1 to 64"),
            ([("pages", .string("x"))], "pages", "is of type s; it must be an array of dictionaries (aa{sv})"),
            ([("pages", page("image", .int32(3)))], "pages[1].image", "is of type i; it must be a string (s)"),
            ([("pages", page("alt", .boolean(true)))], "pages[1].alt", "is of type b"),
            ([("pages", pages), ("revision", .int32(0))], "revision", "is 0; it must be 1 to 4294967295"),
            ([("pages", pages), ("revision", .int64(-1))], "revision", "is -1"),
            ([("pages", pages), ("kind", .string("news"))], "kind", #"is "news"; it must be one of "onboarding", "whatsnew""#),
            ([("pages", pages), ("audience", .string(""))], "audience", #""both", "fresh", "upgrade""#),
            (
                [("pages", pages), ("minimum_significance", .string("big"))], "minimum_significance",
                #""epoch", "major", "minor""#
            ),
            ([("pages", pages), ("completion", .string("tap"))], "completion", #""swipe", "button""#),
            ([("pages", pages), ("mark", .string("never"))], "mark", #""finish", "show""#),
            ([("pages", pages), ("max_attempts", .int64(1 << 32))], "max_attempts", "is 4294967296"),
            ([("pages", pages), ("attributes", .string("x"))], "attributes", "must be a dictionary (a{sv})"),
            ([("pages", pages), ("countdown", .vardict([("tick", .int32(10))]))], "countdown.tick", "is 10; it must be 50 to"),
            (
                [("pages", pages), ("countdown", .vardict([("ticks", .int32(100))]))], "countdown.ticks",
                "is unknown; it may have"
            ),
        ]
        for (entries, path, part) in wrong {
            let error = error(entries)
            #expect(error?.code == .invalidArgument)
            #expect(error?.entry?.path.text == path, "\(path): \(String(describing: error))")
            #expect(error?.message.hasPrefix("definition entry \"\(path)\" ") == true, "\(String(describing: error))")
            #expect(error?.message.contains(part) == true, "\(String(describing: error))")
        }
    }

    @Test("V6: a since_version that breaks the rule is InvalidVersion; one that doesn't parse is opaque (V5)")
    func sinceVersion() throws {
        let error = error([("pages", GuideDesk.pages(1)), ("since_version", .string("1\u{1}"))])
        #expect(error?.code == .invalidVersion)
        #expect(error?.entry?.path.text == "since_version")
        #expect(error?.entry?.reason.hasPrefix("has a control character") == true, "\(String(describing: error))")
        #expect(try GuideDefinition(GuideDesk.definition([("since_version", .string("spring"))])).sinceVersion?.isOpaque == true)
    }

    @Test("What no store can keep is InvalidValue, what is too large LimitExceeded; both name the entry")
    func values() {
        let twice = DictionaryValue(
            unchecked: [.init(.int32(1), .string("a")), .init(.int32(1), .string("b"))], key: .int32, value: .string)
        let wrong: [(String, Value, ModelError.Code)] = [
            ("nul", .string("a\u{0}b"), .invalidValue), ("twice", .dictionary(twice), .invalidValue),
            ("handles", .array(ArrayValue(unchecked: [], of: .unixFD)), .invalidValue),
            ("large", .string(String(repeating: "x", count: 1 << 20)), .limitExceeded),
        ]
        for (name, value, code) in wrong {
            let error = error([("pages", GuideDesk.pages(1)), ("attributes", .vardict([(name, value)]))])
            #expect(error?.code == code)
            #expect(error?.entry?.path.text == "attributes", "\(name): \(String(describing: error))")
        }
        // Each entry is within its own limit, and all together are not.
        let half = Value.vardict([("x", .string(String(repeating: "x", count: 600_000)))])
        let pages = Value.array(ArrayValue(unchecked: [half], of: .dictionary(key: .string, value: .variant)))
        #expect(error([("pages", pages), ("attributes", half)])?.code == .limitExceeded)
    }

    @Test("An entry that is there twice is refused; a type other than a{sv} too")
    func shape() {
        #expect(error([("pages", GuideDesk.pages(1)), ("pages", GuideDesk.pages(2))])?.code == .invalidArgument)
        let other = DictionaryValue(unchecked: [.init(.string("pages"), .string("x"))], key: .string, value: .string)
        #expect(throws: ModelError.self) { try GuideDefinition(other) }
    }
}
