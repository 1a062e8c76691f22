import DBusTypes
import DefaultsInterface
import Glibc
import LibDBus
import Support
import Testing

@Suite("Countdowns: ticks and the end")
struct CountdownTickTests {
    @Test("Scenario 30, C1: ten seconds are ticks 10…0 and the end at 10.000 s, not at 11 s")
    func elevenTicks() throws {
        let time = try TimedDaemon()
        let (path, state) = try time.client.start("splash")
        #expect(path == (try time.client.predictedPath("splash")))
        #expect(state.text("state") == "running" && state.number("remaining") == 10_000 && state.count("remaining_ticks") == 10)
        try time.client.drain()
        #expect(time.client.events() == ["Tick 10 10000 0"])
        for second in 1...9 {
            try time.advance(999)
            #expect(time.client.events().count == second, "nothing between the ticks")
            try time.advance(1)
            #expect(time.client.events().last == "Tick \(10 - second) \((10 - second) * 1_000) 0")
        }
        try time.advance(999)
        #expect(time.client.events().count == 10)
        try time.advance(1)
        #expect(time.client.events().suffix(2) == ["Tick 0 0 0", "Finished elapsed 0"])
        try time.advance(60_000)
        #expect(time.client.events().count == 12, "nothing follows")
    }

    @Test("C1: a duration that is no multiple of the tick has its short part first")
    func unevenDuration() throws {
        let time = try TimedDaemon()
        let (path, state) = try time.client.start("uneven", [("duration", .uint64(2_500)), ("tick", .uint64(1_000))])
        #expect(state.count("remaining_ticks") == 3)
        try time.advance(2_500)
        #expect(
            time.client.events(of: path) == [
                "Tick 3 2500 0", "Tick 2 2000 0", "Tick 1 1000 0", "Tick 0 0 0", "Finished elapsed 0",
            ])
    }

    @Test("C1: the machine's own clock, two seconds by 100 ms: every tick at its time, the end at 2.000 s")
    func realTime() throws {
        let bus = try PrivateBus()
        let daemon = try Daemon(on: bus)
        let client = try Client(on: bus)
        var arrivals: [(words: String, instant: ContinuousClock.Instant)] = []
        try client.connection.subscribe(MatchRule(sender: WellKnown.busName)) { signal in
            let words = Client.Signal(path: signal.path, member: signal.member, arguments: signal.arguments).words
            arrivals.append((words, .now))
        }
        let before = ContinuousClock.now
        let (path, _) = try client.start("real", [("duration", .uint64(2_000)), ("tick", .uint64(100))])
        let after = ContinuousClock.now
        try client.waitForEnd(of: path)
        #expect(arrivals.last?.words.hasPrefix("Finished elapsed") == true)
        for (words, instant) in arrivals where words.hasPrefix("Tick") {
            let left = try #require(Int(words.split(separator: " ")[1]))
            let due = Duration.milliseconds(2_000 - left * 100)
            #expect(instant >= before + due, "\(words) came before its time")
            // Late only as far as this machine was busy.
            #expect(instant <= after + due + .seconds(1), "\(words) came long after its time")
        }
        #expect(arrivals.contains { $0.words == "Tick 20 2000 0" } && arrivals.contains { $0.words.hasPrefix("Tick 0 0 ") })
        #expect(daemon.process.poll() == nil)
    }

    @Test("Scenario 31, C3: a daemon that stalls 3.5 ticks says the newest value once, with what it missed; the end is on time")
    func stalled() throws {
        let bus = try PrivateBus()
        let daemon = try Daemon(on: bus)
        let client = try Client(on: bus)
        let tick = 200
        let (path, _) = try client.start("stall", [("duration", .uint64(2_000)), ("tick", .uint64(UInt64(tick)))])
        let begun = ContinuousClock.now
        try client.wait(for: 3, "the tick 8") { $0.path == path }
        daemon.process.send(SIGSTOP)
        let seen = client.events(of: path).count
        // The scenario is about real time: 3.5 ticks from here on.
        client.loop.run(deadline: .now + .milliseconds(tick * 7 / 2))
        #expect(client.events(of: path).count <= seen + 1, "a stopped daemon sends nothing but what was on the way")
        let before = client.events(of: path).count
        daemon.process.send(SIGCONT)
        try client.waitForEnd(of: path)
        #expect(ContinuousClock.now - begun < .seconds(3))
        let events = client.events(of: path)
        let first = events[before].split(separator: " ")
        let earlier = try #require(Int(events[before - 1].split(separator: " ")[1]))
        let (left, missed) = (try #require(Int(first[1])), try #require(Int(first[3])))
        #expect(missed >= 2 && earlier - left - 1 == missed, "coalesced: \(events)")
        // Every tick is either sent or counted as missed: none twice, no burst.
        let ticks = events.filter { $0.hasPrefix("Tick") }.map { $0.split(separator: " ").dropFirst().compactMap { Int($0) } }
        #expect(ticks.count + ticks.map { $0[2] }.reduce(0, +) == 11)
        #expect(ticks.map { $0[0] } == ticks.map { $0[0] }.sorted(by: >) && Set(ticks.map { $0[0] }).count == ticks.count)
        #expect(events.suffix(2).first?.hasPrefix("Tick 0 0") == true && events.last?.hasPrefix("Finished elapsed") == true)
    }

    @Test("Scenario 33, C2: the wall clock set back and forth changes nothing")
    func wallClockSteps() throws {
        let time = try TimedDaemon()
        let clock = TestClock(time.client.connection)
        let (path, _) = try time.client.start("wall", [("duration", .uint64(4_000))])
        try time.advance(1_000)
        try clock.setWall(microseconds: 0)
        try time.advance(1_000)
        try clock.setWall(microseconds: 4_000_000_000_000_000)
        try time.advance(1_000)
        #expect(try time.client.properties(of: path).number("Remaining") == 1_000)
        try time.advance(1_000)
        #expect(
            time.client.events(of: path) == [
                "Tick 4 4000 0", "Tick 3 3000 0", "Tick 2 2000 0", "Tick 1 1000 0", "Tick 0 0 0", "Finished elapsed 0",
            ])
    }

    @Test("Scenario 33, C2: five seconds asleep of ten: continue ends at 10 s of boottime, pause at 10 s awake")
    func suspended() throws {
        let time = try TimedDaemon()
        let (goesOn, _) = try time.client.start("continue")
        let (stands, _) = try time.client.start("pause", [("on_suspend", .string("pause"))])
        try time.advance(2_500)
        try TestClock(time.client.connection).suspend(milliseconds: 5_000)
        try time.client.drain()
        #expect(time.client.events(of: goesOn).last == "Tick 3 2500 4")
        #expect(time.client.events(of: stands).last == "Tick 8 8000 0")
        try time.advance(2_500)
        #expect(time.client.events(of: goesOn).suffix(2) == ["Tick 0 0 0", "Finished elapsed 0"])
        #expect(time.client.events(of: stands).last == "Tick 5 5000 0")
        try time.advance(5_000)
        #expect(time.client.events(of: stands).suffix(2) == ["Tick 0 0 0", "Finished elapsed 0"])
        #expect(time.client.events(of: stands).count == 12)
    }

    @Test("Scenario 33, C3: asleep past the deadline: Tick(0) and the end come at once, with how late they are")
    func suspendedPastTheEnd() throws {
        let time = try TimedDaemon()
        let (path, _) = try time.client.start("sleeper")
        try TestClock(time.client.connection).suspend(milliseconds: 13_000)
        try time.client.drain()
        #expect(time.client.events(of: path) == ["Tick 10 10000 0", "Tick 0 0 9", "Finished elapsed 3000"])
    }

    @Test("Scenario 36, C6: duration 0 with the match added first: Tick(0) and the end, both after the reply")
    func noDuration() throws {
        let time = try TimedDaemon()
        let reply = time.client.beginStart("now", [("duration", .uint64(0))])
        let path = try time.client.predictedPath("now")
        try time.client.finish(reply)
        try time.client.waitForEnd(of: path)
        #expect(time.client.events(of: path) == ["Tick 0 0 0", "Finished elapsed 0"])
        #expect(reply.position == 0)
        let state = try #require(try reply.result?.get().last?.dictionary)
        #expect(state.text("state") == "finished" && state.text("reason") == "elapsed")
    }

    @Test("C3: an hour by 50 ms: 72,001 ticks, none missed, no drift")
    func noDrift() throws {
        let time = try TimedDaemon()
        let (path, _) = try time.client.start("hour", [("duration", .uint64(3_600_000)), ("tick", .uint64(50))])
        for _ in 0..<60 { try time.advance(60_000) }
        try time.client.waitForEnd(of: path)
        let ticks = time.client.signals.filter { $0.member == CountdownInterface.tickSignal }
        #expect(ticks.count == 72_001)
        let isRight = ticks.enumerated().allSatisfy { index, tick in
            let left = 72_000 - index
            return tick.arguments == [.uint32(UInt32(left)), .uint64(UInt64(left) * 50), .uint32(0)]
        }
        #expect(isRight)
        #expect(time.client.events().last == "Finished elapsed 0")
    }

    @Test("C3: hundreds that fall due at one moment all end at that moment, in the order started")
    func manyAtOnce() throws {
        let time = try TimedDaemon(arguments: ["--limits=none"])
        let paths = try (0..<700).map { try time.client.start("c\($0)", [("duration", .uint64(1_000))]).path }
        try time.client.drain()
        time.client.forgetSignals()
        try time.advance(5_000)
        try time.client.wait(for: 1_400, "every tick and end")
        #expect(time.client.signals.map(\.path) == paths.flatMap { [$0, $0] })
        #expect(Set(time.client.events()) == ["Tick 0 0 0", "Finished elapsed 0"])
    }
}
