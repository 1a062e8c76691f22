import Testing

@testable import DefaultsCommands

@Suite("Keys from a terminal")
struct KeyReaderTests {
    private func keys(_ text: String) -> [PlayerKey] {
        var reader = KeyReader()
        return reader.take(Array(text.utf8)) + reader.giveUp()
    }

    @Test("letters in either case, Enter, the space bar and the arrows in both of their sequences")
    func plain() {
        #expect(keys("hLqS") == [.letter("h"), .letter("l"), .letter("q"), .letter("s")])
        #expect(keys("\r\n ") == [.enter, .enter, .space])
        #expect(keys("\u{1B}[C\u{1B}[D\u{1B}OC\u{1B}OD") == [.right, .left, .right, .left])
    }

    @Test("Escape is a key by itself only where no more follows")
    func escape() {
        #expect(keys("\u{1B}") == [.escape])
        #expect(keys("\u{1B}\u{1B}") == [.escape, .escape])
        #expect(keys("s\u{1B}") == [.letter("s"), .escape])
        var reader = KeyReader()
        #expect(reader.take([0x1B]).isEmpty && reader.isUnfinished)
        #expect(reader.take(Array("[C".utf8)) == [.right])
        #expect(!reader.isUnfinished && reader.giveUp().isEmpty)
    }

    @Test(
        "no letter of another key's sequence counts",
        arguments: ["\u{1B}[s", "\u{1B}q", "\u{1B}[15~", "\u{1B}[1;5C", "\u{1B}Oq", "ß", "1"])
    func others(text: String) {
        #expect(keys(text).isEmpty)
    }

    @Test("a sequence that never ends is given up whole")
    func unfinished() {
        #expect(keys("\u{1B}[1;").isEmpty)
        #expect(keys("\u{1B}[").isEmpty)
    }
}
