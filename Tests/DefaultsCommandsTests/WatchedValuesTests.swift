import DBusTypes
import Testing

@testable import DefaultsCommands

@Suite("What a watch prints")
struct WatchedValuesTests {
    private typealias Change = WatchedValues.Change

    @Test("a signal's keys come sorted, each once, and what is known already not at all")
    func signals() {
        var values = WatchedValues(keys: [])
        _ = values.replace(with: DictionaryValue([("a", .int64(1))]))
        let changed = DictionaryValue([("c", .int64(3)), ("a", .int64(1)), ("b", .int64(2))])
        #expect(
            values.apply(changed: changed, removed: []) == [
                Change(key: "b", value: .int64(2)), Change(key: "c", value: .int64(3)),
            ])
        #expect(values.apply(changed: changed, removed: ["zz"]).isEmpty)
        #expect(values.apply(changed: DictionaryValue([]), removed: ["b"]) == [Change(key: "b", value: nil)])
        #expect(values.apply(changed: DictionaryValue([]), removed: ["b"]).isEmpty)
    }

    @Test("P4: another type or other bits are a change")
    func exact() {
        var values = WatchedValues(keys: [])
        _ = values.replace(with: DictionaryValue([("a", .int64(1)), ("z", .double(0.0))]))
        let changed = DictionaryValue([("a", .int32(1)), ("z", .double(-0.0))])
        #expect(values.apply(changed: changed, removed: []).map(\.key) == ["a", "z"])
    }

    @Test("after a restart of the daemon, only what moved in between")
    func restart() {
        var values = WatchedValues(keys: [])
        _ = values.replace(with: DictionaryValue([("gone", .int64(1)), ("moved", .int64(1)), ("same", .int64(1))]))
        let now = DictionaryValue([("same", .int64(1)), ("new", .string("x")), ("moved", .int64(2))])
        #expect(
            values.replace(with: now) == [
                Change(key: "gone", value: nil), Change(key: "moved", value: .int64(2)), Change(key: "new", value: .string("x")),
            ])
        #expect(values.replace(with: now).isEmpty)
    }

    @Test("only the keys asked for, which are told apart by their bytes")
    func keys() {
        var values = WatchedValues(keys: ["\u{E9}"])
        let changed = DictionaryValue([("e\u{301}", .int64(1)), ("\u{E9}", .int64(2)), ("x", .int64(3))])
        #expect(values.apply(changed: changed, removed: []) == [Change(key: "\u{E9}", value: .int64(2))])
    }

    @Test("lines: key, tab, value; the key alone; JSON objects")
    func lines() {
        #expect(Change(key: "k", value: .string("a\nb")).line(nil) == "k\t\"a\\nb\"")
        #expect(Change(key: "k", value: nil).line(nil) == "k")
        #expect(Change(key: "k", value: .int64(1)).line(.short) == #"{"key":"k","type":"x","data":1}"#)
        #expect(Change(key: "k", value: nil).line(.short) == #"{"key":"k"}"#)
    }
}
