import DefaultsInterface
import Testing

@testable import DefaultsCommands

@Suite("Command lines")
struct ArgumentParserTests {
    private func parse(_ words: [String]) throws(Failure) -> Request {
        try ArgumentParser.parse(words, commands: CommandTable.commands)
    }

    private func invocation(_ words: String...) throws -> Invocation {
        guard case .run(let invocation) = try parse(words) else { throw Failure("no command in \(words)", status: .usage) }
        return invocation
    }

    private func failure(_ words: [String]) throws -> Failure {
        try #require(throws: Failure.self) { try parse(words) }
    }

    @Test("operands come in order, options of the program before and after the command")
    func globals() throws {
        let read = try invocation("--system", "read", "org.example.App", "--json=short", "key", "--quiet")
        #expect(read.command.name == "read")
        #expect(read.operands == ["org.example.App", "key"])
        #expect(read.globals == GlobalOptions(bus: .system, json: .short, isQuiet: true))
    }

    @Test("an option's value follows = or is the next word, whatever that begins with")
    func optionValues() throws {
        #expect(try invocation("--json", "pretty", "domains").globals.json == .pretty)
        #expect(try invocation("--address=unix:path=/a,guid=1", "domains").globals.bus == .address("unix:path=/a,guid=1"))
        let countdown = try invocation("countdown", "10", "--purpose", "--help", "--tick=50")
        #expect(countdown.argument(of: "--purpose") == "--help")
        #expect(countdown.argument(of: "--tick") == "50")
        #expect(countdown.argument(of: "--skippable-after") == nil)
    }

    @Test("the last of several counts")
    func repeated() throws {
        #expect(try invocation("--system", "--user", "domains").globals.bus == .user)
        #expect(try invocation("countdown", "1", "--tick=50", "--tick=60").argument(of: "--tick") == "60")
    }

    @Test("-- ends options")
    func endOfOptions() throws {
        #expect(try invocation("read", "--", "--json", "-x").operands == ["--json", "-x"])
        #expect(try invocation("write", "d", "k", "--", "-int").tokens.last == .operand("-int"))
    }

    @Test("inhibit's own options end where the command begins, whose options are its own")
    func commandOfItsOwn() throws {
        let inhibit = try invocation("--system", "inhibit", "--why=x", "make", "-j4", "--why=y", "--", "--json=short", "--help")
        #expect(inhibit.operands == ["make", "-j4", "--why=y", "--", "--json=short", "--help"])
        #expect(inhibit.argument(of: "--why") == "x")
        #expect(inhibit.globals == GlobalOptions(bus: .system))
        #expect(try invocation("inhibit", "--", "--odd", "-x").operands == ["--odd", "-x"])
        #expect(try failure(["inhibit", "--wy=x", "make"]).message.hasSuffix("did you mean --why?"))
        #expect(try failure(["inhibit"]).message == "inhibit needs COMMAND")
    }

    @Test("a word that goes on like a negative number is an operand", arguments: ["-1", "-0.5", "-.5", "-"])
    func negativeNumbers(word: String) throws {
        #expect(try invocation("increment", "d", "k", word).operand(2) == word)
    }

    @Test("a value flag takes the next word verbatim, an option of write stays one among values")
    func valueFlags() throws {
        let write = try invocation("write", "d", "k", "-string", "--if-absent", "--if-absent")
        #expect(write.operands == ["d", "k"])
        #expect(write.argument(of: "-string") == "--if-absent")
        #expect(write.has("--if-absent"))
        #expect(try invocation("write", "d", "k", "-int", "-3").argument(of: "-int") == "-3")
    }

    @Test("after --type words with one dash are values, long options still options")
    func typedWords() throws {
        let write = try invocation("write", "d", "k", "--type", "ad", "2", "-inf", "-1", "--quiet")
        #expect(write.operands == ["d", "k", "2", "-inf", "-1"])
        #expect(write.globals.isQuiet)
    }

    @Test("commands of two words, and the group's first word alone where that is a command")
    func groups() throws {
        #expect(try invocation("launch", "--json=short", "record", "a.b", "1.0").command.name == "launch record")
        #expect(try invocation("countdowns").command.name == "countdowns")
        #expect(try invocation("countdowns", "skip", "t").operands == ["t"])
    }

    @Test("--help and --version count wherever they stand")
    func helpAndVersion() throws {
        for (words, path) in [
            (["--help"], []), (["read", "--help"], ["read"]), (["launch", "record", "a", "-h"], ["launch", "record"]),
        ] {
            guard case .help(let found) = try parse(words) else { throw Failure("no help for \(words)", status: .usage) }
            #expect(found == path)
        }
        for words in [["--version"], ["read", "--version"], ["once", "--version"]] {
            guard case .version = try parse(words) else { throw Failure("no version for \(words)", status: .usage) }
        }
        #expect(try invocation("once", "a.b", "f", "--version", "2.0").argument(of: "--version") == "2.0")
        #expect(try invocation("once", "--version=2.0", "a.b", "f").argument(of: "--version") == "2.0")
    }

    @Test(
        "a wrong command line says what is wrong and exits 64",
        arguments: [
            (
                [],
                "which command? read, write, delete, increment, domains, keys, locked, describe, find, watch, export, import, forget, launch, once, "
                    + "flags, guide, tour, tip, countdown, countdowns, explain, inhibit, stats, status, machine or check"
            ),
            (["reed"], "there is no command \"reed\"; did you mean \"read\"?"),
            (["raed", "x"], "there is no command \"raed\"; did you mean \"read\"?"),
            (["incr", "x"], "there is no command \"incr\"; did you mean \"increment\"?"),
            (["help"], "there is no command \"help\"; did you mean --help?"),
            (["splash"], "there is no command \"splash\""),
            (["launch"], "launch needs one more word: record, show, history or forget"),
            (["launch", "recrod"], "launch has no command \"recrod\"; did you mean \"record\"?"),
            (["countdowns", "t"], "countdowns has no command \"t\""),
            (["read"], "read needs DOMAIN"),
            (["write"], "write needs DOMAIN and KEY"),
            (["read", "a", "b", "c"], "read does not take the additional word \"c\""),
            (["domains", "x"], "domains does not take the additional word \"x\""),
            (["--jsn=short", "domains"], "there is no option --jsn; did you mean --json?"),
            (["read", "a", "-x"], "read has no option -x"),
            (["countdown", "1", "--tik=5"], "countdown has no option --tik; did you mean --tick?"),
            (["write", "a", "b", "-itn", "1"], "write has no option -itn; did you mean -int?"),
            (
                ["write", "a", "b", "-hello-world"],
                "write has no option -hello-world; a value that begins like an option goes after -string or --"
            ),
            (["--json=long", "domains"], "--json takes short or pretty, not \"long\""),
            (["--json"], "--json needs a value: short|pretty"),
            (["--quiet=yes", "domains"], "--quiet takes no value, not \"yes\""),
            (["write", "a", "b", "-int"], "-int needs a value: NUMBER"),
        ] as [([String], String)])
    func wrong(words: [String], message: String) throws {
        let failure = try failure(words)
        #expect(failure.message == message)
        #expect(failure.status == .usage)
    }

    @Test("the report names the program and points to the help of the command")
    func report() throws {
        let failure = try failure(["launch", "recrod"])
        #expect(
            failure.report
                == "defaultsctl: launch has no command \"recrod\"; did you mean \"record\"?\nTry \"defaultsctl launch --help\".\n"
        )
        #expect(Failure("locked", status: .denied).report == "defaultsctl: locked\n")
    }

    @Test("a guess is made only for what is close")
    func suggestions() {
        #expect(Suggestion.distance("kitten", "sitting") == 3)
        #expect(Suggestion.distance("raed", "read") == 1)
        #expect(Suggestion.distance("", "abc") == 3)
        #expect(Suggestion.closest(to: "qqq", among: ["read", "write"]) == nil)
        #expect(Suggestion.closest(to: "x", among: ["xy"]) == "xy")
    }
}
