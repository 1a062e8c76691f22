import DBusTypes
import DefaultsInterface
import Glibc
import LibDBus
import Support
import Testing

@Suite("defaultsctl watch on a real daemon")
struct CommandLineWatchTests {
    private let app = "org.example.App"

    private func watch(_ shell: CommandLine, _ words: String...) throws -> Command {
        let watch = try Command(
            try Programs.path("defaultsctl"), ["watch"] + words, environment: shell.bus.clientVariables)
        try watch.waitForErrors(containing: "watching")
        return watch
    }

    @Test(
        "each change is a line at once, a removed key stands alone, and SIGTERM or SIGINT is the regular end",
        arguments: [SIGTERM, SIGINT])
    func changes(signal: Int32) throws {
        let shell = try CommandLine()
        try shell.run("write", app, "before", "1")
        let watch = try watch(shell, app)
        try shell.run("write", app, "k", "a\nb")
        #expect(try watch.nextLine() == "k\t\"a\\nb\"")
        try shell.run("write", "global", "g", "-int", "5")
        #expect(try watch.nextLine() == "g\t5")
        try shell.run("delete", app, "before")
        #expect(try watch.nextLine() == "before")
        watch.process.send(signal)
        let result = try watch.finish()
        #expect(result.code == 0, "\(result)")
    }

    @Test("only the keys asked for, as JSON where that is asked for")
    func keys() throws {
        let shell = try CommandLine()
        let watch = try watch(shell, app, "a", "c", "--json=short")
        for key in ["a", "b", "c"] { try shell.run("write", app, key, "-int", "1") }
        #expect(try watch.nextLine() == #"{"key":"a","type":"x","data":1}"#)
        #expect(try watch.nextLine() == #"{"key":"c","type":"x","data":1}"#)
        try shell.run("delete", app, "c")
        #expect(try watch.nextLine() == #"{"key":"c"}"#)
    }

    @Test("10: the daemon is killed and restarted; what moved in between is printed once, then changes as before")
    func restart() throws {
        let shell = try CommandLine()
        for key in ["gone", "kept", "moved"] { try shell.run("write", app, key, "old") }
        let watch = try watch(shell, app)
        try shell.daemon.kill9()
        try watch.waitForErrors(containing: "went away")
        // Stopped, it can't watch again before the values have moved.
        watch.process.send(SIGSTOP)
        try shell.daemon.restart()
        try shell.run("write", app, "moved", "new")
        try shell.run("delete", app, "gone")
        watch.process.send(SIGCONT)
        #expect(try watch.nextLine() == "gone")
        #expect(try watch.nextLine() == "moved\tnew")
        try shell.run("write", app, "kept", "last")
        #expect(try watch.nextLine() == "kept\tlast")
    }

    @Test("a signal that another process forges is not believed")
    func forged() throws {
        let shell = try CommandLine()
        let watch = try watch(shell, app)
        let forger = try BusConnection(address: shell.bus.address)
        let names = try forger.call("org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus", "ListNames")
        for name in try #require(names[0].get(as: [String].self)).compactMap({ BusName($0) }) where name.isUnique {
            try forger.emit(
                WellKnown.rootPath, PreferencesInterface.name, PreferencesInterface.changed,
                [.string(app), .vardict([("forged", .int64(1))]), .array([String]()), .uint64(99), .string("")], to: name)
        }
        forger.flush()
        try shell.run("write", app, "real", "1")
        #expect(try watch.nextLine() == "real\t1")
        forger.close()
    }

    @Test("it ends when the reader of its output has gone, and with 69 when the bus has")
    func ends() throws {
        let shell = try CommandLine()
        let piped = try Command.run(
            "sh", ["-c", "\"$0\" watch org.example.App --quiet | :", try Programs.path("defaultsctl")],
            environment: shell.bus.clientVariables)
        #expect(piped.code == 0)
        let watch = try watch(shell, app)
        shell.bus.stop()
        let result = try watch.finish()
        #expect(result.code == 69 && result.errors.hasSuffix("defaultsctl: the connection to the bus was lost\n"), "\(result)")
    }
}
