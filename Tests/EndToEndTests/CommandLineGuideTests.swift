import DBusTypes
import DefaultsInterface
import Support
import Testing

@Suite("defaultsctl guide and inhibit on a real daemon")
struct CommandLineGuideTests {
    private let app = "org.example.App"

    /// A daemon with the guide `intro` of two pages, due for whoever has launched the app.
    private func shell(completion: String = "swipe", countdown: [(String, Value)] = []) throws -> (CommandLine, Client) {
        let shell = try CommandLine()
        let client = try Client(on: shell.bus)
        let pages = ["Welcome", "Have fun"].map { Value.vardict([("title", .string($0))]) }
        let definition: [(String, Value)] = [
            ("pages", .array(ArrayValue(unchecked: pages, of: .dictionary(key: .string, value: .variant)))),
            ("completion", .string(completion)), ("countdown", .vardict(countdown)),
        ]
        try client.call(
            GuidesInterface.name, GuidesInterface.define, .string(app), .string("intro"), .vardict(definition))
        #expect(try shell.run("launch", "record", app, "1.0").output.contains("pending\t[\"intro\"]\n"))
        return (shell, client)
    }

    private func terminal(_ shell: CommandLine) throws -> TerminalCommand {
        var environment = shell.bus.clientVariables
        environment["DEFAULTSCTL"] = try Programs.path("defaultsctl")
        return try TerminalCommand(
            "trap : INT; \"$DEFAULTSCTL\" guide present \(app) intro; echo \"status=$?\"", environment: environment)
    }

    @Test("G2: without a terminal it is printed and released: due again, and no attempt")
    func plainly() throws {
        let (shell, _) = try shell()
        let result = try shell.run("guide", "present", app, "intro")
        #expect(result.code == 0 && result.output == "1/2 Welcome\n\n2/2 Have fun\n", "\(result)")
        #expect(try shell.run("guide", "list", app).output.hasPrefix("intro\treleased\t"))
        #expect(try shell.run("guide", "present", app, "intro").code == 0)
    }

    @Test("G1: played to its end it is seen: exit 1 with the reason, and reset makes it new")
    func played() throws {
        let (shell, _) = try shell(completion: "button")
        let terminal = try terminal(shell)
        try terminal.waitFor("→ next")
        try terminal.press("\u{1B}[C")
        try terminal.waitFor("[ Done ]")
        try terminal.press("\r")
        #expect(try terminal.finish().contains("completed\r\nstatus=0"))
        let seen = try shell.run("guide", "present", app, "intro")
        #expect(seen.code == 1 && seen.errors.contains("(seen)"), "\(seen)")
        #expect(try shell.run("guide", "reset", app, "intro").code == 0)
        #expect(try shell.run("guide", "present", app, "intro").code == 0)
    }

    @Test("G8: s skips the countdown, and with it the guide: exit 10")
    func skipped() throws {
        let (shell, _) = try shell(countdown: [("duration", .uint64(600_000))])
        let terminal = try terminal(shell)
        try terminal.waitFor("10:00")
        try terminal.press("s")
        #expect(try terminal.finish().contains("skipped\r\nstatus=10"))
        #expect(try shell.run("guide", "list", app).output.hasPrefix("intro\tfinished\tskipped\t"))
    }

    @Test("S1: the daemon's end is waited for, and the next one goes on with the run at its page")
    func restarted() throws {
        let (shell, _) = try shell()
        let terminal = try terminal(shell)
        try terminal.waitFor("→ next")
        try terminal.press("l")
        try terminal.waitFor("→ done")
        try shell.daemon.kill9()
        try terminal.waitFor("waiting for it to come back")
        try shell.daemon.restart()
        // The next drawing begins with the title, and is the one that has the answer of the new daemon: until then keys mean nothing.
        try terminal.waitFor("Have fun")
        #expect(try shell.run("guide", "list", app).output.hasPrefix("intro\tpresenting\t"))
        try terminal.press("l")
        #expect(try terminal.finish().contains("completed\r\nstatus=0"))
    }

    @Test("q while the daemon is away leaves at once, with the terminal as it was: exit 130, and the guide is due again")
    func leftAlone() throws {
        let (shell, _) = try shell()
        let terminal = try terminal(shell)
        try terminal.waitFor("→ next")
        try shell.daemon.kill9()
        try terminal.waitFor("waiting for it to come back")
        try terminal.press("q")
        #expect(try terminal.finish().contains("\u{1B}[?1049lreleased\r\nstatus=130"))
        try shell.daemon.restart()
        #expect(try shell.run("guide", "present", app, "intro").code == 0)
    }

    @Test("Ctrl-C releases it: exit 130, and it is due again")
    func interrupted() throws {
        let (shell, _) = try shell()
        let terminal = try terminal(shell)
        try terminal.waitFor("→ next")
        try terminal.press("\u{3}")
        #expect(try terminal.finish().contains("released\r\nstatus=130"))
        #expect(try shell.run("guide", "present", app, "intro").code == 0)
    }

    @Test("busy and inhibited: exit 75, and due once that is over")
    func notNow() throws {
        let (shell, _) = try shell()
        let held = try shell.run("inhibit", try Programs.path("defaultsctl"), "guide", "present", app, "intro")
        #expect(held.code == 75 && held.errors.contains("(inhibited)"), "\(held)")
        let terminal = try terminal(shell)
        try terminal.waitFor("→ next")
        let busy = try shell.run("guide", "present", app, "intro")
        #expect(busy.code == 75 && busy.errors.contains("(busy)"), "\(busy)")
        try terminal.press("q")
        #expect(try terminal.finish().contains("dismissed\r\nstatus=0"))
    }
}
