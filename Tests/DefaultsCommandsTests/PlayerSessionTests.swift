import DBusTypes
import Testing

@testable import DefaultsCommands

@Suite("A guide, a tour or a tip in the terminal: the session")
struct PlayerSessionTests {
    private func guide(page: UInt32 = 0, completion: String = "swipe") throws -> PlayerState {
        try PlayerState(.guide, PlayerSamples.guide(page: page, completion: completion))
    }

    private func press(_ keys: [PlayerKey], in state: PlayerState, countdown: CountdownView? = nil) -> [[PlayerSession.Action]] {
        keys.map { key in
            var session = PlayerSession(state)
            if let countdown { _ = session.handle(.countdown(countdown)) }
            return session.handle(.key(key))
        }
    }

    @Test("a guide: arrows, h, l, space and Enter turn pages; back on the first page asks nothing")
    func pages() throws {
        let first = try guide()
        let forward = PlayerSession.Action.call(.forward(first))
        #expect(press([.right, .letter("l"), .space, .enter], in: first) == [[forward], [forward], [forward], [forward]])
        #expect(press([.left, .letter("h"), .letter("x")], in: first) == [[], [], []])
        #expect(press([.left, .letter("h")], in: try guide(page: 1)) == [[.call(.back)], [.call(.back)]])
    }

    @Test("G7: on the last page going on completes a swipe guide; a button guide is completed by its button alone")
    func lastPage() throws {
        let swipe = try guide(page: 2)
        #expect(press([.right, .enter], in: swipe) == [[.call(.forward(swipe))], [.call(.forward(swipe))]])
        let button = try guide(page: 2, completion: "button")
        #expect(press([.right, .letter("l")], in: button) == [[], []])
        #expect(press([.enter, .space], in: button) == [[.call(.finish("completed"))], [.call(.finish("completed"))]])
    }

    @Test("q and Escape dismiss; s skips the guide, or its countdown where there is one")
    func ends() throws {
        let state = try guide()
        #expect(press([.letter("q"), .escape], in: state) == [[.call(.finish("dismissed"))], [.call(.finish("dismissed"))]])
        #expect(press([.letter("s")], in: state) == [[.call(.finish("skipped"))]])
        let countdown = CountdownView(duration: 10_000, tick: 1000, remaining: 8_000)
        #expect(press([.letter("s")], in: state, countdown: countdown) == [[.call(.skipCountdown)]])
    }

    @Test("an answer is shown, and one of a finished run ends it, with nothing after it")
    func answers() throws {
        var session = PlayerSession(try guide())
        let second = try guide(page: 1)
        #expect(session.handle(.state(second)) == [.show(PlayerView(state: second))])
        let over = try PlayerState(.guide, PlayerSamples.guide(page: 2, state: "finished", outcome: "completed"))
        #expect(session.handle(.state(over)) == [.end(.success, "completed")])
        #expect(session.handle(.finished(outcome: "completed")).isEmpty)
        #expect(session.handle(.key(.right)).isEmpty)
    }

    @Test(
        "each outcome has its exit status: 0 by the user or the clock, 10 skipped, 130 by anything else",
        arguments: [
            ("completed", 0), ("dismissed", 0), ("timed_out", 0), ("action", 0), ("closed", 0), ("hidden", 0), ("skipped", 10),
            ("failed", 130), ("released", 130), ("abandoned", 130), ("unavailable", 130),
        ])
    func statuses(outcome: String, code: Int32) throws {
        var session = PlayerSession(try guide())
        #expect(session.handle(.finished(outcome: outcome)) == [.end(ExitStatus(rawValue: code), outcome)])
    }

    @Test("a page that another process has turned is asked for; one's own, which the answer has shown already, isn't")
    func moved() throws {
        var session = PlayerSession(try guide())
        #expect(session.handle(.moved(0)).isEmpty)
        #expect(session.handle(.moved(2)) == [.call(.look(try guide()))])
        let step = try PlayerState(.tour, PlayerSamples.step(1, sequence: 7))
        var tour = PlayerSession(step)
        #expect(tour.handle(.moved(7)).isEmpty)
        #expect(tour.handle(.moved(9)) == [.call(.look(step))])
    }

    @Test("an interrupt releases first, and ends with 130 when that is answered, refused, overdue or asked for again")
    func interrupted() throws {
        let released = try PlayerState(.guide, PlayerSamples.guide(state: "released", outcome: "released"))
        for last in [
            PlayerSession.Event.state(released), .refused(Failure("no", status: .storage)), .releaseOverdue, .interrupted,
            .daemonGone, .finished(outcome: "released"),
        ] {
            var session = PlayerSession(try guide())
            #expect(session.handle(.interrupted) == [.call(.finish("released"))])
            #expect(session.handle(.key(.right)).isEmpty)
            #expect(session.handle(last) == [.end(.interrupted, "released")], "\(last)")
        }
        var tip = PlayerSession(try PlayerState(.tip, PlayerSamples.tip()))
        #expect(tip.handle(.interrupted) == [.call(.finish("hidden"))])
        #expect(tip.handle(.finished(outcome: "hidden")) == [.end(.interrupted, "hidden")])
    }

    @Test("S1: the daemon's restart is waited for, and the run goes on where it is then")
    func restart() throws {
        var session = PlayerSession(try guide())
        let actions = session.handle(.daemonGone)
        #expect(actions.last == .awaitDaemon)
        #expect(session.view.notice == "defaultsd went away; waiting for it to come back")
        #expect(session.handle(.key(.right)).isEmpty)
        #expect(session.handle(.refused(Failure("no reply", status: .unavailable))).isEmpty)
        #expect(session.handle(.daemonCame) == [.call(.look(try guide()))])
        let second = try guide(page: 1)
        #expect(session.handle(.state(second)) == [.show(PlayerView(state: second))])
        #expect(session.handle(.key(.left)) == [.call(.back)])
    }

    @Test("a daemon that stays away, or that has forgotten the run, is an error")
    func lost() throws {
        var waiting = PlayerSession(try guide())
        _ = waiting.handle(.daemonGone)
        let words = "defaultsd went away, and was not back in 10 seconds"
        #expect(waiting.handle(.patienceOver) == [.fail(Failure(words, status: .unavailable))])
        var forgotten = PlayerSession(try guide())
        let failure = Failure("defaultsd has forgotten what was presented", status: .unavailable)
        #expect(forgotten.handle(.refused(Failure("no run 3", status: .no))) == [.fail(failure)])
        var interrupted = PlayerSession(try guide())
        _ = interrupted.handle(.daemonGone)
        #expect(interrupted.handle(.interrupted) == [.end(.interrupted, "released")])
    }

    @Test(
        "q and Escape leave at once while the daemon is away, as Ctrl-C does: nobody can be told, and nothing counts",
        arguments: [PlayerKey.letter("q"), .escape])
    func leftAlone(key: PlayerKey) throws {
        var session = PlayerSession(try guide())
        _ = session.handle(.daemonGone)
        #expect(session.handle(.key(.right)) == [])
        #expect(session.handle(.key(key)) == [.end(.interrupted, "released")])
        #expect(session.handle(.patienceOver) == [])
    }

    @Test("a refusal is said beside it, and gone with the next answer")
    func refused() throws {
        var session = PlayerSession(try guide())
        _ = session.handle(.refused(Failure("the disk is full", status: .storage)))
        #expect(session.view.notice == "the disk is full")
        _ = session.handle(.refused(Failure("in 300 milliseconds", status: .notNow)))
        #expect(session.view.notice == "This can't be skipped yet.")
        _ = session.handle(.state(try guide(page: 1)))
        #expect(session.view.notice.isEmpty)
    }

    @Test("a countdown ticks, says when it may be skipped, and goes away")
    func countdown() throws {
        var session = PlayerSession(try guide())
        let view = CountdownView(duration: 10_000, tick: 1000, remaining: 10_000, skip: .unavailable)
        _ = session.handle(.countdown(view))
        #expect(session.view.hints == "→ next   q close")
        _ = session.handle(.tick(remaining: 7_000))
        #expect(session.view.countdown?.remaining == 7_000)
        _ = session.handle(.skipAvailable)
        #expect(session.view.hints == "→ next   s skip   q close")
        _ = session.handle(.countdown(nil))
        #expect(session.view.countdown == nil)
    }

    @Test("T2: a tour's step is ended by its own id and sequence, so that a double press ends one")
    func tour() throws {
        let step = try PlayerState(.tour, PlayerSamples.step(0, sequence: 5))
        var session = PlayerSession(step)
        let forward = PlayerSession.Action.call(.forward(step))
        #expect(session.handle(.key(.right)) == [forward])
        #expect(session.handle(.key(.right)) == [forward])
        #expect(step.step == "open" && step.sequence == 5)
    }

    @Test("a tip: Enter and space do it, q and Escape close it, h hides it")
    func tip() throws {
        let state = try PlayerState(.tip, PlayerSamples.tip())
        let outcomes = ["action", "action", "closed", "closed", "hidden"].map { [PlayerSession.Action.call(.finish($0))] }
        #expect(press([.enter, .space, .letter("q"), .escape, .letter("h")], in: state) == outcomes)
        #expect(press([.left, .right, .letter("s")], in: state) == [[], [], []])
        var session = PlayerSession(state)
        _ = session.handle(.daemonGone)
        #expect(session.handle(.daemonCame) == [.show(PlayerView(state: state))])
        #expect(session.handle(.key(.enter)) == [.call(.finish("action"))])
    }

    @Test("an answer without an entry that must be there is named")
    func incomplete() throws {
        let failure = try #require(throws: Failure.self) { try PlayerState(.tour, PlayerSamples.tip()) }
        #expect(failure.message == "defaultsd answered with a tour that has no entry \"index\"")
        #expect(failure.status == .unavailable)
    }
}
