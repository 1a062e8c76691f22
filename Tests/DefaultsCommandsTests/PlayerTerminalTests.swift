import Support
import Testing

@Suite("guide, tour and tip in a terminal, on a service that answers as the contract says")
struct PlayerTerminalTests {
    private static let guide = "\"$DEFAULTSCTL\" guide present org.example.App"
    /// What follows a command to see how it left the terminal.
    private static let after = "; echo \"status=$?\"; if [ \"$before\" = \"$(stty -g)\" ]; then echo as-before; fi"

    private func play(_ daemon: FakeDaemon, _ command: String, columns: Int = 80, rows: Int = 24) throws -> TerminalCommand {
        try daemon.terminal("trap : INT; before=$(stty -g); " + command + Self.after, columns: columns, rows: rows)
    }

    private func end(_ terminal: TerminalCommand, _ outcome: String, _ status: Int) throws -> String {
        let output = try terminal.finish()
        #expect(output.contains("\u{1B}[?1049l\(outcome)\r\nstatus=\(status)\r\nas-before"), "\(output)")
        return output
    }

    @Test("arrows, letters and Enter turn pages; going on from the last page completes a swipe guide")
    func swipe() throws {
        let daemon = try FakeDaemon()
        let terminal = try play(daemon, "\(Self.guide) intro")
        try terminal.waitFor("→ next")
        try terminal.press("\u{1B}[C")
        try terminal.waitFor("Files")
        try terminal.press("h")
        try terminal.waitFor("Welcome")
        try terminal.press(" ")
        try terminal.waitFor("[image files.png: A folder]")
        try terminal.press("\r")
        try terminal.waitFor("Have fun.")
        try terminal.press("l")
        let output = try end(terminal, "completed", 0)
        #expect(output.contains("\u{1B}[?1049h"), "a screen of its own")
        #expect(
            daemon.log == [
                "Guides.Present org.example.App intro countdown_token", "Guides.Advance 1 1", "Guides.Advance 1 -1",
                "Guides.Advance 1 1", "Guides.Advance 1 1", "Guides.Advance 1 1",
            ])
    }

    @Test("a guide with a button is completed by it, and not by going on")
    func button() throws {
        let daemon = try FakeDaemon()
        let terminal = try play(daemon, "\(Self.guide) form")
        try terminal.waitFor("→ next")
        try terminal.press("ll")
        try terminal.waitFor("[ Done ]")
        try terminal.press("l\r")
        _ = try end(terminal, "completed", 0)
        #expect(daemon.log.suffix(2) == ["Guides.Advance 1 1", "Guides.Finish 1 completed"])
    }

    @Test("a countdown is shown, ticks, and s skips it: exit 10")
    func countdown() throws {
        let daemon = try FakeDaemon()
        let terminal = try play(daemon, "\(Self.guide) timed")
        try terminal.waitFor(" 7 s")
        try terminal.waitFor(" 6 s")
        try terminal.press("s")
        _ = try end(terminal, "skipped", 10)
        #expect(daemon.log.last == "Countdown.Skip")
    }

    @Test(
        "q and Escape dismiss, s skips, Ctrl-C releases",
        arguments: [
            ("q", "dismissed", 0), ("\u{1B}", "dismissed", 0), ("s", "skipped", 10), ("\u{3}", "released", 130),
        ])
    func ends(key: String, outcome: String, status: Int) throws {
        let daemon = try FakeDaemon()
        let terminal = try play(daemon, "\(Self.guide) intro")
        try terminal.waitFor("→ next")
        try terminal.press(key)
        _ = try end(terminal, outcome, status)
        #expect(daemon.log.last == "Guides.Finish 1 \(outcome)")
    }

    @Test("T2: a tour's steps are ended one by one, with what the last answer said")
    func tour() throws {
        let daemon = try FakeDaemon()
        let terminal = try play(daemon, "\"$DEFAULTSCTL\" tour start org.example.App tools")
        try terminal.waitFor("[at #open, bottom]")
        try terminal.press("l")
        try terminal.waitFor("→ done")
        try terminal.press("l")
        _ = try end(terminal, "completed", 0)
        #expect(daemon.log == ["Tours.Start org.example.App tools ", "Tours.Next 1 open 1", "Tours.Next 1 save 2"])
    }

    @Test("a tip is done, or closed")
    func tip() throws {
        let daemon = try FakeDaemon()
        let terminal = try play(daemon, "\"$DEFAULTSCTL\" tip present org.example.App undo")
        try terminal.waitFor("Shake to undo.")
        try terminal.press("\r")
        _ = try end(terminal, "action", 0)
    }

    @Test("a daemon that goes away is waited for; Ctrl-C ends it all the same")
    func daemonGone() throws {
        let daemon = try FakeDaemon()
        let terminal = try play(daemon, "\(Self.guide) intro")
        try terminal.waitFor("→ next")
        daemon.stop()
        try terminal.waitFor("defaultsd went away; waiting for it to come back")
        try terminal.press("\u{3}")
        _ = try end(terminal, "released", 130)
    }

    @Test("in a narrow terminal lines are broken; NO_COLOR is obeyed")
    func narrow() throws {
        let daemon = try FakeDaemon()
        let terminal = try daemon.terminal("\(Self.guide) intro", columns: 12, rows: 5, ["NO_COLOR": "1"])
        try terminal.waitFor("● ○ ○")
        try terminal.press("q")
        let output = try terminal.finish()
        #expect(output.contains("To begin\u{1B}[K\r\nwith."), "\(output)")
        #expect(!output.contains("\u{1B}[1m") && !output.contains("\u{1B}[2m"), "\(output)")
    }
}
