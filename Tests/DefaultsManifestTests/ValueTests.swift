import DBusTypes
import Support
import Testing

@testable import DefaultsManifest

@Suite("Values in files")
struct ValueTests {
    private func read(_ text: String) throws -> Value {
        let root = try JSONNode(parsing: Array("[\(text)]".utf8))
        guard case .array(let elements) = root, let node = elements.first else { throw TestFailure("\(root)") }
        return try ValueReader.value(node, at: .root)
    }

    private func problem(_ text: String) -> EntryError? {
        do {
            _ = try read(text)
            return nil
        } catch {
            return error as? EntryError
        }
    }

    @Test(
        "Plain JSON has one type each",
        arguments: [
            ("true", Value.boolean(true)), ("-7", .int64(-7)), ("-0", .int64(0)), ("9223372036854775807", .int64(.max)),
            ("-9223372036854775808", .int64(.min)), ("9223372036854775808", .uint64(1 << 63)),
            ("18446744073709551615", .uint64(.max)), ("1.0", .double(1)), ("-0.0", .double(-0.0)), ("1e3", .double(1000)),
            ("0.1", .double(0.1)), ("5e-324", .double(.leastNonzeroMagnitude)), (#""""#, .string("")),
            (#""a\u0301é""#, .string("a\u{301}é")),
            ("[1, 2]", .array([Int64(1), 2])), (#"["a"]"#, .array(["a"])),
            ("[]", .array(ArrayValue(unchecked: [], of: .variant))),
            ("[1, true]", .array(ArrayValue(unchecked: [.variant(.int64(1)), .variant(.boolean(true))], of: .variant))),
            ("[1, 1.0]", .array(ArrayValue(unchecked: [.variant(.int64(1)), .variant(.double(1))], of: .variant))),
            ("[[1], [2, 3]]", .array([[1], [2, 3]] as [[Int64]])), ("{}", .vardict([])),
            (#"{"b": 1, "a": {"type": "y", "data": 2}}"#, .vardict([("b", .int64(1)), ("a", .byte(2))])),
            (#"{"type": "s"}"#, .vardict([("type", .string("s"))])),
            (#"{"type": 1, "data": 2}"#, .vardict([("type", .int64(1)), ("data", .int64(2))])),
        ])
    func plain(text: String, value: Value) throws {
        #expect(try read(text) == value)
    }

    @Test(
        "With a type, any value; 64-bit integers, doubles and bytes also as strings",
        arguments: [
            (#"{"type": "y", "data": 255}"#, Value.byte(255)), (#"{"type": "i", "data": "-5"}"#, .int32(-5)),
            (#"{"type": "t", "data": "18446744073709551615"}"#, .uint64(.max)), (#"{"data": -1, "type": "x"}"#, .int64(-1)),
            (#"{"type": "d", "data": 3}"#, .double(3)), (#"{"type": "d", "data": "inf"}"#, .double(.infinity)),
            (#"{"type": "d", "data": "-inf"}"#, .double(-.infinity)),
            (#"{"type": "d", "data": "nan:7ff80000deadbeef"}"#, .double(Double(bitPattern: 0x7FF8_0000_DEAD_BEEF))),
            (#"{"type": "ay", "data": "hex:00fF"}"#, .bytes([0, 255])), (#"{"type": "ay", "data": [1, 2]}"#, .bytes([1, 2])),
            (#"{"type": "as", "data": []}"#, .array([String]())), (#"{"type": "o", "data": "/a/b"}"#, .objectPath("/a/b")),
            (#"{"type": "g", "data": "a{sv}"}"#, .signature("a{sv}")),
            (#"{"type": "(is)", "data": [1, "x"]}"#, .structure([.int32(1), .string("x")])),
            (#"{"type": "v", "data": 1}"#, .variant(.int64(1))),
            (#"{"type": "v", "data": {"type": "q", "data": 1}}"#, .variant(.uint16(1))),
            (
                #"{"type": "a{ub}", "data": {"7": true}}"#,
                .dictionary(DictionaryValue(unchecked: [.init(.uint32(7), .boolean(true))], key: .uint32, value: .boolean))
            ),
        ])
    func typed(text: String, value: Value) throws {
        #expect(try read(text) == value)
    }

    @Test(
        "What fits no value is named with its path",
        arguments: [
            ("null", "", "null"), ("18446744073709551616", "", "64 bits"), ("-9223372036854775809", "", "64 bits"),
            (#"[1, {"a": null}]"#, "[1].a", "null"), (#"{"type": "y", "data": 256}"#, "data", "256"),
            (#"{"type": "ss", "data": 1}"#, "type", "signature"), (#"{"type": "ah", "data": []}"#, "type", "descriptor"),
            (#"{"type": "i", "data": 1.5}"#, "data", "1.5"), (#"{"type": "i", "data": "+5"}"#, "data", "+5"),
            (#"{"type": "d", "data": "nan:7ff0000000000000"}"#, "data", "nan"),
            (#"{"type": "d", "data": "x"}"#, "data", "type d"),
            (#"{"type": "o", "data": "a"}"#, "data", "type o"), (#"{"type": "ay", "data": "hex:0"}"#, "data", "type ay"),
            (#"{"type": "(ii)", "data": [1]}"#, "data", "1 elements"),
            (#"{"type": "(ii)", "data": [1, true]}"#, "data[1]", "true"),
            (#"{"type": "a{yb}", "data": {"1": true, "01": true}}"#, "data", "twice"),
            (#"{"type": "a{yb}", "data": {"256": true}}"#, #"data.256"#, "type y"),
        ])
    func wrong(text: String, path: String, message: String) throws {
        let error = try #require(problem(text))
        #expect(error.path.description == path && error.message.contains(message), "\(error)")
    }

    @Test("A text nested too deeply for a value is an error, not the end of the process")
    func depth() {
        let text = String(repeating: "[", count: 2_000) + String(repeating: "]", count: 2_000)
        #expect(problem(text)?.message.contains("deep") == true)
    }

    @Test("P3: every value, written with its type and read again, has the same type and bits", arguments: SampleValues.all)
    func typedRoundTrip(value: Value) throws {
        #expect(try read(JSONNode(typed: value).text) == value)
        #expect(try read(JSONNode(value).text) == value)
    }

    @Test("P3: 2,000 random values come back the same, in both forms")
    func randomRoundTrip() throws {
        var generator = SeededGenerator(seed: 11)
        for _ in 0..<2_000 {
            let value = generator.value(generator.type(depth: 3), depth: 3)
            guard !Self.hasDuplicates(value) else { continue }
            #expect(try read(JSONNode(typed: value).text) == value)
            #expect(try read(JSONNode(value).text) == value)
        }
    }

    @Test("The same dictionary gives the same text, in whatever order its entries came")
    func sorted() {
        let first = Value.vardict([("b", .int32(1)), ("a", .boolean(false))])
        let second = Value.vardict([("a", .boolean(false)), ("b", .int32(1))])
        #expect(JSONNode(typed: first).text == JSONNode(typed: second).text)
    }

    /// Random dictionaries may have a key twice, which no store takes and no JSON text can say.
    private static func hasDuplicates(_ value: Value) -> Bool {
        switch value {
        case .array(let array): array.values.contains(where: hasDuplicates)
        case .structure(let fields): fields.contains(where: hasDuplicates)
        case .dictionary(let dictionary):
            dictionary.duplicateKey != nil || dictionary.entries.contains { hasDuplicates($0.value) }
        case .variant(let inner): hasDuplicates(inner)
        default: false
        }
    }
}
