import DBusTypes
import DefaultsInterface
import Glibc
import Support
import Testing

@Suite("defaultsctl countdown on a real daemon")
struct CommandLineCountdownTests {
    @Test("C1: where there is no terminal each tick is a line, then how it ended, and elapsed is exit 0")
    func lines() throws {
        let result = try CommandLine().run("countdown", "0.3", "--tick=100")
        #expect(result.code == 0, "\(result)")
        let lines = result.output.split(separator: "\n")
        #expect(lines.first == "0.3 s left")
        // A late tick stands for those it has overtaken; the last one always comes.
        #expect(lines.suffix(2) == ["0.0 s left", "elapsed"])
    }

    @Test("with --quiet nothing but the exit status")
    func quiet() throws {
        let result = try CommandLine().run("countdown", "0", "--quiet")
        #expect(result.code == 0 && result.output.isEmpty && result.errors.isEmpty, "\(result)")
    }

    @Test("another process lists and skips it: exit 10")
    func skipped() throws {
        let shell = try CommandLine()
        let countdown = try shell.start("countdown", "600", "--purpose=Splash")
        #expect(try countdown.nextLine() == "10:00 left")
        let listed = try shell.run("countdowns").output
        #expect(listed.contains("/countdown\trunning\t") && listed.hasSuffix("\tSplash\n"), "\(listed)")
        #expect(try shell.run("countdowns", "pause", "countdown").code == 0)
        #expect(try shell.run("countdowns").output.contains("\tpaused\t"))
        #expect(try shell.run("countdowns", "resume", "countdown").code == 0)
        #expect(try shell.run("countdowns", "skip", "countdown").code == 0)
        let result = try countdown.finish()
        #expect(result.code == 10, "\(result)")
        #expect(try #require(result.output.split(separator: "\n").last).hasPrefix("skipped with "), "\(result)")
        #expect(try shell.run("countdowns").output.isEmpty)
    }

    @Test("an interrupt cancels it: exit 130, and nothing is left", arguments: [SIGINT, SIGTERM, SIGHUP, SIGQUIT])
    func interrupted(signal: Int32) throws {
        let shell = try CommandLine()
        let countdown = try shell.start("countdown", "600")
        #expect(try countdown.nextLine() == "10:00 left")
        countdown.process.send(signal)
        let result = try countdown.finish()
        #expect(result.code == 130, "\(result)")
        #expect(try shell.run("countdowns").output.isEmpty)
    }

    @Test("C5: it can't be skipped too early: 75, and it goes on")
    func tooEarly() throws {
        let shell = try CommandLine()
        let countdown = try shell.start("countdown", "600", "--skippable-after=500000")
        #expect(try countdown.nextLine() == "10:00 left")
        #expect(try shell.run("countdowns", "skip", "countdown").code == 75)
        #expect(try shell.run("countdowns", "cancel", "countdown").code == 0)
        #expect(try countdown.finish().code == 130)
    }

    @Test("a daemon that goes away is said, with 69")
    func daemonGone() throws {
        let shell = try CommandLine()
        let countdown = try shell.start("countdown", "600")
        #expect(try countdown.nextLine() == "10:00 left")
        try shell.daemon.kill9()
        let result = try countdown.finish()
        #expect(
            result.code == 69 && result.errors == "defaultsctl: defaultsd went away before the countdown ended\n", "\(result)")
    }

    @Test(
        "in a terminal s skips it, Ctrl-C ends it, and the terminal is as it was before", arguments: [("s", 10), ("\\003", 130)])
    func terminal(key: String, code: Int32) throws {
        let shell = try CommandLine()
        var environment = shell.bus.clientVariables
        environment["TERM"] = "xterm"
        environment["LANG"] = "C.UTF-8"
        environment["DEFAULTSCTL"] = try Programs.path("defaultsctl")
        environment["SHELL"] = "/bin/sh"
        // script(1) makes the terminal. Keys are pressed once the daemon knows of the countdown, and again and again, since what comes before
        // the terminal is taken over doesn't count.
        let inside =
            "trap : INT; before=$(stty -g); \"$DEFAULTSCTL\" countdown 600; echo \"status=$?\"; "
            + "if [ \"$before\" = \"$(stty -g)\" ]; then echo as-before; fi"
        let keys =
            "until [ -n \"$(\"$DEFAULTSCTL\" countdowns)\" ]; do sleep 0.05; done; sleep 0.3; while printf '\(key)'; do sleep 0.2; done"
        let outside = "(\(keys)) | script --quiet --flush --command '\(inside)' /dev/null"
        let result = try Command.run("sh", ["-c", outside], environment: environment)
        #expect(result.output.contains("as-before"), "\(result)")
        #expect(result.output.contains("status=\(code)"), "\(result)")
        #expect(result.output.contains("\u{1B}[?25l\r"), "\(result)")
        #expect(result.output.contains("\u{1B}[?25h"), "\(result)")
        #expect(result.output.contains("s skips"), "\(result)")
    }
}
