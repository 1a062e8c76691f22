import DBusTypes
import DefaultsInterface
import LibDBus
import Support
import Testing

@Suite("Tours: owners that die and daemons that are killed")
struct ToursOwnerTests {
    private typealias Members = ToursInterface
    private static let five = ["s1", "s2", "s3", "s4", "s5"]
    private static let week: UInt64 = 7 * 24 * 60 * 60 * 1000

    /// A daemon whose tour was left at s3 by a presenter that died.
    private func left(_ more: [(String, Value)] = []) throws -> TimedDaemon {
        let time = try TimedDaemon()
        try time.client.watchTours()
        try time.client.define("intro", Self.five, more)
        let owner = try Client(on: time.bus)
        let run = try owner.startTour("intro").run
        try owner.step(Members.goTo, run, .string("s3"))
        owner.connection.close()
        try time.client.waitForTour("Finished released [s1 s3]")
        return time
    }

    @Test("T7: the presenter is killed: suspended; resumed at the step by another")
    func resumed() throws {
        let time = try left()
        let listed = try time.client.listed("intro")
        #expect(listed.text("state") == "suspended" && listed.text("outcome") == "released" && listed.count("attempts") == 1)
        try time.advance(Self.week)
        let start = try time.client.startTour("intro")
        #expect(start.show && start.step.text("id") == "s3" && start.step.number("sequence") == 1)
        #expect(try time.client.listed("intro").count("attempts") == 2)
    }

    @Test("T7: restarted after the window")
    func window() throws {
        let time = try left()
        try time.advance(Self.week + 1)
        #expect(try time.client.startTour("intro").step.text("id") == "s1")
    }

    @Test("T7: the wall clock decides, and one that was set back counts as no time at all")
    func wallClock() throws {
        let time = try left([("resume_window", .uint64(60_000))])
        let clock = TestClock(time.client.connection)
        try clock.setWall(microseconds: 1_000_000)
        let resumed = try time.client.startTour("intro")
        #expect(resumed.step.text("id") == "s3")
        try time.client.finish(resumed.run, "released")
        try clock.setWall(microseconds: 1_000_000 + 60_001_000)
        #expect(try time.client.startTour("intro").step.text("id") == "s1")
    }

    @Test("T1, scenario 23: the update removes the step at which it was left, and adds one")
    func update() throws {
        let time = try left()
        try time.client.define("intro", ["s1", "s2", "s4", "s5", "s6"])
        let start = try time.client.startTour("intro")
        #expect(start.step.text("id") == "s4" && start.step.count("index") == 2 && start.step.count("count") == 5)
    }

    @Test("T7, G2: three deaths, and it is abandoned")
    func abandoned() throws {
        let time = try TimedDaemon()
        try time.client.watchTours()
        try time.client.define("intro", Self.five)
        for death in 1...3 {
            let owner = try Client(on: time.bus)
            #expect(try owner.startTour("intro").show)
            owner.connection.close()
            try Await.until("death \(death)", on: time.client.loop) { time.client.tourEvents().count == death }
        }
        #expect(time.client.tourEvents().last == "Finished abandoned [s1]")
        #expect(try time.client.startTour("intro").reason == "abandoned")
        #expect(try time.client.listed("intro").text("state") == "finished")
    }

    @Test("S1: kill -9 of the daemon under a live run: it goes on with its number, step and sequence")
    func daemonKilled() throws {
        let time = try TimedDaemon()
        try time.client.define("intro", Self.five)
        let start = try time.client.startTour("intro")
        let second = try time.client.next(start.run, start.step)
        for _ in 1...3 {
            try time.daemon.kill9()
            try time.daemon.restart()
        }
        let other = try Client(on: time.bus)
        #expect(try other.startTour("intro").reason == "busy")
        #expect(try time.client.next(start.run, start.step).flag("stale") == true)
        let third = try time.client.next(start.run, second)
        #expect(third.text("id") == "s3" && third.number("sequence") == 3)
        #expect(try time.client.listed("intro").count("attempts") == 1)
        // Who presents it is missed after the restart, too.
        try other.watchTours()
        time.client.connection.close()
        try other.waitForTour("Finished released [s1 s2 s3]")
        #expect(try other.startTour("intro").step.text("id") == "s3")
    }

    @Test("S1, T7: an owner that left while the daemon was away: suspended, an attempt")
    func ownerGoneMeanwhile() throws {
        let time = try TimedDaemon()
        try time.client.define("intro", Self.five)
        let owner = try Client(on: time.bus)
        let start = try owner.startTour("intro")
        try owner.next(start.run, start.step)
        try time.daemon.kill9()
        owner.connection.close()
        try time.daemon.restart()
        #expect(try time.client.listed("intro").text("state") == "suspended")
        let again = try time.client.startTour("intro")
        #expect(again.show && again.run > start.run && again.step.text("id") == "s2")
        #expect(try time.client.listed("intro").count("attempts") == 2)
    }

    @Test("S1, G2: another bus, as after a logout, where the same names are others': suspended, no attempt")
    func otherBus() throws {
        let time = try TimedDaemon()
        try time.client.define("intro", Self.five)
        let start = try time.client.startTour("intro")
        try time.client.next(start.run, start.step)
        try time.daemon.kill9()
        let bus = try PrivateBus()
        let daemon = try Daemon(on: bus, store: time.daemon.store)
        defer { withExtendedLifetime(daemon) {} }
        let client = try Client(on: bus)
        let listed = try client.listed("intro")
        #expect(listed.text("state") == "suspended" && listed.count("attempts") == 0)
        #expect(try client.error { try client.finish(start.run, "completed") }?.name == ErrorNames.notFound)
        #expect(try client.startTour("intro").step.text("id") == "s2")
    }

    @Test("on_owner_lost keep: the run goes on without its owner, for another process; an hour without a call ends it")
    func kept() throws {
        let time = try TimedDaemon()
        try time.client.watchTours()
        try time.client.define("intro", Self.five)
        let owner = try Client(on: time.bus)
        let start = try owner.startTour("intro", [("on_owner_lost", .string("keep"))])
        owner.connection.close()
        let other = try Client(on: time.bus)
        try other.drain()
        let step = try other.next(start.run, start.step)
        #expect(step.text("id") == "s2" && step.text("state") == "presenting")
        try time.advance(60 * 60 * 1000 - 1)
        #expect(time.client.tourEvents() == ["StepChanged s2 1/5 #2"])
        try time.advance(1)
        try time.client.waitForTour("Finished released [s1 s2]")
        #expect(try time.client.listed("intro").text("state") == "suspended")
    }

    @Test("on_owner_lost keep: an hour without any call since Start ends it too")
    func keptAndForgotten() throws {
        let time = try TimedDaemon()
        try time.client.watchTours()
        try time.client.define("intro", Self.five)
        let owner = try Client(on: time.bus)
        _ = try owner.startTour("intro", [("on_owner_lost", .string("keep"))])
        owner.connection.close()
        try time.advance(60 * 60 * 1000)
        try time.client.waitForTour("Finished released [s1]")
    }

    @Test("T3, S1: kill -9 right after the answer of the last Next: completed for good")
    func durable() throws {
        let time = try TimedDaemon()
        try time.client.define("intro", ["s1"])
        let start = try time.client.startTour("intro")
        #expect(try time.client.next(start.run, start.step).text("outcome") == "completed")
        try time.daemon.kill9()
        try time.daemon.restart()
        #expect(try time.client.startTour("intro").reason == "seen")
        let later = try time.client.finish(start.run, "dismissed")
        #expect(later.text("outcome") == "completed" && later.flag("changed") == false)
    }
}
