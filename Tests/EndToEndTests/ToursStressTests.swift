import DBusTypes
import DefaultsInterface
import LibDBus
import Support
import Testing

@Suite("Tours: many at once")
struct ToursStressTests {
    private typealias Members = ToursInterface

    @Test(
        "S1, T8: many windows of many applications, owners that die and a daemon that is killed: one tour at a time, none lost or doubled"
    )
    func stage() throws {
        var crowd = try Crowd(SeededGenerator(announcing: "ToursStressTests.stage"))
        for round in 0..<150 { try crowd.round(round) }
        try crowd.settle()
    }
}

/// Windows that start tours, and what must be true of them.
private struct Crowd {
    private static let apps = (0..<6).map { "org.example.Crowd\($0)" }
    private static let steps = ["s1", "s2", "s3"]

    private let bus: PrivateBus
    private let daemon: Daemon
    private let watcher: Client
    private var windows: [Client]
    private var random: SeededGenerator
    /// The run that has the stage, as the answers say, and whose it is.
    private var holder: (run: UInt64, app: String, window: Int, step: DictionaryValue)?
    private var highestRun: UInt64 = 0
    /// How many presentations of each application count as attempts.
    private var attempts: [String: Int] = [:]

    init(_ random: SeededGenerator) throws {
        self.random = random
        bus = try PrivateBus()
        daemon = try Daemon(on: bus)
        watcher = try Client(on: bus)
        for app in Self.apps { try watcher.define("intro", Self.steps, of: app, [("max_attempts", .uint32(0))]) }
        windows = try (0..<12).map { [bus] _ in try Client(on: bus) }
        try watch()
    }

    private func watch() throws { for app in Self.apps { try watcher.watchTours(of: app) } }

    private mutating func number(_ range: Range<Int>) -> Int { Int.random(in: range, using: &random) }

    mutating func round(_ number: Int) throws {
        try race()
        try walk()
        switch self.number(0..<8) {
        case 0..<4: try killHolder()
        case 4: try killDaemon()
        case 5: try finishHolder("released")
        case 6: try killBoth()
        default: break
        }
    }

    /// All windows ask at the same time: exactly one is shown where the stage is free, none where it isn't.
    private mutating func race() throws {
        let asked = windows.indices.map { ($0, Self.apps[number(0..<Self.apps.count)]) }
        let replies = asked.map { windows[$0.0].beginTour("intro", of: $0.1) }
        for (index, _) in asked { try windows[index].finish(replies[index]) }
        var shown: [(Int, String, StartedTour)] = []
        for (index, app) in asked {
            let start = try Client.started(try #require(replies[index].result).get())
            if start.show { shown.append((index, app, start)) } else { #expect(start.reason == "busy" && start.run == 0) }
        }
        #expect(shown.count == (holder == nil ? 1 : 0))
        guard let (window, app, start) = shown.first else { return }
        #expect(start.run > highestRun)
        highestRun = start.run
        attempts[app, default: 0] += 1
        holder = (start.run, app, window, start.step)
    }

    /// Two windows tap Next for the holder: it advances by one, or ends.
    private mutating func walk() throws {
        guard let (run, app, window, step) = holder, number(0..<3) > 0 else { return }
        let other = (window + 1) % windows.count
        let arguments: [Value] = [.uint64(run), step["id"] ?? .string(""), step["sequence"] ?? .uint64(0)]
        let taps = [windows[window], windows[other]].map {
            $0.begin(ToursInterface.name, ToursInterface.next, arguments[0], arguments[1], arguments[2])
        }
        try windows[window].finish(taps[0])
        try windows[other].finish(taps[1])
        let answers = try taps.map { try #require(try $0.result?.get().first?.dictionary) }
        #expect(answers.count { $0.flag("changed") == true } == 1)
        #expect(answers[0].text("id") == answers[1].text("id"))
        guard answers[0].text("state") == "presenting" else {
            #expect(answers[0].text("outcome") == "completed" && answers[1].text("outcome") == "completed")
            holder = nil
            // It is done: the next revision is another tour.
            try watcher.tours(ToursInterface.reset, .string(app), .string("intro"))
            attempts[app] = 0
            return
        }
        #expect(answers[0].number("sequence") == (step.number("sequence") ?? 0) + 1)
        holder?.step = answers[0]
    }

    private mutating func killHolder() throws {
        guard let (run, _, window, _) = holder else { return }
        windows[window].connection.close()
        try watcher.wait("the end of run \(run)") { $0.member == ToursInterface.finished && $0.run == run }
        windows[window] = try Client(on: bus)
        holder = nil
    }

    private mutating func finishHolder(_ outcome: String) throws {
        guard let (run, app, window, _) = holder else { return }
        #expect(try windows[window].finish(run, outcome).text("outcome") == outcome)
        attempts[app, default: 0] -= 1
        holder = nil
    }

    /// The run outlives the daemon while its owner lives.
    private mutating func killDaemon() throws {
        try daemon.kill9()
        try daemon.restart()
        try watch()
        guard let (run, _, window, step) = holder else { return }
        let still = try windows[window].step(ToursInterface.goTo, run, step["id"] ?? .string(""))
        #expect(still.text("state") == "presenting" && still.flag("changed") == false)
        #expect(still.number("sequence") == step.number("sequence"))
    }

    /// The owner dies while the daemon is away.
    private mutating func killBoth() throws {
        try daemon.kill9()
        if let (_, _, window, _) = holder {
            windows[window].connection.close()
            windows[window] = try Client(on: bus)
        }
        try daemon.restart()
        try watch()
        holder = nil
    }

    /// In the end each run has ended once, and every presentation was counted.
    mutating func settle() throws {
        try watcher.drain()
        let ended = watcher.signals.filter { $0.member == ToursInterface.finished }.compactMap(\.run)
        #expect(Set(ended).count == ended.count)
        for app in Self.apps {
            let listed = try watcher.listed("intro", of: app)
            #expect(listed.count("attempts").map(Int.init) == attempts[app, default: 0], "\(app)")
            #expect(listed.text("state") == (holder?.app == app ? "presenting" : listed.text("state")))
            #expect((listed.text("state") == "presenting") == (holder?.app == app))
        }
    }
}
