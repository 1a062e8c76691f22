import Testing

@testable import DefaultsCommands

@Suite("Texts in lines and columns")
struct TextWrapTests {
    @Test("breaks at spaces, keeps line breaks, and squeezes spaces")
    func words() {
        #expect(TextWrap.lines("one two three", width: 7) == ["one two", "three"])
        #expect(TextWrap.lines("one  two", width: 8) == ["one two"])
        #expect(TextWrap.lines("a\n\nb\r\nc", width: 8) == ["a", "", "b", "c"])
        #expect(TextWrap.lines("", width: 8).isEmpty)
    }

    @Test("a word wider than a line is broken, after what stands before it")
    func longWords() {
        #expect(TextWrap.lines("abcdefgh", width: 3) == ["abc", "def", "gh"])
        #expect(TextWrap.lines("ab cdefghij", width: 6) == ["ab cde", "fghij"])
    }

    @Test("wide characters take two columns, also where there is but one")
    func wide() {
        #expect(TextWrap.lines("你好世界", width: 5) == ["你好", "世界"])
        #expect(TextWrap.lines("你好", width: 1) == ["你", "好"])
    }

    @Test("no line is wider than asked for, whatever the text", arguments: 2...40)
    func widths(width: Int) {
        let text = "Swipe 左 to see what is new in 2.0 — incomprehensibilities, 最新情報をお知らせします, and more."
        for line in TextWrap.lines(text, width: width) { #expect(TextWidth.columns(line) <= width, "\(line)") }
        #expect(TextWrap.lines(text, width: width).joined().filter { $0 != " " } == text.filter { $0 != " " })
    }

    @Test("nothing moves the cursor")
    func unsafe() {
        #expect(TextWrap.lines("a\u{1B}[2Jb", width: 80) == ["a\\u001b[2Jb"])
    }

    @Test("columns are as wide as their widest text")
    func columns() {
        #expect(TextColumns.lines([["a", "yes", "why not"], ["你好", "no", "x"]]) == ["a     yes  why not", "你好  no   x"])
        #expect(TextColumns.lines([]).isEmpty)
    }
}
