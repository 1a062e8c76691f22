import DBusTypes
import Testing

@testable import DefaultsCommands

@Suite("The countdown in the terminal")
struct CountdownTests {
    private static let plain = TerminalStyle(hasColour: false, hasUnicode: true)
    private static let ascii = TerminalStyle(hasColour: false, hasUnicode: false)

    private static func view(_ remaining: UInt64, of duration: UInt64 = 10_000, tick: UInt64 = 1000) -> CountdownView {
        CountdownView(duration: duration, tick: tick, remaining: remaining)
    }

    @Test("the bar shows what is left, to an eighth of a column")
    func bar() {
        #expect(Self.view(10_000).line(width: 80, style: Self.plain) == String(repeating: "█", count: 40) + " 10 s")
        #expect(
            Self.view(5_000).line(width: 80, style: Self.plain)
                == String(repeating: "█", count: 20) + String(repeating: "░", count: 20) + "  5 s")
        #expect(
            Self.view(1_100, tick: 100).line(width: 80, style: Self.plain)
                == "████▍" + String(repeating: "░", count: 35) + "  1.1 s")
        #expect(Self.view(0).line(width: 80, style: Self.plain) == String(repeating: "░", count: 40) + "  0 s")
        #expect(Self.view(0, of: 0).line(width: 80, style: Self.plain) == String(repeating: "░", count: 40) + " 0 s")
        #expect(Self.view(5_000).line(width: 30, style: Self.ascii) == "[###########...........]  5 s")
    }

    @Test(
        "time left is rounded up and reads as people say it",
        arguments: [
            (10_000, 10_000, 1000, "10 s"), (9_001, 10_000, 1000, "10 s"), (0, 10_000, 1000, "0 s"),
            (6_450, 10_000, 500, "6.5 s"),
            (60_000, 60_000, 1000, "1:00"), (67_000, 600_000, 1000, "1:07"), (599_001, 600_000, 1000, "10:00"),
            (3_607_000, 7_200_000, 1000, "1:00:07"), (2_592_000_000, 2_592_000_000, 1000, "720:00:00"),
            (7_000, 60_000, 1000, "0:07"),
        ] as [(UInt64, UInt64, UInt64, String)])
    func time(remaining: UInt64, duration: UInt64, tick: UInt64, text: String) {
        #expect(Self.view(remaining, of: duration, tick: tick).timeLeft == text)
    }

    @Test("purpose, bar, time and hint share the line; where it is narrow they go in turn")
    func widths() {
        var view = Self.view(4_000)
        view.purpose = "Launching 跳过"
        view.skip = .now
        let bar = String(repeating: "█", count: 16) + String(repeating: "░", count: 24)
        #expect(view.line(width: 80, style: Self.plain) == "Launching 跳过  \(bar)  4 s  s skips")
        #expect(view.line(width: 41, style: Self.plain) == "Launching 跳过  ████░░░░░░  4 s  s skips")
        #expect(view.line(width: 36, style: Self.plain) == "Launchin…  ████░░░░░░  4 s  s skips")
        #expect(view.line(width: 30, style: Self.plain) == "██████░░░░░░░░░  4 s  s skips")
        #expect(view.line(width: 20, style: Self.plain) == "█████▋░░░░░░░░  4 s")
        #expect(view.line(width: 12, style: Self.plain) == " 4 s")
        #expect(view.line(width: 4, style: Self.plain) == "4 s")
        #expect(view.line(width: 3, style: Self.plain) == "4…")
        #expect(view.line(width: 1, style: Self.plain) == "")
    }

    @Test("no line is as wide as its terminal, and the bar's end stays where it is", arguments: 1...120)
    func neverWraps(width: Int) {
        for (purpose, after) in [("", 0), ("Willkommen 🇺🇦 跳过", 3_000), ("a\u{1B}[2J", 10_000)] as [(String, UInt64)] {
            var ends = Set<Int>()
            for remaining in stride(from: UInt64(0), through: 10_000, by: 1000) {
                var view = Self.view(remaining)
                view.purpose = purpose
                view.skippableAfter = after
                view.skip = 10_000 - remaining >= after ? .now : .after(after - (10_000 - remaining))
                for style in [Self.plain, Self.ascii] {
                    let line = view.line(width: width, style: style)
                    #expect(TextWidth.columns(line) < width)
                    #expect(!line.unicodeScalars.contains { $0.value < 0x20 })
                    if style == Self.ascii { ends.insert(TextWidth.columns(String(line.prefix { $0 != "]" }))) }
                }
            }
            if width > 20 { #expect(ends.count == 1) }
        }
    }

    @Test("colours are there only where wanted, and change no width")
    func colours() {
        var view = Self.view(4_000)
        view.skip = .now
        let coloured = view.line(width: 60, style: .init(hasColour: true, hasUnicode: true))
        var stripped = ""
        var isInside = false
        for scalar in coloured.unicodeScalars {
            if scalar == "\u{1B}" { isInside = true }
            if !isInside { stripped.unicodeScalars.append(scalar) }
            if scalar == "m", isInside { isInside = false }
        }
        #expect(coloured.contains("\u{1B}["))
        #expect(stripped == view.line(width: 60, style: Self.plain))
    }

    @Test("the environment decides on colours and characters")
    func styles() {
        func style(_ environment: [String: String]) -> TerminalStyle { Terminal.style { environment[$0] } }
        #expect(style(["LANG": "de_DE.UTF-8"]) == .init(hasColour: true, hasUnicode: true))
        #expect(style(["LANG": "C.utf8", "NO_COLOR": "1"]) == .init(hasColour: false, hasUnicode: true))
        #expect(style(["LANG": "C.utf8", "NO_COLOR": ""]) == .init(hasColour: true, hasUnicode: true))
        #expect(style(["LANG": "C.UTF-8", "LC_ALL": "POSIX"]) == .init(hasColour: true, hasUnicode: false))
        #expect(style([:]) == .init(hasColour: true, hasUnicode: false))
    }

    @Test(
        "seconds are decimal, to the millisecond",
        arguments: [
            ("10", 10_000), ("0", 0), ("2.5", 2_500), ("0.001", 1), ("1.05", 1_050),
            ("18446744073709551", 18_446_744_073_709_551_000),
            ("", nil), ("-5", nil), ("+5", nil), ("1.", nil), (".5", nil), ("1.0005", nil), ("1e3", nil), ("1,5", nil),
            ("ten", nil),
            ("18446744073709552", nil), ("99999999999999999999", nil),
        ] as [(String, UInt64?)])
    func seconds(text: String, milliseconds: UInt64?) {
        #expect(CountdownCommand.milliseconds(text) == milliseconds)
    }

    @Test("the spec has what was typed and nothing else")
    func spec() throws {
        func spec(_ words: String...) throws -> DictionaryValue {
            guard case .run(let invocation) = try ArgumentParser.parse(["countdown"] + words, commands: CommandTable.commands)
            else {
                throw Failure("no command", status: .usage)
            }
            return try CountdownCommand.spec(invocation)
        }
        #expect(try spec("10") == DictionaryValue([("duration", .uint64(10_000))]))
        #expect(
            try spec("2.5", "--tick=50", "--skippable-after", "3000", "--purpose=Hi", "--on-suspend=pause")
                == DictionaryValue([
                    ("duration", .uint64(2_500)), ("tick", .uint64(50)), ("skippable_after", .uint64(3_000)),
                    ("purpose", .string("Hi")),
                    ("on_suspend", .string("pause")),
                ]))
        for words in [["x"], ["10", "--tick=-1"], ["10", "--skippable-after=1s"], ["10", "--on-suspend=stop"]] {
            let failure = try #require(throws: Failure.self) {
                guard case .run(let invocation) = try ArgumentParser.parse(["countdown"] + words, commands: CommandTable.commands)
                else { return }
                _ = try CountdownCommand.spec(invocation)
            }
            #expect(failure.status == .usage)
        }
    }
}
