import DBusTypes
import DefaultsInterface
import Glibc
import LibDBus
import Support
import Testing

/// A bus with a daemon, and the command line on it.
final class CommandLine {
    let bus: PrivateBus
    let daemon: Daemon

    init() throws {
        bus = try PrivateBus()
        daemon = try Daemon(on: bus)
    }

    /// Runs a command to its end.
    @discardableResult
    func run(_ arguments: String..., sourceLocation: SourceLocation = #_sourceLocation) throws -> Command.Result {
        try Command.run(try Programs.path("defaultsctl"), arguments, environment: bus.clientVariables)
    }

    /// Starts a command that goes on.
    func start(_ arguments: String...) throws -> Command {
        try Command(try Programs.path("defaultsctl"), arguments, environment: bus.clientVariables)
    }
}

@Suite("defaultsctl on a real daemon")
struct CommandLineTests {
    private let app = "org.example.App"

    @Test(
        "import takes an export from a file, from standard input and from a pipe by its name",
        arguments: ["-", "/dev/stdin", "FILE"])
    func importSources(source: String) throws {
        let shell = try CommandLine()
        let folder = try TemporaryFolder()
        try shell.run("write", app, "k", "-int", "5")
        let export = try shell.run("export").output
        try export.write(toNewFile: folder.path("export.json"))
        try shell.run("delete", app, "k")
        let imported = try Command.run(
            try Programs.path("defaultsctl"), ["import", source == "FILE" ? folder.path("export.json") : source],
            environment: shell.bus.clientVariables, input: export)
        #expect(imported.code == 0 && imported.errors.isEmpty, "\(imported)")
        #expect(try shell.run("read", app, "k").output == "5\n")
        let directory = try shell.run("import", folder.path)
        #expect(directory.code == 65 && directory.errors.contains("Is a directory"), "\(directory)")
    }

    @Test("P3: each form of write stores exactly its type, and read prints it back")
    func forms() throws {
        let shell = try CommandLine()
        let client = try Client(on: shell.bus)
        let cases: [([String], Value, String)] = [
            (["hello world"], .string("hello world"), "hello world"), (["-bool", "yes"], .boolean(true), "true"),
            (["-int", "-3"], .int64(-3), "-3"), (["-uint", "18446744073709551615"], .uint64(.max), "18446744073709551615"),
            (["-float", "-0.0"], .double(-0.0), "-0.0"),
            (["-float", "nan:fff8000000000001"], .double(Double(bitPattern: 0xFFF8_0000_0000_0001)), "nan:fff8000000000001"),
            (["-string", "--json"], .string("--json"), "--json"), (["-data", "00ff"], .bytes([0, 255]), "00ff"),
            (["-date", "1970-01-01T00:00:01Z"], .int64(1_000_000), "1000000"), (["-array"], .array([String]()), "[]"),
            (["-array", "-int", "1", "-int", "2"], .array([Int64(1), 2]), "[1, 2]"),
            (
                ["-dict", "b", "x", "a", "-bool", "no"], .vardict([("b", .string("x")), ("a", .boolean(false))]),
                #"{"a": false, "b": "x"}"#
            ),
            (
                ["--type", "(sai)", "-x", "2", "-1", "5"], .structure([.string("-x"), .array([Int32(-1), 5])]),
                #"("-x", [-1, 5])"#
            ),
            (["a\nb\t\u{1B}"], .string("a\nb\t\u{1B}"), "a\nb\t\u{1B}"), ([""], .string(""), ""),
        ]
        for (words, value, text) in cases {
            let write = try Command.run(
                try Programs.path("defaultsctl"), ["write", app, "k"] + words, environment: shell.bus.clientVariables)
            #expect(write.code == 0 && write.output.isEmpty && write.errors.isEmpty, "\(write)")
            #expect(try client.get(app, "k") == value)
            let read = try shell.run("read", app, "k")
            #expect(read.code == 0 && read.output == text + "\n", "\(read)")
        }
    }

    @Test("listings are sorted, one item a line, and JSON with --json")
    func listings() throws {
        let shell = try CommandLine()
        for (key, words) in [("b", "x\ty"), ("a", "1")] { try shell.run("write", app, key, words) }
        try shell.run("write", "org.example.Other", "n", "-int", "9007199254740993")
        #expect(try shell.run("read", app).output == "a\t1\nb\t\"x\\ty\"\n")
        #expect(
            try shell.run("read", app, "--json=short").output
                == #"{"type":"a{sv}","data":{"a":{"type":"s","data":"1"},"b":{"type":"s","data":"x\ty"}}}"# + "\n")
        #expect(
            try shell.run("--json=short", "read", "org.example.Other", "n").output == #"{"type":"x","data":9007199254740993}"#
                + "\n")
        #expect(try shell.run("domains").output == "org.example.App\norg.example.Other\n")
        #expect(try shell.run("keys", app).output == "a\nb\n")
        #expect(try shell.run("find", "OTHER").output == "org.example.Other\tn\t9007199254740993\n")
        let nothing = try shell.run("find", "nowhere")
        #expect(nothing.code == 1 && nothing.output.isEmpty)
        try shell.run("delete", app, "a")
        #expect(try shell.run("read", app).output == "b\t\"x\\ty\"\n")
        try shell.run("delete", app)
        #expect(try shell.run("read", app).output.isEmpty)
    }

    @Test("exit statuses: 0 yes, 1 absent, 64 usage, 65 invalid, 74 an output that can't be written")
    func statuses() throws {
        let shell = try CommandLine()
        #expect(try shell.run("read", app, "k").code == 1)
        #expect(try shell.run("raed", app, "k").code == 64)
        #expect(try shell.run("read", "not-a-domain", "k").code == 65)
        try shell.run("write", app, "k", "word")
        #expect(try shell.run("increment", app, "k").code == 65)
        #expect(try shell.run("countdown", "9999999999").code == 65)
        #expect(try shell.run("countdowns", "skip", "none").code == 1)
        let full = try Command.run(
            "sh", ["-c", "\"$0\" read org.example.App k > /dev/full", try Programs.path("defaultsctl")],
            environment: shell.bus.clientVariables)
        #expect(full.code == 74)
        #expect(full.errors == "defaultsctl: standard output can't be written: No space left on device\n")
    }

    @Test("69 without a bus, and without a daemon on it, each in one sentence")
    func unavailable() throws {
        let bus = try PrivateBus()
        let noDaemon = try Command.run(try Programs.path("defaultsctl"), ["domains"], environment: bus.clientVariables)
        #expect(
            noDaemon.code == 69 && noDaemon.errors.hasPrefix("defaultsctl: defaultsd is not running on this bus"), "\(noDaemon)")
        let noBus = try Command.run(try Programs.path("defaultsctl"), ["domains"], environment: [:])
        #expect(noBus.code == 69 && noBus.errors.hasPrefix("defaultsctl: no connection to the user's bus: "), "\(noBus)")
        let badAddress = try Command.run(try Programs.path("defaultsctl"), ["--address=nonsense", "domains"], environment: [:])
        #expect(badAddress.code == 64, "\(badAddress)")
    }

    @Test("--if-absent and --expect change nothing and exit 1 when they are not met; --quiet leaves the reason out")
    func conditions() throws {
        let shell = try CommandLine()
        #expect(try shell.run("write", app, "n", "-int", "1", "--if-absent").code == 0)
        let present = try shell.run("write", app, "n", "-int", "2", "--if-absent")
        #expect(
            present.code == 1 && present.errors == "defaultsctl: n in org.example.App has the value 1 already\n", "\(present)")
        #expect(try shell.run("write", app, "n", "-int", "2", "--expect=1").code == 0)
        let other = try shell.run("write", app, "n", "-int", "3", "--expect", "1", "--quiet")
        #expect(other.code == 1 && other.errors.isEmpty, "\(other)")
        // The same digits in another type are another value.
        #expect(try shell.run("write", app, "n", "-uint", "3", "--expect=2").code == 1)
        #expect(try shell.run("read", app, "n").output == "2\n")
        try shell.run("write", app, "a", "-array", "x", "y")
        #expect(try shell.run("write", app, "a", "-array", "z", #"--expect=["x"]"#).code == 1)
        #expect(try shell.run("write", app, "a", "-array", "z", #"--expect=["x", "y"]"#).code == 0)
        #expect(try shell.run("read", app, "a").output == "[\"z\"]\n")
    }

    @Test("increments and additions of many processes at once all count")
    func concurrency() throws {
        let shell = try CommandLine()
        let commands = try (0..<8).map { try shell.start("write", app, "list", "-array-add", "-int", "\($0)") }
        let increments = try (0..<8).map { _ in try shell.start("increment", app, "n", "-2") }
        for command in commands + increments { #expect(try command.finish().code == 0) }
        let client = try Client(on: shell.bus)
        #expect(try client.get(app, "list")?.get(as: [Int64].self)?.sorted() == Array(0..<8))
        #expect(try client.get(app, "n") == .int64(-16))
    }

    @Test("L7: once is 0 the first time and 1 ever after; launches tell their kind")
    func launches() throws {
        let shell = try CommandLine()
        #expect(try shell.run("once", app, "hello").code == 0)
        #expect(try shell.run("once", app, "hello").code == 1)
        #expect(try shell.run("once", app, "hello", "--reset").code == 0)
        #expect(try shell.run("once", app, "hello").code == 0)
        #expect(try shell.run("once", app, "news", "--version=1.9").code == 0)
        #expect(try shell.run("once", app, "news", "--version", "1.10").code == 0)
        #expect(try shell.run("once", app, "news", "--version=1.9").code == 1)
        #expect(try shell.run("flags", app).output.split(separator: "\n").map { $0.prefix { $0 != "\t" } } == ["hello", "news"])
        #expect(try shell.run("launch", "show", app).code == 1)
        #expect(try shell.run("launch", "record", app, "1.9", "--existing-user").output.contains("kind\tadopted\n"))
        #expect(try shell.run("launch", "record", app, "1.10").output.contains("kind\tupgrade\n"))
        #expect(try shell.run("launch", "show", app).output.contains("version\t1.10\n"))
        #expect(
            try shell.run("launch", "history", app).output.split(separator: "\n").map { $0.prefix { $0 != "\t" } } == [
                "1.10", "1.9",
            ])
        #expect(try shell.run("launch", "forget", app).code == 0)
        #expect(try shell.run("launch", "show", app).code == 1)
    }

    @Test("status names the daemon, its bus and its store")
    func status() throws {
        let shell = try CommandLine()
        let status = try shell.run("status")
        #expect(status.code == 0, "\(status)")
        let lines = status.output.split(separator: "\n")
        #expect(lines == lines.sorted())
        for line in [
            "pid\t\(shell.daemon.process.identifier)", "store_state\thealthy",
            "store_path\t\(shell.daemon.store)/defaults.sqlite",
            "version\t\(WellKnown.version)",
        ] { #expect(lines.contains(line[...]), "\(line) in \(status)") }
    }
}
