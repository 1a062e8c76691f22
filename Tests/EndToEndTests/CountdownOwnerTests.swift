import DBusTypes
import DefaultsInterface
import LibDBus
import Support
import Testing

@Suite("Countdowns: owners, watchers, limits")
struct CountdownOwnerTests {
    private typealias Members = CountdownInterface

    @Test("C8: the owner's connection ends: owner_lost for who watches, once; continue goes on")
    func ownerLost() throws {
        let time = try TimedDaemon()
        let owner = try Client(on: time.bus)
        let (path, _) = try owner.start("splash")
        let (kept, _) = try owner.start("kept", [("on_owner_lost", .string("continue"))])
        try time.client.countdown(Members.watch, at: path)
        try time.client.countdown(Members.watch, at: kept)
        owner.connection.close()
        try time.client.waitForEnd(of: path)
        #expect(time.client.events() == ["Finished owner_lost 0"])
        let error = try time.client.error { try time.client.countdown(Members.skip, at: path) }
        #expect(error?.name == ErrorNames.alreadyFinished && error?.message.contains("owner_lost") == true)
        try time.advance(10_000)
        #expect(time.client.events(of: kept).count == 11)
        #expect(time.client.events(of: kept).suffix(2) == ["Tick 0 0 0", "Finished elapsed 0"])
        #expect(time.client.events(of: path).count == 1)
    }

    @Test("C8: an owner that leaves right behind its Start, without waiting for the answer, is noticed as well")
    func leavesAtOnce() throws {
        let time = try TimedDaemon()
        for round in 0..<20 {
            let owner = try Client(on: time.bus)
            let path = try owner.predictedPath("splash")
            _ = owner.beginStart("splash")
            owner.connection.flush()
            owner.connection.close()
            try time.client.ask("the end of round \(round)") {
                let error = try time.client.error { try time.client.properties(of: path) }
                return error?.name == ErrorNames.alreadyFinished && error?.message.contains("owner_lost") == true
            }
        }
        #expect(try time.client.listCountdowns().isEmpty)
    }

    @Test("A countdown's signals go to its owner and to those who called its Watch; each signal once, however often they asked")
    func watchers() throws {
        let time = try TimedDaemon()
        let (watcher, bystander) = (try Client(on: time.bus), try Client(on: time.bus))
        let (path, _) = try time.client.start("splash", [("duration", .uint64(2_000))])
        for client in [time.client, watcher] {
            for _ in 0..<3 {
                #expect(try client.countdown(Members.watch, at: path).text("state") == "running")
            }
        }
        try time.advance(2_000)
        try watcher.drain()
        try bystander.drain()
        let end = ["Tick 1 1000 0", "Tick 0 0 0", "Finished elapsed 0"]
        #expect(time.client.events() == ["Tick 2 2000 0"] + end)
        #expect(watcher.events() == end)
        #expect(bystander.signals.isEmpty)
    }

    @Test("Watch lasts to the end: a new countdown with the token has to be watched anew")
    func watchEnds() throws {
        let time = try TimedDaemon()
        let watcher = try Client(on: time.bus)
        let (path, _) = try time.client.start("splash")
        try watcher.countdown(Members.watch, at: path)
        try time.client.countdown(Members.cancel, at: path)
        try time.client.start("splash")
        try watcher.drain()
        #expect(watcher.events() == ["Finished cancelled 0"])
    }

    @Test("Any process of the user may act on a countdown, and the owner is told")
    func othersAct() throws {
        let time = try TimedDaemon()
        let other = try Client(on: time.bus)
        let (path, _) = try time.client.start("splash", [("start", .string("when_ready"))])
        #expect(try other.countdown(Members.ready, at: path).text("state") == "running")
        #expect(try other.countdown(Members.pause, at: path).text("state") == "paused")
        #expect(try other.countdown(Members.resume, at: path).text("state") == "running")
        #expect(try other.countdown(Members.extend, .uint64(5_000), at: path).number("remaining") == 15_000)
        #expect(try other.countdown(Members.skip, at: path).text("reason") == "skipped")
        try time.client.drain()
        try other.drain()
        #expect(time.client.events() == ["Tick 10 10000 0", "Tick 15 15000 0", "Finished skipped 0"])
        #expect(other.signals.isEmpty)
    }

    @Test("C8: the seventeenth of a connection is LimitExceeded; one that ends, or is replaced, makes room")
    func limitOfConnection() throws {
        let time = try TimedDaemon()
        let paths = try (0..<16).map { try time.client.start("c\($0)").path }
        let error = try #require(try time.client.error { try time.client.start("c16") })
        #expect(error.name == ErrorNames.limitExceeded && error.message.contains("16"))
        #expect(
            try time.client.error { try time.client.start("now", [("duration", .uint64(0))]) }?.name == ErrorNames.limitExceeded)
        try time.client.start("c3", [("replace", .boolean(true))])
        try time.client.countdown(Members.cancel, at: paths[0])
        try time.client.start("c16")
        #expect(try Client(on: time.bus).start("c16").state.text("state") == "running")
    }

    @Test("C8: 256 for a user over all connections")
    func limitOfUser() throws {
        let time = try TimedDaemon()
        let clients = try (0..<16).map { _ in try Client(on: time.bus) }
        for client in clients { for number in 0..<16 { try client.start("c\(number)") } }
        let error = try #require(try time.client.error { try time.client.start("one_more") })
        #expect(error.name == ErrorNames.limitExceeded && error.message.contains("256"))
        #expect(try time.client.listCountdowns().count == 256)
        clients[0].connection.close()
        try time.client.ask("room") { try time.client.listCountdowns().count == 240 }
        try time.client.start("one_more")
    }

    @Test("--limits=none lifts the limits")
    func noLimits() throws {
        let time = try TimedDaemon(arguments: ["--limits=none"])
        let calls = (0..<1_000).map { time.client.beginStart("c\($0)") }
        for call in calls {
            try time.client.finish(call)
            _ = try call.result?.get()
        }
        #expect(try time.client.listCountdowns().count == 1_000)
    }

    @Test(
        "C10: the user's scale, read at Start: 2.5 stretches, an integer too, nonsense is 1",
        arguments: [
            (Value.double(2.5), 25_000 as UInt64), (.int32(3), 30_000), (.byte(10), 100_000), (.double(99), 100_000),
            (.double(0.5), 10_000), (.string("2"), 10_000), (.double(.nan), 10_000),
        ])
    func scale(value: Value, duration: UInt64) throws {
        let time = try TimedDaemon()
        let (before, _) = try time.client.start("before")
        try time.client.set("global", "onboarding.countdown-scale", value)
        let (path, state) = try time.client.start("after", [("skippable_after", .uint64(3_000))])
        #expect(state.number("duration") == duration && state.number("remaining") == duration)
        #expect(try time.client.properties(of: before).number("Duration") == 10_000)
        try time.advance(3_000)
        #expect(time.client.events(of: path).contains("SkipAvailable"))
        try time.advance(duration - 3_000)
        #expect(time.client.events(of: path).suffix(2) == ["Tick 0 0 0", "Finished elapsed 0"])
    }

    @Test("C10: scale 0: Tick(N) once, no deadline, Skip ends it; it survives kill -9 like that")
    func noTimeLimit() throws {
        let time = try TimedDaemon()
        try time.client.set("global", "onboarding.countdown-scale", .uint32(0))
        let (path, state) = try time.client.start("splash")
        #expect(state.text("state") == "running" && state.number("remaining") == 10_000)
        try time.advance(100 * 86_400_000)
        #expect(time.client.events() == ["Tick 10 10000 0"])
        try time.daemon.kill9()
        try time.daemon.restart()
        try time.advance(100 * 86_400_000)
        #expect(try time.client.properties(of: path).number("Remaining") == 10_000)
        #expect(try time.client.countdown(Members.skip, at: path).text("reason") == "skipped")
        try time.client.drain()
        #expect(time.client.events() == ["Tick 10 10000 0", "Finished skipped 0"])
    }

    @Test("P6, C10: a scale set just before Start, without waiting, counts")
    func scaleInFlight() throws {
        let time = try TimedDaemon()
        let set = time.client.begin(
            PreferencesInterface.name, PreferencesInterface.set, .string("global"), .string("onboarding.countdown-scale"),
            .variant(.double(2)))
        let start = time.client.beginStart("splash")
        try time.client.finish(set, start)
        _ = try set.result?.get()
        #expect(try start.result?.get().last?.dictionary?.number("duration") == 20_000)
    }
}
