import DBusTypes
import Testing

@testable import DefaultsCommands

@Suite("Listings")
struct ListingTests {
    @Test("read DOMAIN: one line a key, sorted, with a tab")
    func domain() {
        let values = DictionaryValue([("b", .string("x\ty")), ("a", .int64(1)), ("c", .array(["q"]))])
        #expect(values.lines == ["a\t1", "b\t\"x\\ty\"", "c\t[\"q\"]"])
    }

    @Test("a launch's instants are dates, and none where there was none")
    func launch() {
        let launch = DictionaryValue([
            ("version", .string("1.10")), ("first_launch", .int64(1_000_000_000_000_000)), ("previous_launch", .int64(0)),
            ("launches", .uint64(2)),
        ])
        #expect(
            LaunchCommands.lines(of: launch) == [
                "first_launch\t2001-09-09T01:46:40Z", "launches\t2", "previous_launch\t-", "version\t1.10",
            ])
        #expect(
            LaunchCommands.line(of: [.string("1.0"), .int64(0), .int64(1), .uint64(7)])
                == "1.0\t1970-01-01T00:00:00Z\t1970-01-01T00:00:00.000001Z\t7")
    }

    @Test("find looks at domain, key and value, in whatever case, and leaves what is inherited to global")
    func find() {
        let values = DictionaryValue([("Theme", .string("dark")), ("font", .string("Mono")), ("size", .int64(12))])
        let inherited = DictionaryValue([("Theme", .string("dark"))])
        func keys(_ text: String, _ domain: String = "org.example.App", inherited: DictionaryValue? = nil) -> [String] {
            FindCommand.findings(of: text, in: domain, values, inherited: inherited).map(\.key)
        }
        #expect(keys("theme") == ["Theme"])
        #expect(keys("MONO") == ["font"])
        #expect(keys("12") == ["size"])
        #expect(keys("example") == ["Theme", "font", "size"])
        #expect(keys("nothing").isEmpty)
        #expect(keys("dark", inherited: inherited).isEmpty)
        #expect(keys("example", inherited: DictionaryValue([("Theme", .string("light"))])) == ["Theme", "font", "size"])
    }

    @Test("a countdown is named by its token, by SENDER/TOKEN where that is not enough, or by its path")
    func chooseCountdown() throws {
        func entry(_ path: ObjectPath) -> CountdownListCommands.Entry { .init(path: path, state: DictionaryValue([])) }
        let entries = [
            entry("/org/defaultsd1/countdown/1_5/splash"), entry("/org/defaultsd1/countdown/1_6/splash"),
            entry("/org/defaultsd1/countdown/1_6/other"),
        ]
        #expect(try CountdownListCommands.choose("other", among: entries) == "/org/defaultsd1/countdown/1_6/other")
        #expect(try CountdownListCommands.choose("1_5/splash", among: entries) == "/org/defaultsd1/countdown/1_5/splash")
        #expect(
            try CountdownListCommands.choose("/org/defaultsd1/countdown/1_6/splash", among: entries)
                == "/org/defaultsd1/countdown/1_6/splash")
        let ambiguous = try #require(throws: Failure.self) { try CountdownListCommands.choose("splash", among: entries) }
        #expect(ambiguous.message == "\"splash\" is the token of 2 countdowns: write one of 1_5/splash, 1_6/splash")
        #expect(ambiguous.status == .usage)
        let absent = try #require(throws: Failure.self) { try CountdownListCommands.choose("nope", among: entries) }
        #expect(absent.status == .no)
    }

    @Test("countdowns are listed by owner, as numbers, and by token")
    func countdownOrder() {
        let names = ["1_10/a", "1_9/z", "1_9/b", "2_1/a", "1_9/a"]
        let entries = names.compactMap { ObjectPath("/org/defaultsd1/countdown/" + $0) }
            .map { CountdownListCommands.Entry(path: $0, state: DictionaryValue([])) }
        #expect(entries.sorted().map(\.fullName) == ["1_9/a", "1_9/b", "1_9/z", "1_10/a", "2_1/a"])
    }

    @Test("a line of countdowns: name, state, milliseconds left, purpose")
    func countdownLine() {
        let state = DictionaryValue([
            ("state", .string("running")), ("remaining", .uint64(2500)), ("purpose", .string("a\u{1B}b")),
        ])
        let entry = CountdownListCommands.Entry(path: "/org/defaultsd1/countdown/1_5/splash", state: state)
        #expect(CountdownListCommands.line(entry) == "1_5/splash\trunning\t2500\t\"a\\u001bb\"")
    }
}
