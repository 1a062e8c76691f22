import Testing

@testable import DefaultsCommands

@Suite("The countdown's session")
struct CountdownSessionTests {
    private func session(skippableAfter: UInt64 = 0, hasKeys: Bool = true) -> CountdownSession {
        CountdownSession(
            duration: 10_000, tick: 1000, remaining: 10_000, isSkippable: skippableAfter == 0, skippableAfter: skippableAfter,
            purpose: "",
            hasKeys: hasKeys)
    }

    private func remaining(_ actions: [CountdownSession.Action]) -> [UInt64] {
        actions.compactMap { if case .show(let view) = $0 { view.remaining } else { nil } }
    }

    @Test("C1: each tick is shown, and the end is exit 0")
    func elapses() {
        var session = session()
        for left in stride(from: UInt64(10_000), through: 0, by: -1000) {
            #expect(remaining(session.handle(.tick(remaining: left))) == [left])
        }
        #expect(session.handle(.finished(reason: "elapsed")) == [.end(.success, "elapsed")])
        #expect(session.handle(.tick(remaining: 0)).isEmpty)
        #expect(session.handle(.finished(reason: "elapsed")).isEmpty)
    }

    @Test("s, space and Enter skip; other keys, also those whose sequence has an s, don't")
    func keys() {
        var session = session()
        for key in ["s", "S", " ", "\r", "\n", "xs"] { #expect(session.handle(.keys(Array(key.utf8))) == [.skip], "\(key)") }
        for key in ["", "q", "\u{1B}", "\u{1B}[s", "\u{1B}OA"] {
            #expect(session.handle(.keys(Array(key.utf8))).isEmpty, "\(key)")
        }
        _ = session.handle(.tick(remaining: 7_000))
        #expect(session.handle(.finished(reason: "skipped")) == [.end(.skipped, "skipped with 7 s left")])
    }

    @Test("without a keyboard nothing is said of skipping")
    func noKeys() {
        var session = session(hasKeys: false)
        #expect(session.view.hint == "")
        #expect(session.handle(.keys([UInt8(ascii: "s")])).isEmpty)
        _ = session.handle(.skipAvailable)
        #expect(session.view.hint == "")
    }

    @Test("C5: before skippable_after the line says when, the daemon is asked all the same, and SkipAvailable counts at once")
    func tooEarly() {
        var session = session(skippableAfter: 3_000)
        #expect(session.view.hint == "can be skipped in 3 s")
        _ = session.handle(.tick(remaining: 9_000))
        #expect(session.view.hint == "can be skipped in 2 s")
        #expect(session.handle(.keys([UInt8(ascii: "s")])) == [.skip])
        let refused = Failure("not yet", status: .notNow)
        #expect(session.handle(.skipRefused(refused)) == [.show(session.view)])
        _ = session.handle(.skipAvailable)
        #expect(session.view.hint == "s skips")
        _ = session.handle(.tick(remaining: 8_000))
        #expect(session.view.hint == "s skips")
    }

    @Test("without SkipAvailable the hint follows the ticks")
    func hintByTicks() {
        var session = session(skippableAfter: 2_000)
        _ = session.handle(.tick(remaining: 8_000))
        #expect(session.view.hint == "s skips")
    }

    @Test("an interrupt cancels first, and ends with 130 when that is answered, seen, or asked for again")
    func interrupted() {
        for last in [
            CountdownSession.Event.cancelled, .finished(reason: "cancelled"), .finished(reason: "elapsed"), .interrupted,
        ] {
            var session = session()
            #expect(session.handle(.interrupted) == [.cancel])
            #expect(session.handle(.tick(remaining: 1_000)).isEmpty)
            #expect(session.handle(last) == [.end(.interrupted, "interrupted with 10 s left")])
            #expect(session.handle(.cancelled).isEmpty)
        }
    }

    @Test("ends that others caused are 130 and say so")
    func others() {
        var cancelled = session()
        #expect(cancelled.handle(.finished(reason: "cancelled")) == [.end(.interrupted, "cancelled with 10 s left")])
        var policy = session()
        #expect(policy.handle(.finished(reason: "policy")) == [.end(.interrupted, "ended (policy) with 10 s left")])
    }

    private static let away: [CountdownSession.Action] = [
        .say("defaultsd went away; waiting for it to come back"), .awaitDaemon,
    ]

    @Test("C9: a daemon that goes away is awaited; back, it is asked, and the countdown goes on from what it answers")
    func daemonBack() {
        var session = session(skippableAfter: 3_000)
        _ = session.handle(.tick(remaining: 9_000))
        #expect(session.handle(.daemonGone) == Self.away)
        #expect(!session.expectsTicks)
        #expect(session.handle(.keys([UInt8(ascii: "s")])).isEmpty)
        #expect(session.handle(.stateUnknown(Failure("not there", status: .unavailable))).isEmpty)
        #expect(session.handle(.daemonCame) == [.ask])
        #expect(remaining(session.handle(.state(remaining: 6_500, isSkippable: true, isPaused: false))) == [6_500])
        #expect(session.expectsTicks && session.view.hint == "s skips")
        #expect(session.handle(.patienceOver).isEmpty)
        #expect(remaining(session.handle(.tick(remaining: 6_000))) == [6_000])
        #expect(session.handle(.daemonGone) == Self.away)
    }

    @Test("C9: the end that a daemon tells when it is back counts")
    func endedMeanwhile() {
        var session = session()
        _ = session.handle(.daemonGone)
        #expect(remaining(session.handle(.tick(remaining: 0))) == [0])
        #expect(session.handle(.finished(reason: "elapsed")) == [.end(.success, "elapsed")])
    }

    @Test("a daemon that stays away, or comes back without the countdown, is exit 69")
    func daemonGone() {
        var waiting = session()
        _ = waiting.handle(.daemonGone)
        #expect(waiting.handle(.daemonGone).isEmpty)
        let words = "defaultsd went away before the countdown ended, and was not back in 10 seconds"
        #expect(waiting.handle(.patienceOver) == [.fail(Failure(words, status: .unavailable))])
        #expect(waiting.handle(.daemonCame).isEmpty)
        var forgotten = session()
        _ = forgotten.handle(.daemonGone)
        let failure = Failure("defaultsd has forgotten the countdown", status: .unavailable)
        #expect(forgotten.handle(.stateUnknown(Failure("no such object", status: .no))) == [.fail(failure)])
    }

    @Test("an interrupt without a daemon ends it at once, and so does one that goes away while cancelling")
    func interruptedWithoutDaemon() {
        let end = [CountdownSession.Action.end(.interrupted, "interrupted with 10 s left")]
        var away = session()
        _ = away.handle(.daemonGone)
        #expect(away.handle(.interrupted) == end)
        var cancelling = session()
        _ = cancelling.handle(.interrupted)
        #expect(cancelling.handle(.daemonGone) == end)
    }

    @Test("paused by another, it says so once, and goes on with the next tick or answer")
    func paused() {
        var session = session()
        #expect(session.handle(.state(remaining: 10_000, isSkippable: true, isPaused: false)).isEmpty)
        let actions = session.handle(.state(remaining: 8_200, isSkippable: true, isPaused: true))
        #expect(remaining(actions) == [8_200] && actions.last == .note("paused with 9 s left"))
        #expect(session.view.hint == "paused, s skips")
        #expect(session.handle(.state(remaining: 8_200, isSkippable: true, isPaused: true)).isEmpty)
        #expect(session.handle(.keys([UInt8(ascii: "s")])) == [.skip])
        #expect(session.handle(.state(remaining: 8_200, isSkippable: true, isPaused: false)) == [.show(session.view)])
        #expect(session.view.hint == "s skips")
        _ = session.handle(.state(remaining: 8_200, isSkippable: true, isPaused: true))
        _ = session.handle(.tick(remaining: 8_000))
        #expect(session.view.hint == "s skips")
    }

    @Test("a skip that was on its way when the daemon went ends nothing")
    func skipLost() {
        var session = session()
        #expect(session.handle(.skipRefused(Failure("no reply", status: .unavailable))) == [.show(session.view)])
        #expect(session.handle(.daemonGone) == Self.away)
    }

    @Test("a refusal to skip that isn't about the time ends it")
    func refusal() {
        var session = session()
        let denied = Failure("no", status: .denied)
        #expect(session.handle(.skipRefused(denied)) == [.fail(denied)])
    }
}
