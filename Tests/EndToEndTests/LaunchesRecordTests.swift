import DBusTypes
import DefaultsInterface
import LibDBus
import Support
import Testing

@Suite("Launches: what a launch is")
struct LaunchesRecordTests {
    /// Records each version from a connection of its own, as programs do that start one after the other.
    private func recordAll(_ versions: [String], on bus: PrivateBus) throws -> [String] {
        try versions.map { try Client(on: bus).record($0).launchWords }
    }

    @Test("The first launch: every entry is there, with its type and the test clock's time")
    func firstLaunch() throws {
        let time = try TimedDaemon()
        try TestClock(time.client.connection).setWall(microseconds: 1_234_567_890)
        let launch = try time.client.record("1.2.3")
        let wanted: [(String, Value)] = [
            ("kind", .string("first")), ("significance", .string("")), ("owner", .boolean(true)), ("revisit", .boolean(false)),
            ("version", .string("1.2.3")), ("previous_version", .string("")), ("highest_version", .string("1.2.3")),
            ("first_version", .string("1.2.3")), ("launches", .uint64(1)), ("launches_of_version", .uint64(1)),
            ("first_launch", .int64(1_234_567_890)), ("previous_launch", .int64(0)), ("pending", .array([String]())),
        ]
        #expect(launch == DictionaryValue(wanted))
    }

    @Test("L2: a connection that asks again gets the same answer, and isn't counted twice; also without waiting")
    func sticky() throws {
        let time = try TimedDaemon()
        let (one, two) = (time.client.beginRecord("1.0"), time.client.beginRecord("1.0"))
        try time.client.finish(one, two)
        let launch = try #require(try one.result?.get().first?.dictionary)
        #expect(launch.launchWords == "first owner")
        #expect(try two.result?.get().first?.dictionary == launch)
        #expect(try time.client.record("1.0") == launch)
        #expect(try time.client.record("1.0.0") == launch, "equal by V2")
        #expect(try time.client.query().number("launches") == 1)
        let other = try Client(on: time.bus).record("1.0")
        #expect(other.launchWords == "same" && other.number("launches") == 2 && other.number("launches_of_version") == 2)
        // What others did meanwhile doesn't change it.
        #expect(try time.client.record("1.0") == launch)
        #expect(try time.client.record("1.1").launchWords == "upgrade minor owner")
    }

    @Test(
        "L3, scenario 19: existing_user or baseline_version and no record: adopted, not first",
        arguments: [
            ("existing_user", Value.boolean(true)), ("baseline_version", .string("1.4")),
        ])
    func adopted(entry: (String, Value)) throws {
        let bus = try PrivateBus()
        let daemon = try Daemon(on: bus)
        let launch = try Client(on: bus).record("2.0", [entry])
        #expect(launch.launchWords == "adopted owner" && launch.text("first_version") == "2.0")
        // Only at the first launch on record do these mean anything.
        #expect(try Client(on: bus).record("2.0", [entry]).launchWords == "same")
        #expect(daemon.process.poll() == nil)
    }

    @Test("Scenario 18, L5: 6.2.0 → 6.3.80-dev → 6.3.0 is an upgrade, no revisit; 2.0.0 → 2.1.0-beta → 2.0.0 a downgrade")
    func prereleases() throws {
        let bus = try PrivateBus()
        let daemon = try Daemon(on: bus)
        #expect(
            try recordAll(["6.2.0", "6.3.80-dev", "6.3.0"], on: bus) == [
                "first owner", "upgrade minor owner", "upgrade minor owner",
            ])
        #expect(try Client(on: bus).query().text("highest_version") == "6.3.0")
        try Client(on: bus).launches(LaunchesInterface.forget, .string(launchApp))
        #expect(
            try recordAll(["2.0.0", "2.1.0-beta", "2.0.0"], on: bus) == [
                "first owner", "upgrade minor owner", "downgrade minor owner",
            ])
        #expect(daemon.process.poll() == nil)
    }

    @Test("Scenario 18, L4: 2.1 → 1.5 → 2.1: a downgrade with nothing pending, then an upgrade that revisits")
    func downgradeAndBack() throws {
        let bus = try PrivateBus()
        let daemon = try Daemon(on: bus)
        #expect(try recordAll(["2.1", "1.5"], on: bus) == ["first owner", "downgrade major owner"])
        let down = try Client(on: bus).query()
        #expect(down.text("highest_version") == "2.1" && down["pending"] == .array([String]()))
        #expect(
            try recordAll(["2.1", "2.2"], on: bus) == ["upgrade major owner revisit", "upgrade minor owner"])
        #expect(daemon.process.poll() == nil)
    }

    @Test("Scenario 20: 1.7 → 1.10 is an upgrade, though \"1.10\" sorts before \"1.7\"")
    func numbersNotText() throws {
        let bus = try PrivateBus()
        let daemon = try Daemon(on: bus)
        #expect(try recordAll(["1.7", "1.10"], on: bus) == ["first owner", "upgrade minor owner"])
        #expect(daemon.process.poll() == nil)
    }

    @Test("L6: a wall clock in 1970 or in 2096 changes no decision; History keeps the order of recording")
    func clockDecidesNothing() throws {
        let time = try TimedDaemon()
        let clock = TestClock(time.client.connection)
        let steps: [(String, Int64)] = [("1.0", 4_000_000_000_000_000), ("1.1", 0), ("1.2", -1), ("1.1", 1_000)]
        let words = try steps.map { version, wall in
            try clock.setWall(microseconds: wall)
            return try Client(on: time.bus).record(version).launchWords
        }
        #expect(words == ["first owner", "upgrade minor owner", "upgrade minor owner", "downgrade minor owner"])
        let history = try time.client.history()
        #expect(
            history == [
                [.string("1.1"), .int64(0), .int64(1_000), .uint64(2)], [.string("1.2"), .int64(-1), .int64(-1), .uint64(1)],
                [.string("1.0"), .int64(4_000_000_000_000_000), .int64(4_000_000_000_000_000), .uint64(1)],
            ])
        let launch = try time.client.query()
        #expect(launch["previous_launch"] == .int64(-1) && launch["first_launch"] == .int64(4_000_000_000_000_000))
    }

    @Test("History keeps 64 versions, the latest first")
    func longHistory() throws {
        let time = try TimedDaemon()
        for minor in 0..<70 { try time.client.record("1.\(minor)") }
        let versions = try time.client.history().compactMap { $0.first?.get(as: String.self) }
        #expect(versions == (6..<70).reversed().map { "1.\($0)" })
        #expect(try time.client.query().number("launches") == 70)
    }

    @Test("Query and History of an app that never recorded: NotFound naming it, and no rows; asking records nothing")
    func neverRecorded() throws {
        let time = try TimedDaemon()
        let error = try #require(try time.client.error { try time.client.query() })
        #expect(error.name == ErrorNames.notFound && error.message.contains(launchApp))
        #expect(try time.client.history().isEmpty)
        #expect(try time.client.record("1.0").launchWords == "first owner")
    }

    @Test("Query tells the last launch, owner false, and counts nothing")
    func query() throws {
        let time = try TimedDaemon()
        try time.client.record("1.0")
        let launch = try Client(on: time.bus).record("1.1")
        for _ in 0..<3 { #expect(try time.client.query().launchWords == "upgrade minor") }
        #expect(try time.client.query().number("launches") == 2)
        #expect(launch.text("previous_version") == "1.0")
    }

    @Test("Forget: launches and flags go, sticky answers too, the app's preferences stay")
    func forget() throws {
        let time = try TimedDaemon()
        try time.client.set(launchApp, "theme", .string("dark"))
        try time.client.record("1.0")
        _ = try time.client.once("hint")
        #expect(try time.client.launches(LaunchesInterface.forget, .string(launchApp)).isEmpty)
        #expect(try time.client.error { try time.client.query() }?.name == ErrorNames.notFound)
        #expect(try time.client.flags().isEmpty && time.client.history().isEmpty)
        #expect(try time.client.get(launchApp, "theme") == .string("dark"))
        #expect(try time.client.record("1.0").launchWords == "first owner")
        #expect(try time.client.once("hint"))
        // Another app's are its own.
        #expect(try time.client.record("1.0", app: "org.example.Other").launchWords == "first owner")
    }

    @Test("Recorded goes to those who watch the app, after the reply, and to no one else; an answer told again signals nothing")
    func recordedSignal() throws {
        let time = try TimedDaemon()
        let (watcher, other) = (try Client(on: time.bus), try Client(on: time.bus))
        try watcher.preferences(PreferencesInterface.watch, .string(launchApp))
        try other.preferences(PreferencesInterface.watch, .string("org.example.Other"))
        try time.client.preferences(PreferencesInterface.watch, .string(launchApp))
        let reply = time.client.beginRecord("1.0")
        try time.client.finish(reply)
        try time.client.drain()
        try watcher.drain()
        try other.drain()
        let launch = try #require(try reply.result?.get().first)
        #expect(reply.position == 0)
        for client in [time.client, watcher] {
            #expect(client.signals.map(\.member) == [LaunchesInterface.recorded])
            #expect(client.signals.first?.arguments == [.string(launchApp), launch])
        }
        #expect(other.signals.isEmpty)
        try time.client.record("1.0")
        try watcher.drain()
        #expect(watcher.signals.count == 1)
        try watcher.preferences(PreferencesInterface.unwatch, .string(launchApp))
        try time.client.record("1.1")
        try watcher.drain()
        #expect(watcher.signals.count == 1)
    }

    @Test("What is no application, and options that are unknown or of the wrong type, are named in the error")
    func badInput() throws {
        let time = try TimedDaemon()
        for app in [
            "", "global", "noDots", "org..x", ".org.x", "org.x.", "org.ex ample", String(repeating: "a.", count: 128) + "a",
        ] {
            let error = try #require(try time.client.error { try time.client.record("1.0", app: app) })
            #expect(error.name == ErrorNames.invalidName, "\(app)")
            #expect(try time.client.error { try time.client.query(app) }?.name == ErrorNames.invalidName)
        }
        let wrong: [(String, Value)] = [
            ("scheme", .string("semver")), ("scheme", .uint32(1)), ("existing_user", .string("yes")),
            ("baseline_version", .double(1.4)), ("existing", .boolean(true)),
        ]
        for entry in wrong {
            let error = try #require(try time.client.error { try time.client.record("1.0", [entry]) })
            #expect(error.name == ErrorNames.invalidArgument && error.message.contains(entry.0), "\(entry)")
        }
        for arguments: [Value] in [[], [.string(launchApp)], [.string(launchApp), .double(1), .vardict([])]] {
            let error = try time.client.error {
                try time.client.connection.call(
                    WellKnown.busName, WellKnown.rootPath, LaunchesInterface.name, LaunchesInterface.record, arguments)
            }
            #expect(error?.name == .invalidArgs)
        }
        #expect(try time.client.error { try time.client.query() }?.name == ErrorNames.notFound)
    }
}
