import DBusTypes
import Testing

@testable import DefaultsCommands

@Suite("Values on the command line of write")
struct WriteExpressionTests {
    private func expression(_ words: [String]) throws(Failure) -> WriteExpression {
        guard case .run(let write) = try ArgumentParser.parse(["write", "d", "k"] + words, commands: CommandTable.commands) else {
            throw Failure("no command", status: .usage)
        }
        return try WriteExpression(write.tokens.dropFirst(2))
    }

    @Test("each form gives exactly its type")
    func forms() throws {
        let cases: [([String], Value)] = [
            (["hello"], .string("hello")), ([""], .string("")), (["-5"], .string("-5")), (["true"], .string("true")),
            (["--", "-int"], .string("-int")),
            (["-bool", "yes"], .boolean(true)), (["-bool", "FALSE"], .boolean(false)), (["-boolean", "0"], .boolean(false)),
            (["-int", "-3"], .int64(-3)), (["-int", "+7"], .int64(7)), (["-int", "0x10"], .int64(16)),
            (["-int", "-0x10"], .int64(-16)),
            (["-int", "010"], .int64(10)), (["-int", "-9223372036854775808"], .int64(.min)), (["-integer", "1"], .int64(1)),
            (["-uint", "18446744073709551615"], .uint64(.max)),
            (["-float", "0.5"], .double(0.5)), (["-float", "-0"], .double(-0.0)), (["-float", "1e-3"], .double(0.001)),
            (["-float", "-inf"], .double(-.infinity)), (["-float", "nan"], .double(.nan)),
            (["-float", "nan:fff8000000000001"], .double(Double(bitPattern: 0xFFF8_0000_0000_0001))),
            (["-string", "--help"], .string("--help")), (["-string", ""], .string("")),
            (["-data", "DEADbeef"], .bytes([0xDE, 0xAD, 0xBE, 0xEF])), (["-data", ""], .bytes([])),
            (["-data", "hex:01"], .bytes([1])),
            (["-date", "2001-09-09T01:46:40Z"], .int64(1_000_000_000_000_000)),
            (["-array", "a", "b"], .array(["a", "b"])), (["-array"], .array([String]())),
            (["-array", "-int", "1", "-int", "-2"], .array([Int64(1), -2])),
            (["-array", "a", "-int", "1"], .array([Value.string("a"), .int64(1)])),
            (["-array", "-1", "--", "-int"], .array(["-1", "-int"])),
            (["-dict"], .vardict([])),
            (["-dict", "b", "x", "a", "-int", "1"], .vardict([("b", .string("x")), ("a", .int64(1))])),
            (["--type", "ai", "2", "-1", "7"], .array([Int32(-1), 7])), (["--type=u", "7"], .uint32(7)),
        ]
        for (words, value) in cases { #expect(try expression(words) == .value(value), "\(words)") }
    }

    @Test("-array-add and -dict-add say what to add")
    func additions() throws {
        #expect(try expression(["-array-add", "a", "-bool", "no"]) == .arrayAdd([.string("a"), .boolean(false)]))
        #expect(try expression(["-dict-add", "k", "-int", "3"]) == .dictionaryAdd([("k", .int64(3))]))
    }

    @Test(
        "what can't be meant is refused by name",
        arguments: [
            ([], "write needs VALUE after DOMAIN and KEY"),
            (["a", "b"], "write takes one value, not 2; several make an array with -array"),
            (["-bool", "maybe"], "-bool takes yes or no, true or false, 1 or 0, not \"maybe\""),
            (["-int", "3.5"], "-int takes a whole number from -9223372036854775808 to 9223372036854775807, not \"3.5\""),
            (
                ["-int", "9223372036854775808"],
                "-int takes a whole number from -9223372036854775808 to 9223372036854775807, not \"9223372036854775808\""
            ),
            (["-int", ""], "-int takes a whole number from -9223372036854775808 to 9223372036854775807, not \"\""),
            (["-uint", "-1"], "-uint takes a whole number from 0 to 18446744073709551615, not \"-1\""),
            (["-float", "0,5"], "-float takes a number such as 0.5 or 1e-3, inf, -inf, nan or nan:HEX, not \"0,5\""),
            (["-float", "1e999"], "-float takes a number such as 0.5 or 1e-3, inf, -inf, nan or nan:HEX, not \"1e999\""),
            (["-float", "nan:0"], "-float takes a number such as 0.5 or 1e-3, inf, -inf, nan or nan:HEX, not \"nan:0\""),
            (["-data", "abc"], "-data takes an even number of hexadecimal digits, not \"abc\""),
            (["-date", "31.1.2026"], "-date takes a date such as 2026-01-31 or 2026-01-31T12:00:00Z, not \"31.1.2026\""),
            (["-array", "-dict", "a"], "-array and -dict exclude each other"),
            (["a", "-array", "b"], "-array comes before its values"),
            (["-array-add"], "-array-add needs at least one value"),
            (["-dict", "a"], "-dict has no value for the key \"a\""),
            (["-dict", "a", "1", "a", "2"], "-dict has the key \"a\" twice"),
            (["-dict", "-int", "1", "a"], "-dict takes keys and values in turn, and -int 1 stands where a key should"),
            (["-int", "1", "--type", "s"], "--type says the type of all values, so -int 1 can't stand beside it"),
            (["-array", "--type", "s", "a"], "--type and -array exclude each other"),
        ] as [([String], String)])
    func refused(words: [String], message: String) throws {
        let failure = try #require(throws: Failure.self) { try expression(words) }
        #expect(failure.status == .usage)
        #expect(failure.message == message)
    }

    @Test("--type takes every type as busctl writes it")
    func signatures() throws {
        let cases: [(String, [String], Value)] = [
            ("y", ["255"], .byte(255)), ("n", ["-32768"], .int16(.min)), ("q", ["0xffff"], .uint16(.max)),
            ("i", ["-1"], .int32(-1)),
            ("u", ["1"], .uint32(1)), ("x", ["-1"], .int64(-1)), ("t", ["1"], .uint64(1)), ("d", ["-inf"], .double(-.infinity)),
            ("b", ["on"], .boolean(true)), ("s", ["-x"], .string("-x")), ("o", ["/a"], .objectPath("/a")),
            ("g", [""], .signature("")),
            ("ay", ["2", "1", "2"], .bytes([1, 2])), ("as", ["0"], .array([String]())),
            ("aas", ["2", "1", "a", "0"], .array([["a"], []])),
            ("v", ["i", "5"], .variant(.int32(5))),
            ("av", ["2", "s", "a", "v", "b", "no"], .array([Value.string("a"), .variant(.boolean(false))])),
            ("(si(b))", ["a", "1", "yes"], .structure([.string("a"), .int32(1), .structure([.boolean(true)])])),
            ("a{sv}", ["1", "k", "ai", "1", "9"], .vardict([("k", .array([Int32(9)]))])),
        ]
        for (signature, words, value) in cases { #expect(try SignatureWords.value(signature: signature, words: words) == value) }
        let dictionary = try SignatureWords.value(signature: "a{ii}", words: ["1", "2", "3"])
        #expect(dictionary.type == .dictionary(key: .int32, value: .int32))
    }

    @Test(
        "--type refuses what is no value of the type",
        arguments: [
            ("z", ["1"], "--type takes one complete D-Bus type such as u, as or a{sv}, not \"z\""),
            ("ii", ["1", "2"], "--type takes one complete D-Bus type such as u, as or a{sv}, not \"ii\""),
            ("", [], "--type takes one complete D-Bus type such as u, as or a{sv}, not \"\""),
            ("ah", ["0"], "a file descriptor (h) can't be stored, so --type can't be \"ah\""),
            ("v", ["h", "0"], "a file descriptor (h) can't be stored, so a variant's signature can't be \"h\""),
            ("i", [], "the words end where a value of type i should follow"),
            ("i", ["1", "2"], "a value of type i ends before \"2\""),
            ("y", ["256"], "type y takes a whole number from 0 to 255, not \"256\""),
            ("o", ["a"], "type o takes an object path such as /org/example, not \"a\""),
            ("as", ["x"], "as begins with the number of its elements, not \"x\""),
            ("as", ["4294967295", "a"], "as has 4294967295 elements, but only 1 more words follow"),
            ("a{si}", ["1", "a"], "the words end where a value of type i should follow"),
        ] as [(String, [String], String)])
    func badWords(signature: String, words: [String], message: String) throws {
        let failure = try #require(throws: Failure.self) { try SignatureWords.value(signature: signature, words: words) }
        #expect(failure.message == message)
        #expect(failure.status == .usage)
    }

    @Test("100,000 variants in each other are refused, not a stack overflow")
    func deepNesting() throws {
        let failure = try #require(throws: Failure.self) {
            try SignatureWords.value(signature: "v", words: Array(repeating: "v", count: 100_000))
        }
        #expect(failure.message == "the value nests deeper than D-Bus allows, 64 levels")
    }
}
