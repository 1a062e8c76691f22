import DBusTypes
import Testing

@testable import DefaultsModel

@Suite("Definitions of tips")
struct TipDefinitionTests {
    /// Whether a definition is refused with an error that names the entry by its path.
    private func isRefused(_ path: String, _ entries: (String, Value)...) -> Bool {
        do {
            _ = try TipDefinition(DictionaryValue(entries))
            return false
        } catch {
            return error.code == .invalidArgument && error.message.contains("\"\(path)\"") && error.entry?.path.text == path
        }
    }

    @Test("Nothing said: revision 1, no rules, no limits, no group")
    func defaults() throws {
        let definition = try TipDefinition(DictionaryValue([]))
        #expect(definition.revision == 1)
        #expect(definition.rules.isEmpty)
        #expect(definition.maximumDisplayCount == 0)
        #expect(definition.maximumDisplayDuration == 0)
        #expect(!definition.ignoresFrequency)
        #expect(definition.group.isEmpty)
        #expect(!definition.isOrdered)
    }

    @Test("All that is said is read; integers in any width that their values fit")
    func everything() throws {
        let definition = try TipDefinition(
            DictionaryValue([
                ("revision", .int64(7)), ("title", .string("t")), ("message", .string("m")), ("image", .string("i")),
                ("target", .string("x")), ("max_display_count", .byte(3)), ("max_display_duration", .uint16(500)),
                ("ignores_frequency", .boolean(true)), ("group", .string("g")), ("ordered", .boolean(true)),
                ("attributes", .vardict([("colour", .string("red"))])),
                TipDesk.rules(
                    [("key", .string("k")), ("operator", .string("in")), ("value", .array(["a", "b"]))],
                    [("event", .string("e")), ("operator", .string(">=")), ("count", .int32(3)), ("window", .int32(60_000))],
                    [("event", .string("e")), ("window", .uint64(0))]),
            ]))
        #expect(definition.revision == 7)
        #expect(definition.maximumDisplayCount == 3)
        #expect(definition.maximumDisplayDuration == 500)
        #expect(definition.ignoresFrequency)
        #expect(definition.group == "g")
        #expect(definition.isOrdered)
        #expect(definition.rules.map(\.comparison) == [.among, .atLeast, .equal])
        #expect(definition.rules[0].subject == .preference(LedgerFixture.key("k"), .array(["a", "b"])))
        #expect(definition.rules[1].subject == .event(TipDesk.id("e"), count: 3, window: 60_000))
        // A limit of 0 is none.
        #expect(definition.rules[2].subject == .event(TipDesk.id("e"), count: 0, window: nil))
    }

    @Test("A wrong entry is named by its path")
    func wrongEntries() {
        #expect(isRefused("colour", ("colour", .string("red"))))
        #expect(isRefused("revision", ("revision", .uint32(0))))
        #expect(isRefused("revision", ("revision", .uint64(1 << 32))))
        #expect(isRefused("title", ("title", .int32(1))))
        #expect(isRefused("max_display_count", ("max_display_count", .int64(-1))))
        #expect(isRefused("attributes", ("attributes", .array(["a"]))))
        #expect(isRefused("rules", ("rules", .string("x"))))
        #expect(isRefused("rules[0]", TipDesk.rules([])))
        #expect(isRefused("rules[0]", TipDesk.rules([("key", .string("k")), ("event", .string("e")), ("value", .int32(1))])))
        let good: [(String, Value)] = [("event", .string("e"))]
        #expect(isRefused("rules[1].key", TipDesk.rules(good, [("key", .string("")), ("value", .int32(1))])))
        #expect(isRefused("rules[1].value", TipDesk.rules(good, [("key", .string("k"))])))
        #expect(isRefused("rules[1].other", TipDesk.rules(good, [("other", .string("k"))])))
        #expect(isRefused("rules[0].event", TipDesk.rules([("event", .string(String(repeating: "e", count: 65)))])))
        #expect(isRefused("rules[0].operator", TipDesk.rules([("event", .string("e")), ("operator", .string("~"))])))
        #expect(isRefused("rules[0].operator", TipDesk.rules([("event", .string("e")), ("operator", .string("in"))])))
        #expect(isRefused("rules[0].value", TipDesk.rules([("event", .string("e")), ("value", .int32(1))])))
        #expect(isRefused("rules[0].count", TipDesk.rules([("key", .string("k")), ("value", .int32(1)), ("count", .int32(1))])))
        let key: [(String, Value)] = [("key", .string("k"))]
        #expect(isRefused("rules[0].value", TipDesk.rules(key + [("operator", .string("in")), ("value", .string("a"))])))
        #expect(isRefused("rules[0].value", TipDesk.rules(key + [("operator", .string("<")), ("value", .boolean(true))])))
        let many = Array(repeating: good, count: TipDefinition.maximumRules + 1).map { Value.vardict($0) }
        let type = DBusType.dictionary(key: .string, value: .variant)
        #expect(isRefused("rules", ("rules", .array(ArrayValue(unchecked: many, of: type)))))
    }

    @Test("A rule with a window counts up to 1,000: the times of so many donations are kept")
    func windowedCounts() {
        let event: [(String, Value)] = [("event", .string("e")), ("window", .uint64(1))]
        #expect(isRefused("rules[0].count", TipDesk.rules(event + [("count", .uint32(1_001))])))
        #expect(!isRefused("rules[0].count", TipDesk.rules(event + [("count", .uint32(1_000))])))
        #expect(!isRefused("rules[0].count", TipDesk.rules([("event", .string("e")), ("count", .uint32(.max))])))
    }

    @Test("What no store can keep is refused: NUL, a key twice, descriptors, over 1 MiB")
    func whatCannotBeStored() {
        func code(_ value: Value) -> ModelError.Code? {
            do throws(ModelError) {
                _ = try TipDefinition(DictionaryValue([("attributes", .vardict([("x", value)]))]))
                return nil
            } catch {
                return error.code
            }
        }
        #expect(code(.string("a\0b")) == .invalidValue)
        #expect(code(.array(ArrayValue(unchecked: [], of: .unixFD))) == .invalidValue)
        #expect(code(.vardict([("a", .int32(1)), ("a", .int32(2))])) == .invalidValue)
        #expect(code(.bytes(Array(repeating: 0, count: 1 << 20))) == .limitExceeded)
        #expect(code(.bytes(Array(repeating: 0, count: 1 << 19))) == nil)
    }
}
