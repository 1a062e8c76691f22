import DBusTypes
import DefaultsInterface
import LibDBus
import Support
import Testing

@Suite("Countdowns: what callers may do")
struct CountdownCallTests {
    private typealias Members = CountdownInterface

    @Test("Scenario 34, C6: when_ready waits; Tick(N) comes at Ready and the time runs from then")
    func whenReady() throws {
        let time = try TimedDaemon()
        let (path, state) = try time.client.start("splash", [("duration", .uint64(3_000)), ("start", .string("when_ready"))])
        #expect(state.text("state") == "waiting" && state.number("remaining") == 3_000 && state.flag("skippable") == false)
        try time.advance(2_000)
        #expect(time.client.events().isEmpty)
        let reply = time.client.begin(Members.name, Members.ready, at: path)
        try time.client.finish(reply)
        #expect(reply.position == 0)
        #expect(try reply.result?.get().first?.dictionary?.text("state") == "running")
        try time.advance(3_000)
        let all = ["Tick 3 3000 0", "Tick 2 2000 0", "Tick 1 1000 0", "Tick 0 0 0", "Finished elapsed 0"]
        #expect(time.client.events() == all)
    }

    @Test("C5: a second Ready changes nothing, sends nothing and writes nothing")
    func secondReady() throws {
        let time = try TimedDaemon()
        let (path, _) = try time.client.start("splash", [("start", .string("when_ready"))])
        try time.client.countdown(Members.ready, at: path)
        try time.advance(1_500)
        let events = time.client.events()
        let commits = try time.commits()
        let state = try time.client.countdown(Members.ready, at: path)
        #expect(state.number("remaining") == 8_500)
        try time.client.drain()
        #expect(time.client.events() == events)
        #expect(try time.commits() == commits)
    }

    @Test("Scenario 34, C5: Skip at 1 s with skippable_after 3 s is NotYetSkippable and names the 2000 ms left")
    func notYetSkippable() throws {
        let time = try TimedDaemon()
        let (path, state) = try time.client.start("ad", [("skippable_after", .uint64(3_000))])
        #expect(state.flag("skippable") == false)
        try time.advance(1_000)
        let error = try #require(try time.client.error { try time.client.countdown(Members.skip, at: path) })
        #expect(error.name == ErrorNames.notYetSkippable && error.message.contains("2000 milliseconds"))
        try time.advance(1_999)
        #expect(!time.client.events().contains("SkipAvailable"))
        try time.advance(1)
        #expect(time.client.events().filter { $0 == "SkipAvailable" }.count == 1)
        #expect(try time.client.properties(of: path).flag("Skippable") == true)
        #expect(try time.client.countdown(Members.skip, at: path).text("reason") == "skipped")
        try time.advance(20_000)
        #expect(time.client.events().filter { $0 == "SkipAvailable" }.count == 1)
        #expect(time.client.events().last == "Finished skipped 0")
    }

    @Test("C5: before Ready, Skip is NotYetSkippable with the time after it; counted from t0, not from Start")
    func skipBeforeReady() throws {
        let time = try TimedDaemon()
        let (path, _) = try time.client.start("ad", [("skippable_after", .uint64(500)), ("start", .string("when_ready"))])
        try time.advance(10_000)
        let error = try #require(try time.client.error { try time.client.countdown(Members.skip, at: path) })
        #expect(error.name == ErrorNames.notYetSkippable && error.message.contains("500 milliseconds"))
        try time.client.countdown(Members.ready, at: path)
        try time.advance(499)
        #expect(
            try time.client.error { try time.client.countdown(Members.skip, at: path) }?.message.contains("1 millisecond") == true
        )
        try time.advance(1)
        try time.client.countdown(Members.skip, at: path)
        try time.client.drain()
        #expect(time.client.events() == ["Tick 10 10000 0", "SkipAvailable", "Finished skipped 0"])
    }

    @Test("Without skippable_after it is skippable from t0 and SkipAvailable never comes")
    func skippableAtOnce() throws {
        let time = try TimedDaemon()
        let (path, state) = try time.client.start("free")
        #expect(state.flag("skippable") == true)
        try time.advance(10_000)
        #expect(time.client.events(of: path).count == 12 && !time.client.events().contains("SkipAvailable"))
    }

    @Test("C4: Skip and Cancel answer first, then comes the one Finished, and nothing after it", arguments: ["Skip", "Cancel"])
    func ends(member: String) throws {
        let time = try TimedDaemon()
        let (path, _) = try time.client.start("splash")
        try time.advance(2_500)
        let reason = member == "Skip" ? "skipped" : "cancelled"
        let seen = time.client.signals.count
        let reply = time.client.begin(Members.name, try #require(MemberName(member)), at: path)
        try time.client.finish(reply)
        let state = try #require(try reply.result?.get().first?.dictionary)
        #expect(state.text("state") == "finished" && state.text("reason") == reason && state.number("remaining") == 0)
        try time.client.waitForEnd(of: path)
        #expect(reply.position == seen)
        try time.advance(20_000)
        #expect(time.client.events().dropFirst(seen) == ["Finished \(reason) 0"])
    }

    @Test("AlreadyFinished for 5 s after the end, then UnknownObject; the token may be used again at once")
    func afterTheEnd() throws {
        let time = try TimedDaemon()
        let (path, _) = try time.client.start("splash")
        try time.client.countdown(Members.skip, at: path)
        for member in [Members.skip, Members.cancel, Members.pause, Members.resume, Members.ready, Members.watch] {
            let error = try time.client.error { try time.client.countdown(member, at: path) }
            #expect(error?.name == ErrorNames.alreadyFinished && error?.message.contains("skipped") == true, "\(member)")
        }
        #expect(
            try time.client.error { try time.client.countdown(Members.extend, .uint64(1), at: path) }?.name
                == ErrorNames.alreadyFinished)
        #expect(try time.client.error { try time.client.properties(of: path) }?.name == ErrorNames.alreadyFinished)
        try time.advance(4_999)
        #expect(
            try time.client.error { try time.client.countdown(Members.skip, at: path) }?.name == ErrorNames.alreadyFinished)
        try time.advance(1)
        #expect(try time.client.error { try time.client.countdown(Members.skip, at: path) }?.name == .unknownObject)
        #expect(try time.client.error { try time.client.properties(of: path) }?.name == .unknownObject)

        let again = try time.client.start("splash")
        try time.client.countdown(Members.cancel, at: again.path)
        #expect(try time.client.start("splash").state.text("state") == "running")
        #expect(try time.client.countdown(Members.pause, at: path).text("state") == "paused")
    }

    @Test("C6: Pause keeps the milliseconds, Resume goes on with them; a second Pause is no change")
    func pauseAndResume() throws {
        let time = try TimedDaemon()
        let (path, _) = try time.client.start("splash", [("duration", .uint64(3_000))])
        try time.advance(1_234)
        #expect(try time.client.countdown(Members.pause, at: path).number("remaining") == 1_766)
        try time.advance(100_000)
        #expect(try time.client.countdown(Members.pause, at: path).number("remaining") == 1_766)
        #expect(time.client.events() == ["Tick 3 3000 0", "Tick 2 2000 0"])
        let state = try time.client.countdown(Members.resume, at: path)
        #expect(state.text("state") == "running" && state.number("remaining") == 1_766)
        #expect(try time.client.countdown(Members.resume, at: path).number("remaining") == 1_766)
        try time.advance(765)
        #expect(time.client.events().count == 2)
        try time.advance(1)
        #expect(time.client.events().last == "Tick 1 1000 0")
        try time.advance(1_000)
        #expect(time.client.events().suffix(2) == ["Tick 0 0 0", "Finished elapsed 0"])
    }

    @Test("Pause while waiting changes nothing; a paused one can be skipped and cancelled")
    func pauseOtherwise() throws {
        let time = try TimedDaemon()
        let (waiting, _) = try time.client.start("w", [("start", .string("when_ready"))])
        #expect(try time.client.countdown(Members.pause, at: waiting).text("state") == "waiting")
        let (path, _) = try time.client.start("p")
        try time.client.countdown(Members.pause, at: path)
        #expect(try time.client.countdown(Members.skip, at: path).text("reason") == "skipped")
        try time.client.countdown(Members.cancel, at: waiting)
        try time.client.drain()
        #expect(time.client.events(of: path) == ["Tick 10 10000 0", "Finished skipped 0"])
        #expect(time.client.events(of: waiting) == ["Finished cancelled 0"])
    }

    @Test("C6: Extend moves the deadline and sends one Tick with the new value, after the reply")
    func extend() throws {
        let time = try TimedDaemon()
        let (path, _) = try time.client.start("splash", [("duration", .uint64(3_000))])
        try time.advance(1_500)
        let reply = time.client.begin(Members.name, Members.extend, .uint64(2_250), at: path)
        try time.client.finish(reply)
        try time.client.drain()
        #expect(reply.position == 2)
        let state = try #require(try reply.result?.get().first?.dictionary)
        #expect(state.number("remaining") == 3_750 && state.count("remaining_ticks") == 4 && state.number("duration") == 5_250)
        #expect(time.client.events() == ["Tick 3 3000 0", "Tick 2 2000 0", "Tick 4 3750 0"])
        try time.advance(3_750)
        #expect(
            time.client.events().dropFirst(3)
                == ["Tick 3 3000 0", "Tick 2 2000 0", "Tick 1 1000 0", "Tick 0 0 0", "Finished elapsed 0"])
    }

    @Test("C6: Extend while waiting or paused changes remaining and sends nothing; 0 changes nothing")
    func extendSilently() throws {
        let time = try TimedDaemon()
        let (waiting, _) = try time.client.start("w", [("start", .string("when_ready"))])
        #expect(try time.client.countdown(Members.extend, .uint64(5_000), at: waiting).number("remaining") == 15_000)
        let (paused, _) = try time.client.start("p")
        try time.client.countdown(Members.pause, at: paused)
        #expect(try time.client.countdown(Members.extend, .uint64(1), at: paused).number("remaining") == 10_001)
        #expect(try time.client.countdown(Members.extend, .uint64(0), at: paused).number("remaining") == 10_001)
        try time.client.drain()
        #expect(time.client.events() == ["Tick 10 10000 0"])
        try time.client.countdown(Members.ready, at: waiting)
        try time.client.drain()
        #expect(time.client.events(of: waiting) == ["Tick 15 15000 0"])
    }

    @Test(
        "C6: Extend beyond 30 days left, or that overflows, is InvalidArgument and changes nothing",
        arguments: [
            30 * 86_400_000 - 9_999 as UInt64, UInt64.max,
        ])
    func extendTooFar(by: UInt64) throws {
        let time = try TimedDaemon()
        let (path, _) = try time.client.start("splash")
        let error = try #require(try time.client.error { try time.client.countdown(Members.extend, .uint64(by), at: path) })
        #expect(error.name == ErrorNames.invalidArgument && error.message.contains("\(by)") && error.message.contains("30 days"))
        #expect(try time.client.properties(of: path).number("Remaining") == 10_000)
    }

    @Test("C7: a live token is AlreadyExists, and the countdown goes on; another connection may use the token")
    func alreadyExists() throws {
        let time = try TimedDaemon()
        let (path, _) = try time.client.start("splash")
        let error = try #require(try time.client.error { try time.client.start("splash") })
        #expect(error.name == ErrorNames.alreadyExists && error.message.contains("splash") && error.message.contains("replace"))
        #expect(try time.client.properties(of: path).text("State") == "running")
        let other = try Client(on: time.bus)
        #expect(try other.start("splash").path != path)
        #expect(try time.client.start("splash2").path != path)
    }

    @Test("C7: replace: Finished(cancelled) of the old before the reply, Tick(N) of the new after it")
    func replace() throws {
        let time = try TimedDaemon()
        let (path, _) = try time.client.start("splash")
        try time.advance(3_000)
        let seen = time.client.signals.count
        let reply = time.client.beginStart("splash", [("replace", .boolean(true)), ("duration", .uint64(2_000))])
        try time.client.finish(reply)
        try time.client.drain()
        #expect(try reply.result?.get().first?.get(as: ObjectPath.self) == path)
        #expect(reply.position == seen + 1)
        #expect(time.client.events().dropFirst(seen) == ["Finished cancelled 0", "Tick 2 2000 0"])
        try time.advance(2_000)
        #expect(time.client.events().suffix(3) == ["Tick 1 1000 0", "Tick 0 0 0", "Finished elapsed 0"])
        #expect(time.client.events().count == seen + 5)
    }

    @Test("C7: replace without a live one just starts")
    func replaceNothing() throws {
        let time = try TimedDaemon()
        try time.client.start("splash", [("replace", .boolean(true))])
        try time.client.drain()
        #expect(time.client.events() == ["Tick 10 10000 0"])
    }
}

extension TimedDaemon {
    /// How many commits the store has had.
    func commits() throws -> UInt64 { try CommitCounter.read(daemon.store) }
}
