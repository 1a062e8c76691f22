import DBusTypes
import DefaultsInterface
import LibDBus
import Support
import Testing

@Suite("Guides: countdowns")
struct GuidesCountdownTests {
    private let time: TimedDaemon
    private var client: Client { time.client }

    init() throws {
        time = try TimedDaemon()
        try time.client.defineGuide("welcome", [("countdown", .vardict([("duration", .uint64(3_000))]))])
        try time.client.record("1.0", app: guideApp)
    }

    private func present(_ options: [(String, Value)] = []) throws -> (run: UInt64, path: ObjectPath) {
        let presented = try client.presentGuide("welcome", options)
        return (presented.run, try #require(presented.guide["countdown"]?.get(as: ObjectPath.self)))
    }

    @Test("G8: the countdown begins with the guide, after the reply, at the predictable path; elapsed is timed_out, once")
    func timedOut() throws {
        let reply = client.begin(
            GuidesInterface.name, GuidesInterface.present, .string(guideApp), .string("welcome"),
            .vardict([("countdown_token", .string("splash"))]))
        try client.finish(reply)
        let path = try client.predictedPath("splash")
        let run = try #require(try reply.result?.get()[2].get(as: UInt64.self))
        try client.drain()
        #expect(client.events(of: path) == ["Tick 3 3000 0"])
        #expect(reply.position == 0, "no tick before the reply")
        try time.advance(2_999)
        #expect(client.guideEvents().isEmpty)
        try time.advance(1)
        #expect(try client.waitForEnd(ofRun: run) == ["finished timed_out"])
        try time.advance(60_000)
        #expect(
            client.events(of: path) == ["Tick 3 3000 0", "Tick 2 2000 0", "Tick 1 1000 0", "Tick 0 0 0", "Finished elapsed 0"])
        #expect(client.guideEvents() == ["finished timed_out"])
        #expect(try client.finishGuide(run).text("outcome") == "timed_out")
        #expect(try client.presentGuide().reason == "seen")
    }

    @Test("G8, C4: killed at once after Finish was answered: the guide's countdown doesn't go on, and its end is told")
    func killedAfterFinish() throws {
        for _ in 0..<20 {
            try client.guides(GuidesInterface.reset, .string(guideApp), .string("welcome"))
            let (run, path) = try present()
            try client.drain()
            try client.finishGuide(run, "dismissed")
            try time.daemon.kill9()
            try time.daemon.restart()
            #expect(try client.listCountdowns().isEmpty)
            try time.advance(10_000)
            let events = client.events(of: path)
            #expect(events.first == "Tick 3 3000 0")
            #expect(events.count > 1 && events.dropFirst().allSatisfy { $0 == "Finished cancelled 0" }, "\(events)")
        }
    }

    @Test("G8: Skip of the countdown is skipped, Finish of the guide ends the countdown; nothing comes after either")
    func whicheverFirst() throws {
        let first = try present()
        try time.advance(1_000)
        try client.countdown(CountdownInterface.skip, at: first.path)
        #expect(try client.waitForEnd(ofRun: first.run) == ["finished skipped"])
        try client.guides(GuidesInterface.reset, .string(guideApp), .string("welcome"))
        let second = try present()
        try time.advance(1_000)
        try client.finishGuide(second.run, "dismissed")
        try time.advance(60_000)
        #expect(client.events(of: first.path) == ["Tick 3 3000 0", "Tick 2 2000 0", "Finished skipped 0"])
        #expect(client.events(of: second.path) == ["Tick 3 3000 0", "Tick 2 2000 0", "Finished cancelled 0"])
        #expect(client.guideEvents() == ["finished skipped", "finished dismissed"])
        #expect(try client.listCountdowns().isEmpty)
    }

    @Test("G8: Cancel leaves the guide; it then ends by Finish alone")
    func cancelled() throws {
        let (run, path) = try present()
        try client.countdown(CountdownInterface.cancel, at: path)
        try time.advance(60_000)
        #expect(client.guideEvents().isEmpty)
        #expect(try client.advanceGuide(run).text("state") == "presenting")
        #expect(try client.finishGuide(run).text("outcome") == "completed")
        #expect(client.events(of: path) == ["Tick 3 3000 0", "Finished cancelled 0"])
    }

    @Test("G2, C8: the presenter dies: the countdown is lost with it, the guide is due, and the next has a countdown of its own")
    func ownerDies() throws {
        let presenter = try Client(on: time.bus)
        try client.preferences(PreferencesInterface.watch, .string(guideApp))
        let run = try presenter.showGuide()
        let path = try presenter.predictedPath("guide_\(run)")
        try client.countdown(CountdownInterface.watch, at: path)
        try time.advance(1_000)
        presenter.connection.close()
        #expect(try client.waitForEnd(ofRun: run) == ["finished released"])
        try time.advance(60_000)
        #expect(client.events(of: path) == ["Tick 2 2000 0", "Finished owner_lost 0"])
        let next = try present()
        #expect(next.path != path)
        try time.advance(3_000)
        #expect(try client.waitForEnd(ofRun: next.run) == ["finished timed_out"])
    }

    @Test("A token that is taken is AlreadyExists, a bad one InvalidName: the guide isn't presented, and nothing holds the stage")
    func tokens() throws {
        try client.start("taken")
        for (token, name) in [("taken", ErrorNames.alreadyExists), ("a b", ErrorNames.invalidName)] {
            #expect(try client.error { try present([("countdown_token", .string(token))]) }?.name == name)
        }
        #expect(try client.listedGuide()?.text("state") == "new")
        let (run, path) = try present([("countdown_token", .string("free"))])
        #expect(try client.error { try client.start("free") }?.name == ErrorNames.alreadyExists)
        try client.finishGuide(run)
        #expect(try client.error { try client.countdown(CountdownInterface.skip, at: path) }?.name == ErrorNames.alreadyFinished)
    }

    @Test("C10: the user's scale stretches it; with no time limit only Skip and Finish end it")
    func scale() throws {
        try client.set("global", "onboarding.countdown-scale", .double(2))
        let stretched = try present()
        try time.advance(3_000)
        #expect(client.guideEvents().isEmpty)
        try time.advance(3_000)
        #expect(try client.waitForEnd(ofRun: stretched.run) == ["finished timed_out"])
        try client.set("global", "onboarding.countdown-scale", .int32(0))
        try client.guides(GuidesInterface.reset, .string(guideApp), .string("welcome"))
        let unlimited = try present()
        try time.advance(600_000)
        #expect(client.guideEvents(of: unlimited.run).isEmpty)
        try client.countdown(CountdownInterface.skip, at: unlimited.path)
        #expect(try client.waitForEnd(ofRun: unlimited.run) == ["finished skipped"])
    }

    @Test("Finish and Skip at once, 200 times: one outcome, one end of the countdown, and they agree")
    func race() throws {
        let other = try Client(on: time.bus)
        for _ in 0..<200 {
            let (run, path) = try present()
            let skip = other.begin(CountdownInterface.name, CountdownInterface.skip, at: path)
            let finish = client.begin(GuidesInterface.name, GuidesInterface.finish, .uint64(run), .string("dismissed"))
            try other.finish(skip)
            try client.finish(finish)
            let events = try client.waitForEnd(ofRun: run)
            try client.drain()
            let ends = client.events(of: path).filter { $0.hasPrefix("Finished") }
            #expect(events.count == 1)
            #expect(ends.count == 1)
            let agreed = [
                ["finished skipped", "Finished skipped 0"], ["finished dismissed", "Finished cancelled 0"],
                // Both were under way: the guide was finished first, the countdown skipped before it was told.
                ["finished dismissed", "Finished skipped 0"],
            ]
            #expect(agreed.contains(events + ends), "\(events + ends)")
            try client.guides(GuidesInterface.reset, .string(guideApp), .string("welcome"))
            client.forgetSignals()
        }
    }
}

@Suite("Guides: countdowns over a restart")
struct GuidesCountdownRestartTests {
    @Test("S1, C9: the daemon is killed under both: they go on together, and end together")
    func restart() throws {
        let bus = try PrivateBus()
        let daemon = try Daemon(on: bus)
        let client = try Client(on: bus)
        try client.defineGuide("welcome", [("countdown", .vardict([("duration", .uint64(60_000))]))])
        try client.record("1.0", app: guideApp)
        let presented = try client.presentGuide()
        let path = try #require(presented.guide["countdown"]?.get(as: ObjectPath.self))
        try daemon.kill9()
        try daemon.restart()
        #expect(try client.countdown(CountdownInterface.watch, at: path).text("state") == "running")
        try client.countdown(CountdownInterface.skip, at: path)
        #expect(try client.waitForEnd(ofRun: presented.run) == ["finished skipped"])
        #expect(try client.finishGuide(presented.run).text("outcome") == "skipped")
    }
}
