import DBusTypes
import DefaultsInterface
import LibDBus
import Support
import Testing

@Suite("Countdowns: over restarts of the daemon")
struct CountdownRestartTests {
    private typealias Members = CountdownInterface

    @Test(
        "Scenario 35, C9: kill -9 and back: the same path, token and phase for an owner that is still there",
        arguments: [
            "continue", "pause",
        ])
    func goesOn(policy: String) throws {
        let time = try TimedDaemon()
        let (path, _) = try time.client.start(
            "splash",
            [
                ("duration", .uint64(3_600_000)), ("on_suspend", .string(policy)), ("purpose", .string("p")),
                ("skippable_after", .uint64(1)),
            ])
        try time.client.drain()
        #expect(time.client.events() == ["Tick 3600 3600000 0"])
        try time.daemon.kill9()
        try time.daemon.restart()
        // The test clock has gone on with the machine's: what is left tells by how much.
        let left = try #require(try time.client.properties(of: path).number("Remaining"))
        #expect(left <= 3_600_000 && left > 3_600_000 - 60_000)
        let properties = try time.client.properties(of: path)
        #expect(properties.text("Owner") == time.client.connection.uniqueName.text && properties.text("Purpose") == "p")
        #expect(try time.client.listCountdowns().map(\.path) == [path])
        try time.client.drain()
        time.client.forgetSignals()
        // In phase: the next tick falls on a whole second of what is left. The clock moves by milliseconds, and what is left was rounded up.
        try time.advance((left - 1) % 1_000)
        #expect(!time.client.events().contains { $0.hasPrefix("Tick") })
        try time.advance(1)
        let ticks = time.client.events().filter { $0.hasPrefix("Tick") }
        let next = (left - 1) / 1_000
        #expect(ticks.count == 1 && ticks.first?.hasPrefix("Tick \(next) ") == true && ticks.first?.hasSuffix(" 0") == true)
        let commits = try time.commits()
        try time.advance(3_600_000)
        let end = time.client.events()
        #expect(end.suffix(2) == ["Tick 0 0 0", "Finished elapsed 0"])
        #expect(end.filter { $0.hasPrefix("Tick") }.count == Int(next) + 1)
        try time.client.preferences(PreferencesInterface.synchronize)
        #expect(try time.commits() == commits + 1, "the end is forgotten on disk, and nothing else written")
    }

    @Test("C9: what waits, stands still or was extended does so over kill -9")
    func statesAreKept() throws {
        let time = try TimedDaemon()
        let (waiting, _) = try time.client.start("w", [("start", .string("when_ready")), ("skippable_after", .uint64(2_000))])
        let (paused, _) = try time.client.start("p")
        let (extended, _) = try time.client.start("e", [("start", .string("when_ready"))])
        try time.advance(1_250)
        try time.client.countdown(Members.pause, at: paused)
        try time.client.countdown(Members.extend, .uint64(7_000), at: extended)
        try time.client.countdown(Members.extend, .uint64(3), at: paused)
        try time.daemon.kill9()
        try time.daemon.restart()
        time.client.forgetSignals()
        #expect(try time.client.properties(of: paused).text("State") == "paused")
        #expect(try time.client.properties(of: paused).number("Remaining") == 8_753)
        #expect(try time.client.properties(of: extended).number("Remaining") == 17_000)
        #expect(try time.client.properties(of: waiting).text("State") == "waiting")
        #expect(
            try time.client.error { try time.client.countdown(Members.skip, at: waiting) }?.name == ErrorNames.notYetSkippable)
        try time.client.countdown(Members.ready, at: waiting)
        #expect(try time.client.countdown(Members.resume, at: paused).number("remaining") == 8_753)
        try time.advance(10_000)
        #expect(time.client.events(of: waiting).count == 13 && time.client.events(of: waiting).contains("SkipAvailable"))
        #expect(time.client.events(of: paused).first == "Tick 8 8000 0")
        #expect(time.client.events(of: paused).suffix(2) == ["Tick 0 0 0", "Finished elapsed 0"])
    }

    @Test("Scenario 35, C9: back after the deadline: Tick(0) and the end once, at once, with how late")
    func expiredMeanwhile() throws {
        let bus = try PrivateBus()
        let daemon = try Daemon(on: bus)
        let client = try Client(on: bus)
        let before = ContinuousClock.now
        let (path, _) = try client.start("splash", [("duration", .uint64(400)), ("tick", .uint64(100))])
        let started = ContinuousClock.now
        try daemon.kill9()
        client.loop.iterate(deadline: .now)
        // The scenario is about time that passes while no daemon is there.
        client.loop.run(deadline: started + .milliseconds(600))
        client.forgetSignals()
        try daemon.restart()
        try client.waitForEnd(of: path)
        let elapsed = ContinuousClock.now - before
        let events = client.events(of: path)
        #expect(events.count == 2 && events.first?.hasPrefix("Tick 0 0 ") == true)
        let late = try #require(events.last?.split(separator: " ").last.flatMap { Int($0) })
        #expect(events.last?.hasPrefix("Finished elapsed ") == true)
        #expect(late >= 200 && Duration.milliseconds(late + 400) <= elapsed)
        // Once: neither later nor after one more restart.
        try client.preferences(PreferencesInterface.synchronize)
        try daemon.kill9()
        try daemon.restart()
        try client.drain()
        #expect(client.events(of: path).count == 2)
        #expect(try client.listCountdowns().isEmpty)
    }

    @Test("C8, C9: an owner that left while the daemon was away: gone, or running on if it was asked to")
    func ownerGoneMeanwhile() throws {
        let time = try TimedDaemon()
        let owner = try Client(on: time.bus)
        let (path, _) = try owner.start("splash", [("duration", .uint64(3_600_000))])
        let (kept, _) = try owner.start("kept", [("duration", .uint64(3_600_000)), ("on_owner_lost", .string("continue"))])
        try time.daemon.kill9()
        owner.connection.close()
        try time.daemon.restart()
        let error = try time.client.error { try time.client.countdown(Members.skip, at: path) }
        #expect(error?.name == ErrorNames.alreadyFinished && error?.message.contains("owner_lost") == true)
        #expect(try time.client.listCountdowns().map(\.path) == [kept])
        try time.client.countdown(Members.watch, at: kept)
        try time.advance(3_600_000)
        #expect(time.client.events(of: kept).suffix(2) == ["Tick 0 0 0", "Finished elapsed 0"])
    }

    @Test("C9, C8: an owner that is there after a restart is still missed when it leaves later")
    func ownerLeavesAfterRestart() throws {
        let time = try TimedDaemon()
        let owner = try Client(on: time.bus)
        let (path, _) = try owner.start("splash", [("duration", .uint64(3_600_000))])
        try time.daemon.kill9()
        try time.daemon.restart()
        try time.client.countdown(Members.watch, at: path)
        time.client.forgetSignals()
        owner.connection.close()
        #expect(try time.client.waitForEnd(of: path) == ["Finished owner_lost 0"])
    }

    @Test("C9: an orderly stop and start goes on as well; its clients get no end in between")
    func update() throws {
        let time = try TimedDaemon()
        let (path, _) = try time.client.start("splash", [("duration", .uint64(3_600_000))])
        #expect(try time.daemon.terminate() == .exited(0))
        try time.daemon.restart()
        #expect(try time.client.listCountdowns().map(\.path) == [path])
        #expect(!time.client.events().contains { $0.hasPrefix("Finished") })
    }

    @Test("S1, C9: on another bus, where the same names are other programs, the countdowns are forgotten")
    func otherBus() throws {
        let time = try TimedDaemon()
        let folder = time.daemon.store
        try time.client.start("splash", [("duration", .uint64(3_600_000)), ("on_owner_lost", .string("continue"))])
        try time.daemon.kill9()
        let bus = try PrivateBus()
        let daemon = try Daemon(on: bus, store: folder)
        let client = try Client(on: bus)
        #expect(try client.listCountdowns().isEmpty)
        let error = try client.error { try client.countdown(Members.skip, at: try time.client.predictedPath("splash")) }
        #expect(error?.name == .unknownObject)
        #expect(try daemon.terminate() == .exited(0))
        // For good: back on the first bus they are still forgotten.
        try time.daemon.restart()
        #expect(try time.client.listCountdowns().isEmpty)
    }

    @Test("C9: after a reboot, when deadlines mean nothing, the countdowns are gone for good, and nothing is sent of them")
    func otherBoot() throws {
        let time = try TimedDaemon()
        let (running, _) = try time.client.start("running", [("on_owner_lost", .string("continue"))])
        let (paused, _) = try time.client.start("paused", [("duration", .uint64(3_600_000))])
        try time.client.countdown(Members.pause, at: paused)
        try time.client.drain()
        try time.daemon.kill9()
        time.client.forgetSignals()
        let folder = try TemporaryFolder()
        try "01234567-89ab-cdef-0123-456789abcdef\n".write(toNewFile: folder.path("boot_id"))
        // The daemon alone sees another id of the boot; bus and client are still there, as they would not be.
        let mount = "mount --bind \"$0\" /proc/sys/kernel/random/boot_id && exec \"$@\""
        try time.daemon.restart(through: ["unshare", "--mount", "sh", "-c", mount, folder.path("boot_id")])
        #expect(try time.client.listCountdowns().isEmpty)
        for path in [running, paused] {
            #expect(try time.client.error { try time.client.countdown(Members.cancel, at: path) }?.name == .unknownObject)
        }
        try time.advance(3_600_000)
        #expect(time.client.signals.isEmpty)
        #expect(try time.daemon.terminate() == .exited(0))
        try time.daemon.restart()
        #expect(try time.client.listCountdowns().isEmpty)
    }

    @Test("C9: one that ended before kill -9 doesn't come back")
    func endedBefore() throws {
        let time = try TimedDaemon()
        let (path, _) = try time.client.start("splash")
        try time.client.countdown(Members.skip, at: path)
        try time.client.preferences(PreferencesInterface.synchronize)
        try time.daemon.kill9()
        try time.daemon.restart()
        #expect(try time.client.listCountdowns().isEmpty)
        #expect(try time.client.error { try time.client.countdown(Members.skip, at: path) }?.name == ErrorNames.alreadyFinished)
        #expect(try time.client.start("splash").path == path)
    }

    @Test(
        "C4: killed at once after Skip or Cancel was answered: no tick follows, and no other end", arguments: ["Skip", "Cancel"])
    func killedAfterEnd(call: String) throws {
        let time = try TimedDaemon()
        let reason = call == "Skip" ? "skipped" : "cancelled"
        for round in 0..<20 {
            let (path, _) = try time.client.start("c\(round)", [("tick", .uint64(1_000))])
            try time.client.drain()
            try time.client.countdown(call == "Skip" ? Members.skip : Members.cancel, at: path)
            try time.daemon.kill9()
            try time.daemon.restart()
            #expect(try time.client.listCountdowns().isEmpty)
            try time.advance(20_000)
            let events = time.client.events(of: path)
            #expect(events.first == "Tick 10 10000 0")
            #expect(events.count > 1 && events.dropFirst().allSatisfy { $0 == "Finished \(reason) 0" }, "\(events)")
        }
    }

    @Test("C9: ends that were told are not told again after an orderly stop, nor after a later write")
    func toldOnce() throws {
        let time = try TimedDaemon()
        let (first, _) = try time.client.start("first")
        try time.client.countdown(Members.skip, at: first)
        let (second, _) = try time.client.start("second")
        try time.client.drain()
        try time.daemon.kill9()
        try time.daemon.restart()
        try time.client.countdown(Members.cancel, at: second)
        #expect(try time.daemon.terminate() == .exited(0))
        try time.daemon.restart()
        try time.client.drain()
        #expect(time.client.events(of: first) == ["Tick 10 10000 0", "Finished skipped 0"])
        #expect(time.client.events(of: second) == ["Tick 10 10000 0", "Finished cancelled 0"])
    }

    @Test("C9: killed twenty times at once after Start was answered: every countdown is there again")
    func killedAgainAndAgain() throws {
        let time = try TimedDaemon(arguments: ["--limits=none"])
        for round in 0..<20 {
            let calls = (0..<5).map { time.client.beginStart("c\(round)_\($0)", [("duration", .uint64(3_600_000))]) }
            for call in calls {
                try time.client.finish(call)
                _ = try call.result?.get()
            }
            try time.daemon.kill9()
            try time.daemon.restart()
            #expect(try time.client.listCountdowns().count == 5 * (round + 1))
        }
    }
}
