import Glibc
import Support
import Testing

@Suite("guide, tour, tip, explain, stats and inhibit on a service that answers as the contract says")
struct OnboardingCommandTests {
    private let app = "org.example.App"

    @Test("without a terminal a guide is printed page by page and released")
    func guidePlainly() throws {
        let daemon = try FakeDaemon()
        let result = try daemon.run("guide", "present", app, "intro")
        #expect(
            result.output == """
                1/3 Welcome
                To begin with.

                2/3 Files
                [image files.png: A folder]

                3/3 Done
                Have fun.

                """)
        #expect(result.code == 0 && result.errors == "defaultsctl: there is no terminal to play it in: released\n", "\(result)")
        #expect(daemon.log == ["Guides.Present org.example.App intro ", "Guides.Finish 1 released"])
        let json = try daemon.run("--json=short", "--quiet", "guide", "present", app, "intro")
        #expect(json.output.hasPrefix(#"{"type":"a{sv}","data":{"attempts""#) && json.errors.isEmpty, "\(json)")
    }

    @Test("G9: without a terminal a tour keeps its place: what goes through the steps is a replay")
    func tourPlainly() throws {
        let daemon = try FakeDaemon()
        let result = try daemon.run("tour", "start", app, "tools", "--quiet")
        #expect(result.code == 0, "\(result)")
        #expect(
            result.output
                == "1/2 open\nOpen a file here.\n[at #open, bottom]\n\n2/2 save\nOpen a file here.\n[at #open, bottom]\n")
        #expect(
            daemon.log == [
                "Tours.Start org.example.App tools ", "Tours.Finish 1 released", "Tours.Start org.example.App tools replay",
                "Tours.Next 2 open 1", "Tours.Finish 2 released",
            ])
    }

    @Test("without a terminal a tip is printed and hidden")
    func tipPlainly() throws {
        let daemon = try FakeDaemon()
        let result = try daemon.run("tip", "present", app, "undo", "--replay")
        #expect(result.code == 0 && result.output == "Undo\nShake to undo.\n", "\(result)")
        #expect(daemon.log == ["Tips.Present org.example.App undo replay", "Tips.Finish 1 hidden"])
    }

    @Test("not shown: exit 1 and the reason as a sentence, 75 where trying again is worth it")
    func notShown() throws {
        let daemon = try FakeDaemon()
        let seen = try daemon.run("guide", "present", app, "old")
        #expect(seen.code == 1 && seen.output.isEmpty, "\(seen)")
        #expect(
            seen.errors.hasPrefix("defaultsctl: guide old of org.example.App isn't shown (seen): you have seen this revision"))
        let busy = try daemon.run("guide", "present", app, "held")
        #expect(
            busy.code == 75
                && busy.errors
                    == "defaultsctl: guide held of org.example.App isn't shown (busy): another guide, tour or tip is being presented to you\n",
            "\(busy)")
        #expect(try daemon.run("guide", "present", app, "none").code == 1)
    }

    @Test("list, show, donate, snooze, reset, explain and stats")
    func listings() throws {
        let daemon = try FakeDaemon()
        #expect(try daemon.run("guide", "list", app).output == "intro\tfinished\tcompleted\t1\t0\t2\tbus\n")
        #expect(
            try daemon.run("guide", "show", app, "intro").output
                == "attempts\t0\nfurthest\t2\noutcome\tcompleted\nreason\tseen\nrevision\t1\nsource\tbus\nstate\tfinished\n")
        let none = try daemon.run("guide", "show", app, "outro")
        #expect(
            none.code == 1 && none.errors.contains("\"defaultsctl guide list org.example.App\" lists those it has"), "\(none)")
        #expect(try daemon.run("tip", "donate", app, "opened", "2").output == "43\n")
        #expect(try daemon.run("tip", "snooze", app, "undo", "1.5").code == 0)
        #expect(daemon.log.last == "Tips.Snooze org.example.App undo 1500")
        #expect(try daemon.run("tip", "snooze", app, "undo", "soon").code == 64)
        #expect(try daemon.run("guide", "reset", app, "intro").code == 0)
        #expect(daemon.log.last == "Guides.Reset org.example.App intro")
        #expect(
            try daemon.run("explain", app, "guide", "intro").output
                == "policy  passed  allow\nseen    closed  completed at revision 1\n")
        let typo = try daemon.run("explain", app, "giude", "intro")
        #expect(typo.code == 64 && typo.errors.contains("did you mean \"guide\"?"), "\(typo)")
        #expect(try daemon.run("stats", app).output == "guide  intro  shown 3, completed 1, furthest 2\n")
    }

    @Test("inhibit holds a cookie while the command runs, and exits as the command does")
    func inhibit() throws {
        let daemon = try FakeDaemon()
        let result = try daemon.run("inhibit", "--why=Talk", "sh", "-c", "echo \"$0\"; exit 7", "--json=short")
        #expect(result.code == 7 && result.output == "--json=short\n" && result.errors.isEmpty, "\(result)")
        #expect(daemon.log == ["Admin.Inhibit Talk", "Admin.Uninhibit 17"])
        #expect(try daemon.run("inhibit", "sh", "-c", "kill -TERM $$").code == 128 + SIGTERM)
        let absent = try daemon.run("inhibit", "/nowhere/at-all")
        #expect(absent.code == 127 && absent.errors == "defaultsctl: /nowhere/at-all can't be run: No such file or directory\n")
        #expect(try daemon.run("inhibit", "/etc/passwd").code == 126)
    }

    @Test("inhibit's command has no signals blocked, and SIGPIPE as it was")
    func inhibitSignals() throws {
        let daemon = try FakeDaemon()
        let signals = "grep -E '^Sig(Blk|Ign)' /proc/self/status"
        let bare = try Command.run("sh", ["-c", signals], environment: daemon.bus.clientVariables)
        let inhibited = try Command.run(
            "sh", ["-c", "exec \"$0\" inhibit sh -c \"$1\"", try Programs.path("defaultsctl"), signals],
            environment: daemon.bus.clientVariables)
        #expect(inhibited.output == bare.output, "\(inhibited) \(bare)")
    }

    @Test("inhibit passes SIGTERM on, and runs on without the daemon")
    func inhibitTerminated() throws {
        let daemon = try FakeDaemon()
        let command = try Command(
            try Programs.path("defaultsctl"), ["inhibit", "sh", "-c", "echo ready; exec sleep 600"],
            environment: daemon.bus.clientVariables)
        #expect(try command.nextLine() == "ready")
        daemon.stop()
        try command.waitForErrors(containing: "defaultsd went away; nothing is held back until it is back")
        command.process.send(SIGTERM)
        #expect(try command.finish().code == 128 + SIGTERM)
    }
}
