import DBusTypes
import Testing

@testable import DefaultsModel

@Suite("Specs, scales and names of countdowns")
struct CountdownSpecTests {
    private func error(_ name: String, _ value: Value) -> ModelError? {
        #expect(throws: ModelError.self) { try CountdownSpec(DictionaryValue([(name, value)])) }
    }

    @Test("An empty spec is ten seconds by one, now, continue, cancel")
    func defaults() throws {
        let spec = try CountdownSpec(DictionaryValue([]))
        #expect(spec == CountdownSpec())
        #expect((spec.duration, spec.tick, spec.start, spec.skippableAfter) == (10_000, 1_000, .now, 0))
        #expect((spec.onSuspend, spec.onOwnerLost, spec.replace, spec.purpose) == (.continue, .cancel, false, ""))
    }

    @Test("Every entry is taken, integers in any width")
    func all() throws {
        let spec = try CountdownSpec(
            DictionaryValue([
                ("purpose", .string("Welcome")), ("replace", .boolean(true)), ("on_owner_lost", .string("continue")),
                ("on_suspend", .string("pause")), ("skippable_after", .int64(3)), ("start", .string("when_ready")),
                ("tick", .byte(50)), ("duration", .int16(7)),
            ]))
        #expect((spec.duration, spec.tick, spec.start, spec.skippableAfter) == (7, 50, .whenReady, 3))
        #expect((spec.onSuspend, spec.onOwnerLost, spec.replace, spec.purpose) == (.pause, .continue, true, "Welcome"))
        let days: UInt64 = 30 * 86_400_000
        let widths: [Value] = [.uint16(60), .int32(60), .uint32(60), .int64(60), .uint64(60), .uint64(days), .int64(Int64(days))]
        for value in widths {
            #expect(try CountdownSpec(DictionaryValue([("duration", value)])).duration == value.integer(as: UInt64.self))
        }
    }

    @Test("C6: negative, overflow, more than 30 days and short ticks are InvalidArgument: entry, value and range")
    func numbers() {
        let bad: [(String, Value, String)] = [
            ("duration", .int32(-1), "-1"), ("duration", .int64(.min), "-9223372036854775808"),
            ("duration", .uint64(.max), "18446744073709551615"), ("duration", .uint64(2_592_000_001), "2592000001"),
            ("tick", .uint32(49), "49"), ("tick", .uint32(0), "0"), ("tick", .int32(-1000), "-1000"),
            ("tick", .uint64(.max), "18446744073709551615"), ("skippable_after", .int64(-3), "-3"),
            ("skippable_after", .uint64(.max), "18446744073709551615"),
        ]
        for (name, value, number) in bad {
            let error = error(name, value)
            #expect(error?.code == .invalidArgument)
            #expect(error?.message.contains("\"\(name)\" is \(number); it must be") == true, "\(String(describing: error))")
            #expect(error?.message.contains("2592000000 milliseconds") == true)
        }
        #expect(error("tick", .uint32(49))?.message.contains("50 to") == true)
    }

    @Test("Wrong types, unknown entries and wrong words are InvalidArgument naming the entry and what is right")
    func types() {
        for value: Value in [.double(10), .string("10"), .boolean(true), .variant(.uint64(10)), .array([UInt64(10)])] {
            let error = error("duration", value)
            #expect(error?.code == .invalidArgument)
            #expect(error?.message.contains("\"duration\" is of type \(value.type.text)") == true)
        }
        #expect(error("durations", .uint64(1))?.message.contains("\"durations\"") == true)
        #expect(error("start", .string("later"))?.message.contains("\"when_ready\"") == true)
        #expect(error("start", .boolean(true))?.code == .invalidArgument)
        #expect(error("on_suspend", .string("cancel"))?.message.contains("\"pause\"") == true)
        #expect(error("on_owner_lost", .string("pause"))?.message.contains("\"continue\"") == true)
        #expect(error("replace", .uint32(1))?.message.contains("boolean") == true)
        #expect(error("purpose", .objectPath("/"))?.message.contains("string") == true)
        #expect(error("purpose", .string(String(repeating: "x", count: 1025)))?.message.contains("1025 bytes") == true)
        let twice = #expect(throws: ModelError.self) {
            try CountdownSpec(DictionaryValue([("tick", .uint64(50)), ("tick", .uint64(60))]))
        }
        #expect(twice?.message.contains("twice") == true)
    }

    @Test("C10: 0 is no limit, 1…10 stretches, less is 1, more is 10, nonsense is 1")
    func scales() {
        let expected: [(Value?, CountdownScale)] = [
            (nil, .standard), (.double(0), .unlimited), (.double(-0.0), .unlimited), (.int32(0), .unlimited),
            (.byte(0), .unlimited), (.double(0.5), .standard), (.double(1), .standard), (.double(2.5), .stretched(2.5)),
            (.uint64(3), .stretched(3)), (.double(10), .stretched(10)), (.double(11), .stretched(10)),
            (.int64(.max), .stretched(10)), (.uint64(.max), .stretched(10)), (.double(.infinity), .stretched(10)),
            (.int32(-2), .standard), (.double(-.infinity), .standard), (.double(.nan), .standard), (.string("2"), .standard),
            (.boolean(false), .standard), (.variant(.double(2)), .standard),
        ]
        for (value, scale) in expected { #expect(CountdownScale(value) == scale, "\(String(describing: value))") }
    }

    @Test("A path is the owner's name without the colon, dots as underscores, and the token")
    func paths() throws {
        let id = try CountdownID(owner: ":1.42", token: "splash_1")
        #expect(id.path == "/org/defaultsd1/countdown/1_42/splash_1")
        #expect(id.recordKey == "1_42/splash_1")
        #expect(CountdownID(path: id.path) == id)
        #expect(CountdownID(recordKey: id.recordKey) == id)
        for path: ObjectPath in [
            "/", "/org/defaultsd1/countdown", "/org/defaultsd1/countdown/1_42", "/org/defaultsd1/countdown/1_42/a/b",
            "/org/defaultsd1/countdowns/1_42/a", "/a/b/c/d/e",
        ] {
            #expect(CountdownID(path: path) == nil)
        }
        #expect(CountdownID(recordKey: "1_42/") == nil && CountdownID(recordKey: "1_42") == nil)
    }

    @Test("A token is 1–64 of [A-Za-z0-9_], else InvalidName")
    func tokens() throws {
        let longest = String(repeating: "t", count: 64)
        #expect(try CountdownID(owner: ":1.1", token: longest).token == longest)
        for token in ["", longest + "t", "a-b", "a/b", "a.b", "é", "a b", "a\n"] {
            let error = #expect(throws: ModelError.self) { try CountdownID(owner: ":1.1", token: token) }
            #expect(error?.code == .invalidName && error?.message.contains("token") == true)
        }
    }
}
