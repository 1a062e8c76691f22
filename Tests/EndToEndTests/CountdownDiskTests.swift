import DBusTypes
import DefaultsInterface
import LibDBus
import Support
import Testing

@Suite("Countdowns: the disk")
struct CountdownDiskTests {
    private typealias Members = CountdownInterface

    @Test("Scenario 35, C9: two writes in a whole life, whatever its ticks", arguments: ["elapsed", "skipped", "cancelled"])
    func twoWrites(end: String) throws {
        let time = try TimedDaemon()
        let before = try time.commits()
        let (path, _) = try time.client.start("splash", [("tick", .uint64(50))])
        try time.advance(5_000)
        #expect(try time.commits() == before + 1)
        switch end {
        case "skipped": try time.client.countdown(Members.skip, at: path)
        case "cancelled": try time.client.countdown(Members.cancel, at: path)
        default: try time.advance(5_000)
        }
        try time.client.waitForEnd(of: path)
        try time.client.preferences(PreferencesInterface.synchronize)
        #expect(try time.commits() == before + 2)
        #expect(time.client.events().last == "Finished \(end) 0")
    }

    @Test("C9: one write for each Ready, Pause, Resume and Extend that changes something; none for what doesn't")
    func writesOfCalls() throws {
        let time = try TimedDaemon()
        let before = try time.commits()
        let (path, _) = try time.client.start("splash", [("start", .string("when_ready"))])
        var expected = before + 1
        let calls: [(MemberName, [Value], Bool)] = [
            (Members.pause, [], false), (Members.ready, [], true), (Members.ready, [], false), (Members.pause, [], true),
            (Members.pause, [], false), (Members.resume, [], true), (Members.resume, [], false),
            (Members.extend, [.uint64(5)], true), (Members.extend, [.uint64(0)], false), (Members.watch, [], false),
        ]
        for (member, arguments, writes) in calls {
            _ = try time.client.connection.call(WellKnown.busName, path, Members.name, member, arguments)
            expected += writes ? 1 : 0
            try time.client.preferences(PreferencesInterface.synchronize)
            #expect(try time.commits() == expected, "\(member)")
        }
        _ = try time.client.properties(of: path)
        _ = try time.client.listCountdowns()
        try time.advance(20_000)
        try time.client.preferences(PreferencesInterface.synchronize)
        #expect(try time.commits() == expected + 1)
    }

    @Test("C6, C9: a duration of 0 is over before it could be stored: no write at all")
    func nothingToStore() throws {
        let time = try TimedDaemon()
        let before = try time.commits()
        let (path, _) = try time.client.start("now", [("duration", .uint64(0))])
        try time.client.waitForEnd(of: path)
        try time.client.preferences(PreferencesInterface.synchronize)
        #expect(try time.commits() == before)
    }

    @Test("C1, C3: a slow disk: t0 is when Start was handled, the answer comes before every tick, those due meanwhile as one")
    func slowDisk() throws {
        let time = try TimedDaemon()
        // The first write is past: what follows meets a disk that takes a second for each flush.
        try time.client.set("org.example.App", "k", .uint32(1))
        let fault = try DiskFault(of: time.daemon, "fdatasync:delay_enter=1000000")
        let path = try time.client.predictedPath("splash")
        let start = time.client.beginStart("splash")
        let advance = time.client.begin(TestClockInterface.name, TestClockInterface.advance, .uint64(3_500))
        try time.client.finish(advance)
        #expect(start.result == nil && time.client.events().isEmpty, "nothing before the answer, which waits for the disk")
        #expect(try time.client.properties(of: path).number("Remaining") == 6_500)
        try time.client.finish(start)
        try time.client.drain()
        #expect(start.position == 0)
        #expect(try start.result?.get().last?.dictionary?.number("remaining") == 10_000)
        #expect(time.client.events() == ["Tick 10 10000 0", "Tick 7 6500 2"])
        try time.advance(500)
        try time.advance(6_000)
        #expect(time.client.events().count == 2 + 7 + 1)
        #expect(time.client.events().suffix(2) == ["Tick 0 0 0", "Finished elapsed 0"])
        try fault.end()
    }

    @Test("C4, C6: a slow disk: Pause at 2.5 s is answered later and still keeps 7.5 s; no tick in between; Skip waits its turn")
    func slowPause() throws {
        let time = try TimedDaemon()
        let (path, _) = try time.client.start("splash")
        try time.advance(2_500)
        let fault = try DiskFault(of: time.daemon, "fdatasync:delay_enter=1000000")
        let seen = time.client.signals.count
        let pause = time.client.begin(Members.name, Members.pause, at: path)
        try time.client.finish(time.client.begin(TestClockInterface.name, TestClockInterface.advance, .uint64(5_000)))
        #expect(pause.result == nil)
        let other = try Client(on: time.bus)
        let watch = other.begin(Members.name, Members.watch, at: path)
        let skip = time.client.begin(Members.name, Members.skip, at: path)
        try time.client.finish(pause, skip)
        try other.finish(watch)
        #expect(try pause.result?.get().first?.dictionary?.number("remaining") == 7_500)
        #expect(try skip.result?.get().first?.dictionary?.text("reason") == "skipped")
        try time.client.waitForEnd(of: path)
        #expect(time.client.events().dropFirst(seen) == ["Finished skipped 0"])
        #expect(pause.position == seen && skip.position == seen)
        if case .success? = watch.result { #expect(try other.waitForEnd(of: path) == ["Finished skipped 0"]) }
        try fault.end()
    }

    @Test("C1: a slow disk past the deadline: the answer, Tick(N), Tick(0) and the end, with how late")
    func slowerThanTheCountdown() throws {
        let time = try TimedDaemon()
        try time.client.set("org.example.App", "k", .uint32(1))
        let fault = try DiskFault(of: time.daemon, "fdatasync:delay_enter=1000000")
        let start = time.client.beginStart("splash", [("duration", .uint64(2_000))])
        try time.client.finish(time.client.begin(TestClockInterface.name, TestClockInterface.advance, .uint64(2_700)))
        let path = try time.client.predictedPath("splash")
        try time.client.finish(start)
        #expect(start.position == 0)
        #expect(try time.client.waitForEnd(of: path) == ["Tick 2 2000 0", "Tick 0 0 1", "Finished elapsed 700"])
        try fault.end()
    }

    @Test(
        "P11: a full disk: the countdown starts, ticks and ends all the same, only it doesn't survive the daemon; then it works again"
    )
    func fullDisk() throws {
        let time = try TimedDaemon()
        try time.client.set("org.example.App", "k", .uint32(1))
        let fault = try DiskFault(of: time.daemon, "pwrite64:error=ENOSPC")
        let (path, state) = try time.client.start("splash")
        #expect(state.text("state") == "running")
        #expect(try time.client.error { try time.client.set("org.example.App", "k", .uint32(2)) }?.name == ErrorNames.storageFull)
        try time.advance(4_000)
        #expect(try time.client.countdown(Members.pause, at: path).number("remaining") == 6_000)
        try time.client.countdown(Members.resume, at: path)
        try time.advance(6_000)
        #expect(time.client.events().count == 12 && time.client.events().last == "Finished elapsed 0")
        try fault.end()
        let (later, _) = try time.client.start("later", [("duration", .uint64(3_600_000))])
        try time.daemon.kill9()
        try time.daemon.restart()
        #expect(try time.client.listCountdowns().map(\.path) == [later])
        #expect(try time.client.get("org.example.App", "k") == .uint32(1))
    }
}
