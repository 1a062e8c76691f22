import DBusTypes
import Testing

@testable import DefaultsCommands

@Suite("Values in print")
struct ValueTextTests {
    private static func words(_ signature: String, _ words: String...) throws -> Value {
        try SignatureWords.value(signature: signature, words: words)
    }

    @Test("a value alone is printed as people write it")
    func alone() throws {
        let cases: [(Value, String)] = [
            (.string("a\tb\n ü"), "a\tb\n ü"), (.string(""), ""), (.boolean(true), "true"), (.boolean(false), "false"),
            (.byte(255), "255"),
            (.int16(-1), "-1"), (.uint16(65_535), "65535"), (.int32(-5), "-5"), (.uint32(5), "5"),
            (.int64(.min), "-9223372036854775808"),
            (.uint64(.max), "18446744073709551615"), (.double(0.1), "0.1"), (.double(3), "3.0"), (.double(-0.0), "-0.0"),
            (.double(.infinity), "inf"), (.double(-.infinity), "-inf"), (.double(.nan), "nan"),
            (.double(Double(bitPattern: 0xFFF8_0000_0000_0001)), "nan:fff8000000000001"), (.double(1e300), "1e+300"),
            (.objectPath("/a/b"), "/a/b"), (.signature("a{sv}"), "a{sv}"), (.bytes([0, 0xAB, 255]), "00abff"), (.bytes([]), ""),
            (.array([String]()), "[]"), (.array(["a", "b\"c"]), "[\"a\", \"b\\\"c\"]"), (.array([Int64(1), -2]), "[1, -2]"),
            (.variant(.variant(.string("x"))), "x"), (.vardict([]), "{}"),
            (.vardict([("b", .int64(1)), ("a", .bytes([1, 2]))]), "{\"a\": hex:0102, \"b\": 1}"),
            (.structure([.int32(1), .string("a"), .array([Double]())]), "(1, \"a\", [])"),
        ]
        for (value, text) in cases { #expect(ValueText.raw(value) == text) }
    }

    @Test("dictionaries are sorted by key: numbers by size, texts by their bytes")
    func sorting() throws {
        #expect(ValueText.raw(try Self.words("a{is}", "3", "10", "a", "-1", "b", "9", "c")) == "{-1: \"b\", 9: \"c\", 10: \"a\"}")
        #expect(
            ValueText.raw(try Self.words("a{ts}", "2", "18446744073709551615", "a", "1", "b"))
                == "{1: \"b\", 18446744073709551615: \"a\"}")
        #expect(
            ValueText.raw(try Self.words("a{ss}", "3", "é", "1", "z", "2", "B", "3"))
                == "{\"B\": \"3\", \"z\": \"2\", \"é\": \"1\"}")
        #expect(
            ValueText.raw(try Self.words("a{ds}", "3", "1", "a", "-inf", "b", "-0.5", "c"))
                == "{-inf: \"b\", -0.5: \"c\", 1.0: \"a\"}")
        #expect(ValueText.raw(try Self.words("a{bs}", "2", "true", "a", "false", "b")) == "{false: \"b\", true: \"a\"}")
    }

    @Test(
        "on a line nothing moves the cursor or ends the line",
        arguments: [
            ("plain ü 跳过", "plain ü 跳过"), ("back\\slash", "back\\slash"), ("\"quoted\"", "\"\\\"quoted\\\"\""),
            ("in \"side\"", "in \"side\""),
            ("a\nb", "\"a\\nb\""), ("a\tb\\", "\"a\\tb\\\\\""), ("\u{1B}[2J", "\"\\u001b[2J\""), ("\u{9B}2J", "\"\\u009b2J\""),
            ("a\u{202E}b", "\"a\\u202eb\""), ("a\r", "\"a\\r\""), ("\u{7F}", "\"\\u007f\""), ("", ""),
        ])
    func lines(text: String, line: String) {
        #expect(ValueText.line(.string(text)) == line)
        #expect(ValueText.line(.variant(.string(text))) == line)
    }

    @Test("no two texts have the same line")
    func unambiguous() {
        let texts = ["a\nb", "\"a\\nb\"", "a\\nb", "\"a\nb\"", "\u{1B}", "\\u001b", "\"\\u001b\""]
        #expect(Set(texts.map { ValueText.line(.string($0)) }).count == texts.count)
    }
}
