import DBusTypes
import DefaultsInterface
import LibDBus
import Support
import Testing

@Suite("Tours: one at a time")
struct ToursStageTests {
    private typealias Members = ToursInterface
    private static let other = "org.example.Other"

    private let time: TimedDaemon
    private var client: Client { time.client }

    init() throws { time = try TimedDaemon() }

    @Test("Scenario 26, S1: two applications' tours at once: one is shown; its holder dies: the next may")
    func twoApps() throws {
        try client.define("intro", ["a"])
        try client.define("hello", ["x"], of: Self.other)
        let first = try Client(on: time.bus)
        let second = try Client(on: time.bus)
        let replies = [first.beginTour("intro"), second.beginTour("hello", of: Self.other)]
        try first.finish(replies[0])
        try second.finish(replies[1])
        let starts = try replies.map { try Client.started(try #require($0.result).get()) }
        #expect(starts.count(where: \.show) == 1)
        let busy = try #require(starts.first { !$0.show })
        #expect(busy.reason == "busy" && busy.run == 0 && busy.step.text("state") == "new")
        let (holder, waiting) = starts[0].show ? (first, second) : (second, first)
        try client.watchTours(of: starts[0].show ? tourApp : Self.other)
        holder.connection.close()
        try client.waitForTour("Finished released [\(starts[0].show ? "a" : "x")]")
        let next = starts[0].show ? try waiting.startTour("hello", of: Self.other) : try waiting.startTour("intro")
        #expect(next.show && next.run > 0)
    }

    @Test("Recipe 5: tours of two screens of one application never collide")
    func twoScreens() throws {
        try client.define("home", ["s1", "s2"])
        try client.define("settings", ["s1", "s2", "s3"])
        let home = try client.startTour("home")
        #expect(try client.startTour("settings").reason == "busy")
        try client.next(home.run, home.step)
        try client.finish(home.run, "released")
        let settings = try client.startTour("settings")
        #expect(settings.show && settings.step.text("id") == "s1" && settings.step.count("count") == 3)
        try client.finish(settings.run, "completed")
        #expect(try client.startTour("settings").reason == "seen")
        let again = try client.startTour("home")
        #expect(again.show && again.step.text("id") == "s2")
        try client.define("settings", ["s1"], [("revision", .uint32(2))])
        #expect(try client.listed("home").count("revision") == 1)
        #expect(try client.listed("home").text("state") == "presenting")
    }

    @Test("S1: ten minutes of silence cost the stage, not the step, and no attempt")
    func silent() throws {
        try client.define("intro", ["a", "b", "c"])
        try client.define("hello", ["x"], of: Self.other)
        let start = try client.startTour("intro")
        let second = try Client(on: time.bus)
        try client.next(start.run, start.step)
        try time.advance(10 * 60 * 1000 - 1)
        #expect(try second.startTour("intro").reason == "busy")
        try time.advance(1)
        let hello = try second.startTour("hello", of: Self.other)
        #expect(hello.show)
        try second.finish(hello.run, "completed")
        let taken = try second.startTour("intro")
        #expect(taken.show && taken.step.text("id") == "b" && taken.run > start.run)
        try client.waitForTour("Finished released [a b]")
        #expect(try client.next(start.run, taken.step).text("state") == "released")
        #expect(try client.listed("intro").count("attempts") == 1)
    }

    @Test("S1: ten minutes of silence since Start cost the stage too")
    func silentFromTheStart() throws {
        try client.define("intro", ["a", "b"])
        let start = try client.startTour("intro")
        try time.advance(10 * 60 * 1000)
        let taken = try client.startTour("intro")
        #expect(taken.show && taken.run > start.run && taken.step.text("id") == "a")
    }

    @Test("Scenario 29, G9: a replay of a finished tour, aborted, leaves its record as it was")
    func replay() throws {
        try client.define("intro", ["a", "b"])
        try client.finish(try client.startTour("intro").run, "completed")
        let record = try client.listed("intro")
        let replay = try client.startTour("intro", [("replay", .boolean(true))])
        #expect(replay.show && replay.step.text("id") == "a")
        try client.next(replay.run, replay.step)
        try client.finish(replay.run, "failed")
        let window = try Client(on: time.bus)
        #expect(try window.startTour("intro", [("replay", .boolean(true))]).show)
        try client.watchTours()
        window.connection.close()
        try client.waitForTour("Finished released [a]")
        #expect(try client.listed("intro") == record)
        #expect(try client.startTour("intro").reason == "seen")
    }

    @Test("S2: an inhibitor holds tours back, and dies with its holder")
    func inhibited() throws {
        try client.define("intro", ["a"])
        let film = try Client(on: time.bus)
        try film.call(AdminInterface.name, AdminInterface.inhibit, .string("a film"))
        #expect(try client.startTour("intro").reason == "inhibited")
        film.connection.close()
        try client.ask("the tour, once the film is over") { try client.startTour("intro").show }
    }
}
