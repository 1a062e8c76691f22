import DBusTypes
import Testing

@testable import DefaultsCommands

@Suite("A guide, a tour or a tip in the terminal: the view")
struct PlayerViewTests {
    private static let plain = TerminalStyle(hasColour: false, hasUnicode: true)

    private func view(page: UInt32 = 0, completion: String = "swipe") throws -> PlayerView {
        PlayerView(state: try PlayerState(.guide, PlayerSamples.guide(page: page, completion: completion)))
    }

    private func lines(_ view: PlayerView, width: Int = 80, height: Int = 24, _ style: TerminalStyle = plain) -> [String] {
        view.lines(width: width, height: height, style: style)
    }

    @Test("a guide: title, text, dots and what the keys do")
    func guide() throws {
        #expect(
            lines(try view()) == [
                "  Welcome", "", "  To begin with.", "", "  ● ○ ○", "", "  → next   s skip   q close",
            ])
        #expect(
            lines(try view(page: 1)) == [
                "  Files", "", "  [image files.png: A folder]", "", "  ○ ● ○", "", "  ← back   → next   s skip   q close",
            ])
    }

    @Test("G7: the button is there on the last page, where the guide has one")
    func button() throws {
        #expect(lines(try view(page: 2, completion: "button")).contains("  [ Done ]"))
        #expect(try view(page: 2, completion: "button").hints == "← back   Enter done   s skip   q close")
        #expect(try view(page: 2).hints == "← back   → done   s skip   q close")
        for page in [UInt32(0), 1] { #expect(!lines(try view(page: page, completion: "button")).contains("  [ Done ]")) }
        #expect(!lines(try view(page: 2)).contains("  [ Done ]"))
    }

    @Test("a countdown stands below, with the time left, and paused where it is")
    func countdown() throws {
        var view = try view()
        view.countdown = CountdownView(duration: 10_000, tick: 1000, remaining: 7_000, skip: .now)
        let line = try #require(lines(view).first { $0.contains("7 s") })
        #expect(line.hasPrefix("  ████") && !line.contains("skips"))
        view.countdown?.isPaused = true
        #expect(lines(view).contains { $0.hasSuffix("7 s  paused") })
    }

    @Test("a step has its text and what it points at, a tip its message")
    func others() throws {
        let step = PlayerView(state: try PlayerState(.tour, PlayerSamples.step(1)))
        #expect(
            lines(step) == [
                "  Open a file here.", "  [at #open, bottom]", "", "  ○ ●", "", "  ← back   → done   s skip   q close",
            ])
        let tip = PlayerView(state: try PlayerState(.tip, PlayerSamples.tip()))
        #expect(lines(tip) == ["  Undo", "", "  Shake to undo.", "", "  Enter does it   q closes   h hides"])
    }

    @Test("without UTF-8 there is nothing but ASCII, with colours only where they are wanted")
    func styles() throws {
        let ascii = lines(try view(page: 1), TerminalStyle(hasColour: false, hasUnicode: false))
        #expect(ascii.allSatisfy { $0.utf8.allSatisfy { $0 < 0x80 } }, "\(ascii)")
        #expect(ascii.contains("  o * o") && ascii.last == "  < back   > next   s skip   q close")
        let coloured = lines(try view(), TerminalStyle(hasColour: true, hasUnicode: true))
        #expect(coloured.first == "  \u{1B}[1mWelcome\u{1B}[0m")
        #expect(!lines(try view()).contains { $0.contains("\u{1B}") })
    }

    @Test("whatever the size, no line reaches the last column, no row is too many, and what one acts on stays")
    func sizes() throws {
        var view = try view(page: 2, completion: "button")
        view.state.text = String(repeating: "Seeing is believing 百聞は一見に如かず. ", count: 20)
        view.countdown = CountdownView(duration: 10_000, tick: 1000, remaining: 7_000, skip: .now)
        for width in 3...100 {
            for height in 1...30 {
                let lines = lines(view, width: width, height: height)
                #expect(!lines.isEmpty && lines.count <= height, "\(width) × \(height)")
                for line in lines { #expect(TextWidth.columns(line) < width, "\(width) × \(height): \(line)") }
                if width >= 12, height >= 4 { #expect(lines.contains { $0.hasSuffix("[ Done ]") }, "\(width) × \(height)") }
            }
        }
        #expect(lines(view, width: 40, height: 10).contains { $0.hasSuffix("…") })
    }

    @Test("more dots than there is room for are numbers")
    func manyPages() throws {
        var view = try view()
        view.state.count = 64
        view.state.index = 9
        #expect(lines(view, width: 80).contains("  10/64"))
        #expect(lines(view, width: 200).contains("  10/64"), "a line is at most 72 columns")
    }

    @Test("where there is no screen: number and title, text, captions, nothing that moves the cursor")
    func plainly() throws {
        let pages = try PlayerState.pages(of: PlayerSamples.guide())
        #expect(
            pages.map(PlayerView.plain) == [
                ["1/3 Welcome", "To begin with."], ["2/3 Files", "[image files.png: A folder]"], ["3/3 Done", "Have fun."],
            ])
        #expect(
            PlayerView.plain(try PlayerState(.tour, PlayerSamples.step()))
                == ["1/2 open", "Open a file here.", "[at #open, bottom]"])
        var state = try PlayerState(.tip, PlayerSamples.tip())
        state.text = "a\u{1B}b\nc"
        #expect(PlayerView.plain(state) == ["Undo", "a\\u001bb", "c"])
    }
}
