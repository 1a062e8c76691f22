import DBusTypes
import DefaultsInterface
import LibDBus
import Support
import Testing

@Suite("Guides: over crashes")
struct GuidesCrashTests {
    @Test("Scenario 21, G2: the presenter is killed on page 3: released, resumed there with attempt 2; after three abandoned")
    func presenterDies() throws {
        let time = try TimedDaemon()
        let watcher = time.client
        try watcher.preferences(PreferencesInterface.watch, .string(guideApp))
        try watcher.defineGuide("welcome", [("pages", guidePages(5))])
        try watcher.record("1.0", app: guideApp)
        for attempt in 1...3 {
            let presenter = try Client(on: time.bus)
            let presented = try presenter.presentGuide()
            #expect(presented.guide.count("page") == (attempt == 1 ? 0 : 3))
            #expect(presented.guide.count("attempts") == UInt32(attempt))
            if attempt == 1 { try presenter.goToPage(presented.run, 3) }
            presenter.connection.close()
            let end = attempt == 3 ? "finished abandoned" : "finished released"
            #expect(try watcher.waitForEnd(ofRun: presented.run).last == end)
            #expect(try watcher.error { try watcher.advanceGuide(presented.run) }?.name == ErrorNames.notFound)
        }
        #expect(try watcher.presentGuide().reason == "abandoned")
        #expect(try watcher.pendingGuides() == [])
        try watcher.defineGuide("welcome", [("pages", guidePages(5)), ("revision", .uint32(2))])
        #expect(try watcher.pendingGuides() == ["welcome"])
    }

    @Test("S1: the daemon is killed under a live run: the run goes on at its page, holds the stage, and is told of")
    func daemonDies() throws {
        let bus = try PrivateBus()
        let daemon = try Daemon(on: bus)
        let (presenter, other) = (try Client(on: bus), try Client(on: bus))
        try presenter.defineGuide()
        try presenter.record("1.0", app: guideApp)
        let run = try presenter.showGuide()
        try presenter.goToPage(run, 1)
        for _ in 0..<2 {
            try daemon.kill9()
            try daemon.restart()
            #expect(try other.presentGuide().reason == "busy")
        }
        try presenter.drain()
        presenter.forgetSignals()
        let guide = try other.goToPage(run, 2)
        #expect(guide.count("page") == 2)
        #expect(guide.count("attempts") == 1)
        try presenter.drain()
        #expect(presenter.guideEvents() == ["page 2/3"])
        presenter.connection.close()
        try other.ask("the run to end with its presenter") { try other.listedGuide()?.text("state") == "released" }
        let resumed = try other.presentGuide()
        #expect(resumed.guide.count("page") == 2)
        #expect(resumed.guide.count("attempts") == 2)
        #expect(resumed.run > run)
    }

    @Test("G2: the presenter leaves while the daemon is down: that is an attempt, and the guide is due at its page")
    func bothDie() throws {
        let bus = try PrivateBus()
        let daemon = try Daemon(on: bus)
        let presenter = try Client(on: bus)
        try presenter.defineGuide("welcome", [("max_attempts", .uint32(2))])
        try presenter.record("1.0", app: guideApp)
        let run = try presenter.showGuide()
        try presenter.goToPage(run, 1)
        try daemon.kill9()
        presenter.connection.close()
        try daemon.restart()
        let next = try Client(on: bus)
        let resumed = try next.presentGuide()
        #expect(resumed.guide.count("page") == 1)
        #expect(resumed.guide.count("attempts") == 2)
        try daemon.kill9()
        next.connection.close()
        try daemon.restart()
        #expect(try Client(on: bus).presentGuide().reason == "abandoned")
    }

    @Test("G2: the bus goes away, as at a logout: no attempt, and the guide is due at its page on the next bus")
    func logout() throws {
        let bus = try PrivateBus()
        let daemon = try Daemon(on: bus)
        let presenter = try Client(on: bus)
        try presenter.defineGuide("welcome", [("max_attempts", .uint32(1))])
        try presenter.record("1.0", app: guideApp)
        try presenter.goToPage(presenter.showGuide(), 2)
        bus.stop()
        _ = try daemon.process.wait()
        let next = try PrivateBus()
        let successor = try Daemon(on: next, store: daemon.store)
        defer { withExtendedLifetime(successor) {} }
        let client = try Client(on: next)
        let resumed = try client.presentGuide()
        #expect(resumed.show)
        #expect(resumed.guide.count("page") == 2)
        #expect(resumed.guide.count("attempts") == 1)
    }

    @Test("G5, G6: what became due is on disk: killed between Record and Present, it is due all the same")
    func dueOnDisk() throws {
        let bus = try PrivateBus()
        let daemon = try Daemon(on: bus)
        try Client(on: bus).record("1.0", app: guideApp)
        try Client(on: bus).defineGuide("welcome", [("audience", .string("fresh"))])
        try daemon.kill9()
        try daemon.restart()
        #expect(try Client(on: bus).pendingAfterLaunch("2.0") == ["welcome"])
        try daemon.kill9()
        try daemon.restart()
        #expect(try Client(on: bus).presentGuide().show)
    }

    @Test("G8: a finished run answers until its connection ends, over a restart of the daemon too, with its first outcome")
    func finishedRunAnswers() throws {
        let bus = try PrivateBus()
        let daemon = try Daemon(on: bus)
        let (presenter, other) = (try Client(on: bus), try Client(on: bus))
        try presenter.defineGuide()
        try presenter.record("1.0", app: guideApp)
        let run = try presenter.showGuide()
        let first = try presenter.finishGuide(run, "dismissed")
        try daemon.kill9()
        try daemon.restart()
        #expect(try other.finishGuide(run, "completed") == first)
        presenter.connection.close()
        try other.ask("the run to be forgotten") {
            try other.error { try other.finishGuide(run) }?.name == ErrorNames.notFound
        }
        #expect(try other.presentGuide().reason == "seen")
    }

    @Test("S1: a run that outlives its owner goes on, and ends after an hour without a call")
    func keep() throws {
        let time = try TimedDaemon()
        let shell = try Client(on: time.bus)
        try shell.defineGuide()
        try shell.record("1.0", app: guideApp)
        let run = try shell.presentGuide("welcome", [("on_owner_lost", .string("keep"))]).run
        shell.connection.close()
        try time.client.preferences(PreferencesInterface.watch, .string(guideApp))
        try time.advance(30 * 60 * 1000)
        #expect(try time.client.goToPage(run, 1).text("state") == "presenting")
        try time.advance(59 * 60 * 1000)
        #expect(try time.client.listedGuide()?.text("state") == "presenting")
        try time.advance(60 * 1000)
        #expect(try time.client.waitForEnd(ofRun: run) == ["page 1/3", "finished released"])
        #expect(try time.client.listedGuide()?.text("state") == "released")
    }

    @Test("S1: after ten minutes of silence another window takes the guide over at its page; the stale run moves nothing (T8)")
    func silence() throws {
        let time = try TimedDaemon()
        let second = try Client(on: time.bus)
        try time.client.defineGuide()
        try time.client.record("1.0", app: guideApp)
        let run = try time.client.showGuide()
        try time.client.goToPage(run, 2)
        try time.advance(599_999)
        #expect(try second.presentGuide().reason == "busy")
        try time.advance(1)
        let taken = try second.presentGuide()
        #expect(taken.show)
        #expect(taken.guide.count("page") == 2)
        #expect(taken.guide.count("attempts") == 1)
        #expect(try time.client.waitForEnd(ofRun: run) == ["page 2/3", "finished released"])
        #expect(try time.client.goToPage(run, 0).text("state") == "released")
        #expect(try second.goToPage(taken.run, 1).count("page") == 1)
    }

    @Test("Scenario 17, P9: after a loss nothing is shown as if to a new user, until the loss is acknowledged")
    func loss() throws {
        let bus = try PrivateBus()
        let daemon = try Daemon(on: bus)
        let client = try Client(on: bus)
        try client.record("1.0", app: guideApp)
        #expect(try daemon.terminate() == .exited(0))
        for name in ["defaults.sqlite", "defaults.backup.sqlite"] {
            try Array("not a database".utf8).write(toFile: daemon.store + "/" + name)
        }
        try daemon.restart()
        try client.defineGuide()
        #expect(try client.pendingAfterLaunch("1.0") == [])
        #expect(try client.presentGuide().reason == "unknown_launch")
        #expect(try client.pendingGuides() == [])
        try client.call(AdminInterface.name, AdminInterface.acknowledgeLoss)
        #expect(try client.pendingGuides() == ["welcome"])
        #expect(try client.presentGuide().show)
    }

    @Test("P11: on a full disk pages turn; an end that can't be kept is refused, and the run goes on; space back is enough")
    func fullDisk() throws {
        let time = try TimedDaemon()
        let client = time.client
        for guide in ["welcome", "next"] { try client.defineGuide(guide) }
        try client.record("1.0", app: guideApp)
        let run = try client.showGuide()
        let fault = try DiskFault(of: time.daemon, "pwrite64:error=ENOSPC")
        #expect(try client.goToPage(run, 2).count("page") == 2)
        #expect(try client.error { try client.defineGuide("third") }?.name == ErrorNames.storageFull)
        #expect(try client.error { try client.finishGuide(run, "dismissed") }?.name == ErrorNames.storageFull)
        #expect(try client.goToPage(run, 1).text("state") == "presenting")
        try fault.end()
        #expect(try client.finishGuide(run, "dismissed").count("page") == 1)
        #expect(try client.waitForEnd(ofRun: run) == ["page 2/3", "page 1/3", "finished dismissed"])
        #expect(try client.presentGuide().reason == "seen")
        #expect(try client.presentGuide("next").show)
    }
}
