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

    @Test("a daemon that goes away is exit 69, also while cancelling")
    func daemonGone() {
        let gone = Failure("defaultsd went away before the countdown ended", status: .unavailable)
        var counting = session()
        #expect(counting.handle(.daemonGone) == [.fail(gone)])
        #expect(counting.handle(.daemonGone).isEmpty)
        var cancelling = session()
        _ = cancelling.handle(.interrupted)
        #expect(cancelling.handle(.daemonGone) == [.fail(gone)])
    }

    @Test("a refusal to skip that isn't about the time ends it")
    func refusal() {
        var session = session()
        let denied = Failure("no", status: .denied)
        #expect(session.handle(.skipRefused(denied)) == [.fail(denied)])
    }
}
