import DBusTypes
import DefaultsInterface
import LibDBus
import Support
import Testing

@Suite("Tours: from step to step")
struct ToursWalkTests {
    private typealias Members = ToursInterface
    private static let five = ["s1", "s2", "s3", "s4", "s5"]

    private let bus: PrivateBus
    private let daemon: Daemon
    private let client: Client

    init() throws {
        bus = try PrivateBus()
        daemon = try Daemon(on: bus)
        client = try Client(on: bus)
    }

    @Test("A tour is walked through; presenter and watchers are told of each step, once each")
    func walk() throws {
        let watcher = try Client(on: bus)
        try watcher.watchTours()
        try client.watchTours()
        #expect(try client.define("intro", Self.five) == true)
        let start = try client.startTour("intro")
        #expect(start.show && start.reason.isEmpty && start.run > 0)
        #expect(start.step.text("id") == "s1" && start.step.count("index") == 0 && start.step.count("count") == 5)
        #expect(start.step.flag("is_first") == true && start.step.flag("is_last") == false)
        #expect(start.step.text("state") == "presenting" && start.step.flag("stale") == false)
        var step = start.step
        for _ in Self.five { step = try client.next(start.run, step) }
        #expect(step.text("state") == "finished" && step.text("outcome") == "completed" && step.flag("is_last") == true)
        let events = [
            "StepChanged s2 1/5 #2", "StepChanged s3 2/5 #3", "StepChanged s4 3/5 #4", "StepChanged s5 4/5 #5",
            "Finished completed [s1 s2 s3 s4 s5]",
        ]
        try watcher.waitForTour("Finished completed [s1 s2 s3 s4 s5]")
        try client.drain()
        #expect(watcher.tourEvents() == events && client.tourEvents() == events)
        #expect(try client.startTour("intro").reason == "seen")
    }

    @Test("Scenario 23, T2: a double tap, from two windows at once, advances once", arguments: 0..<20)
    func doubleTap(_ round: Int) throws {
        try client.define("intro", Self.five)
        let start = try client.startTour("intro")
        let window = try Client(on: bus)
        let arguments: [Value] = [.uint64(start.run), .string("s1"), .uint64(1)]
        let taps = [
            client.begin(Members.name, Members.next, arguments[0], arguments[1], arguments[2]),
            window.begin(Members.name, Members.next, arguments[0], arguments[1], arguments[2]),
            client.begin(Members.name, Members.next, arguments[0], arguments[1], arguments[2]),
        ]
        try client.finish(taps[0], taps[2])
        try window.finish(taps[1])
        let steps = try taps.map { try #require(try $0.result?.get().first?.dictionary) }
        #expect(steps.allSatisfy { $0.text("id") == "s2" && $0.number("sequence") == 2 })
        #expect(steps.count { $0.flag("changed") == true } == 1)
        #expect(steps.count { $0.flag("stale") == true } == 2)
        try client.drain()
        #expect(client.tourEvents() == ["StepChanged s2 1/5 #2"])
    }

    @Test("Scenario 24, T3, T4: nope is NotFound, Back on the first changes nothing, no steps are refused")
    func edges() throws {
        try client.define("intro", Self.five)
        let run = try client.startTour("intro").run
        #expect(try client.error { try client.step(Members.goTo, run, .string("nope")) }?.name == ErrorNames.notFound)
        let still = try client.step(Members.back, run)
        #expect(still.text("id") == "s1" && still.flag("changed") == false && still.number("sequence") == 1)
        #expect(try client.step(Members.goTo, run, .string("s5")).text("id") == "s5")
        #expect(try client.next(run, client.step(Members.goTo, run, .string("s5"))).text("outcome") == "completed")
        #expect(try client.finish(run, "dismissed").text("outcome") == "completed")
        try client.drain()
        #expect(client.tourEvents() == ["StepChanged s5 4/5 #2", "Finished completed [s1 s5]"])
        #expect(try client.error { try client.define("none", []) }?.name == ErrorNames.invalidArgument)
        let twice = try client.error { try client.define("twice", ["a", "b", "a"]) }
        #expect(twice?.name == ErrorNames.invalidArgument && twice?.message.contains("steps[2].id") == true)
        #expect(try client.listed("none").entries.isEmpty && client.listed("twice").entries.isEmpty)
    }

    @Test("Scenario 25, T5: a step that can't be shown is passed over; none can: unavailable, and due again")
    func unavailable() throws {
        try client.define("intro", ["s1", "s2", "s3"])
        let first = try client.startTour("intro").run
        #expect(try client.step(Members.stepUnavailable, first, .string("s1")).text("id") == "s2")
        try client.step(Members.goTo, first, .string("s3"))
        try client.step(Members.back, first)
        #expect(try client.step(Members.stepUnavailable, first, .string("s2")).text("id") == "s1")
        try client.finish(first, "released")
        try client.tours(Members.reset, .string(tourApp), .string("intro"))
        let second = try client.startTour("intro").run
        for step in ["s1", "s2"] { try client.step(Members.stepUnavailable, second, .string(step)) }
        let end = try client.step(Members.stepUnavailable, second, .string("s3"))
        #expect(end.text("outcome") == "unavailable" && end.text("state") == "finished")
        #expect(try client.startTour("intro").step.text("id") == "s1")
        #expect(try client.listed("intro").count("attempts") == 2)
    }

    @Test("G4: other attributes reach the presenter while it presents, other steps wait for the next run")
    func attributes() throws {
        try client.define("intro", ["a", "b"])
        let run = try client.startTour("intro").run
        let other = try Client(on: bus)
        try other.define("intro", ["a", "c"], [("attributes", .vardict([("colour", .string("red"))]))])
        try client.waitForTour("Changed a")
        let step = try client.step(Members.goTo, run, .string("b"))
        #expect(step["attributes"] == .vardict([("colour", .string("red"))]))
    }

    @Test("Calls with wrong arguments name them, and nothing happens")
    func wrongCalls() throws {
        try client.define("intro", Self.five)
        let run = try client.startTour("intro").run
        #expect(try client.error { try client.finish(run, "seen") }?.name == ErrorNames.invalidArgument)
        #expect(try client.error { try client.finish(run + 1, "completed") }?.name == ErrorNames.notFound)
        #expect(try client.error { try client.startTour("nope") }?.name == ErrorNames.notFound)
        #expect(try client.error { try client.startTour("intro", of: "global") }?.name == ErrorNames.invalidName)
        #expect(
            try client.error { try client.startTour("intro", [("replays", .boolean(true))]) }?.name
                == ErrorNames.invalidArgument)
        #expect(try client.listed("intro").text("state") == "presenting")
        try client.tours(Members.remove, .string(tourApp), .string("intro"))
        #expect(
            try client.error { try client.tours(Members.remove, .string(tourApp), .string("intro")) }?.name
                == ErrorNames.notFound)
        #expect(try client.finish(run, "completed").text("outcome") == "released")
    }
}
