import Support
import Testing

@testable import DefaultsManifest

@Suite("JSON texts")
struct JSONTests {
    private func parse(_ text: String) throws -> JSONNode { try JSONNode(parsing: Array(text.utf8)) }

    private func syntaxError(_ text: String) -> JSONSyntaxError? {
        do throws(JSONSyntaxError) {
            _ = try JSONNode(parsing: Array(text.utf8))
            return nil
        } catch {
            return error
        }
    }

    @Test("A byte order mark, which no one sees, is named")
    func byteOrderMark() {
        let error = syntaxError("\u{FEFF}{}")
        #expect(error?.line == 1 && error?.column == 1)
        #expect(error?.message == "the file begins with a byte order mark, which JSON must not have")
        #expect(syntaxError("{\"\u{FEFF}\": 1}") == nil)
    }

    @Test("Numbers keep the digits that they were written with, wherever else digits stand")
    func numbers() throws {
        let text =
            #"{"1": [18446744073709551615, -9223372036854775808], "a\"2\\": "3, -4", "b": {"c": -0.0, "d": 1E+2}, "e": 99999999999999999999}"#
        let expected: JSONNode = .object([
            .init("1", .array([.number("18446744073709551615"), .number("-9223372036854775808")])),
            .init("a\"2\\", .string("3, -4")),
            .init("b", .object([.init("c", .number("-0.0")), .init("d", .number("1E+2"))])),
            .init("e", .number("99999999999999999999")),
        ])
        #expect(try parse(text) == expected)
    }

    @Test(
        "P16: what doesn't parse is reported with its line and column",
        arguments: [
            ("", 1, 1), ("{", 1, 1), ("{\n  \"a\": tru\n}", 2, 10), ("{\"a\": 1,\n\"a\": 2}", 2, 3),
            ("{\"a\": \"\\ud800\"}", 1, 14),
            ("{}\n\nx", 3, 1), ("{\"é\": nul}", 1, 9), ("17", 1, 2),
        ])
    func positions(text: String, line: Int, column: Int) throws {
        let error = try #require(syntaxError(text))
        #expect(error.line == line && error.column == column && !error.message.isEmpty, "\(error)")
    }

    @Test("Invalid UTF-8, a byte order mark and bare control characters don't parse")
    func encoding() {
        let texts: [[UInt8]] = [
            Array("{\"".utf8) + [0xFF] + Array("\": 1}".utf8), [0xEF, 0xBB, 0xBF] + Array("{}".utf8),
            Array("{\"".utf8) + [0x01] + Array("\": 1}".utf8), Array("{}".utf8) + [0],
        ]
        for text in texts { #expect(throws: JSONSyntaxError.self) { try JSONNode(parsing: text) } }
    }

    @Test("2,048 levels parse, one more is an error, and neither ends the process")
    func depth() throws {
        func nested(_ depth: Int) -> String {
            String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
        }
        _ = try parse(nested(2_048))
        #expect(syntaxError(nested(2_049))?.message.contains("depth") == true)
        #expect(syntaxError(nested(1_000_000)) != nil)
    }

    @Test("Written and read again, a tree is the same; the text is indented and ends a line")
    func text() throws {
        let tree: JSONNode = .object([
            .init("a \"b\"\u{1}\u{9F}", .array([.number("1"), .boolean(true), .null])), .init("", .object([])),
            .init("list", .array([.array([]), .object([.init("x", .string("é\n\t\\🇺🇦"))])])),
        ])
        #expect(try parse(tree.text) == tree)
        #expect(JSONNode.object([.init("a", .array([.number("1"), .number("2")]))]).text == "{\n  \"a\": [1, 2]\n}\n")
    }

    @Test("A string with U+0000 parses, so that only the entry that has it is wrong")
    func nul() throws {
        #expect(try parse(#"["a\u0000b"]"#) == .array([.string("a\0b")]))
    }
}
