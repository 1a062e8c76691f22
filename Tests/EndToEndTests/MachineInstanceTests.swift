import DBusTypes
import DefaultsInterface
import Glibc
import LibDBus
import Support
import Testing

@Suite("The machine instance: users kept apart", .enabled(if: Machine.isPossible, "two users take root"))
struct MachineInstanceTests {
    private typealias Members = CountdownInterface
    private let app = "org.example.App"

    @Test("P15: another user's countdown is no object: no call, property or Watch reaches it, and no list or tree shows it")
    func countdowns() throws {
        let machine = try Machine()
        let (path, _) = try machine.root.start("splash", [("duration", .uint64(3_600_000))])
        for member in [Members.ready, Members.pause, Members.resume, Members.skip, Members.cancel, Members.watch] {
            let result = try machine.nobody(Members.name, member, at: path)
            #expect(result.code == 1 && result.errors.contains("no object at \(path)"), "\(member): \(result)")
        }
        let extended = try machine.nobody(Members.name, Members.extend, "t", "1000", at: path)
        #expect(extended.code == 1 && extended.errors.contains("no object at \(path)"), "\(extended)")
        let property = try machine.asNobody(["get-property", "org.defaultsd1", path.text, Members.name.text, "State"])
        #expect(property.code == 1, "\(property)")
        #expect(try machine.nobody(CountdownsInterface.name, CountdownsInterface.list).output == "a(oa{sv}) 0\n")
        let tree = try machine.asNobody(["--list", "tree", "org.defaultsd1"])
        #expect(tree.code == 0 && tree.output.contains("/org/defaultsd1\n") && !tree.output.contains("splash"), "\(tree)")
        #expect(try machine.root.listCountdowns().map(\.path) == [path])
        #expect(try machine.root.properties(of: path).text("State") == "running")
        #expect(machine.root.events().allSatisfy { $0.hasPrefix("Tick ") })
    }

    @Test("P15: neither is root let in to another user's countdown by its own path")
    func countdownsOfOthers() throws {
        let machine = try Machine()
        let started = try machine.nobody(
            CountdownsInterface.name, CountdownsInterface.start, "sa{sv}", "mine", "2", "duration", "t", "3600000",
            "on_owner_lost", "s", "continue")
        let path = try #require(
            started.output.split(separator: "\"").first { $0.hasPrefix("/") }.flatMap { ObjectPath(String($0)) })
        #expect(try machine.root.error { try machine.root.countdown(Members.skip, at: path) }?.name == .unknownObject)
        #expect(try machine.root.listCountdowns().isEmpty)
        #expect(try machine.nobody(Members.name, Members.cancel, at: path).code == 0)
    }

    @Test("P15: preferences and launches are each user's own; a change of one is no signal for the other")
    func data() throws {
        let machine = try Machine()
        try machine.root.preferences(PreferencesInterface.watch, .string(app))
        try machine.root.set(app, "key", .string("own"))
        #expect(try machine.nobody(PreferencesInterface.name, PreferencesInterface.get, "ss", app, "key").code == 1)
        #expect(try machine.nobody(PreferencesInterface.name, PreferencesInterface.listDomains).output == "as 0\n")
        let set = try machine.nobody(PreferencesInterface.name, PreferencesInterface.set, "ssv", app, "key", "s", "other")
        #expect(set.code == 0, "\(set)")
        #expect(try machine.root.get(app, "key") == .string("own"))
        #expect(
            try machine.nobody(PreferencesInterface.name, PreferencesInterface.get, "ss", app, "key").output == "v s \"other\"\n")

        try machine.root.launches(LaunchesInterface.record, .string(app), .string("1.0"), .vardict([]))
        #expect(try machine.nobody(LaunchesInterface.name, LaunchesInterface.query, "s", app).code == 1)
        let recorded = try machine.nobody(LaunchesInterface.name, LaunchesInterface.record, "ssa{sv}", app, "2.0", "0")
        #expect(recorded.output.contains("\"kind\" s \"first\""), "\(recorded)")
        for first in [true, false] {
            let once = try machine.nobody(LaunchesInterface.name, LaunchesInterface.once, "ss", app, "welcome")
            #expect(once.output == "b \(first)\n", "\(once)")
        }
        #expect(try machine.root.launches(LaunchesInterface.once, .string(app), .string("welcome")) == [.boolean(true)])

        try machine.root.drain()
        let members = Set(machine.root.signals.filter { $0.path == WellKnown.rootPath }.map(\.member))
        #expect(members == [PreferencesInterface.changed, LaunchesInterface.recorded])
        #expect(machine.root.signals.count == 2)
        #expect(try machine.daemon.store.namesInFolder() == ["0", "\(try Machine.nobody())"])
    }

    @Test("C9: countdowns of every user with a store go on after kill -9, though no one calls")
    func restoredAtStart() throws {
        let machine = try Machine(arguments: ["--test-clock"])
        let (path, _) = try machine.root.start("splash", [("duration", .uint64(3_600_000))])
        let started = try machine.nobody(
            CountdownsInterface.name, CountdownsInterface.start, "sa{sv}", "mine", "2", "duration", "t", "1800000",
            "on_owner_lost", "s", "continue")
        #expect(started.code == 0, "\(started)")
        try machine.root.preferences(PreferencesInterface.synchronize)
        let nobody = machine.store(of: try Machine.nobody())
        let commits = try CommitCounter.read(nobody)
        try machine.daemon.kill9()
        try machine.daemon.restart()
        machine.root.forgetSignals()
        // Nothing is called but the clock: the ticks and ends that follow are those of what was restored at start.
        try TestClock(machine.root.connection).advance(milliseconds: 3_600_000)
        #expect(try machine.root.waitForEnd(of: path).suffix(2) == ["Tick 0 0 0", "Finished elapsed 0"])
        try machine.root.ask("the end of nobody's countdown, forgotten on disk") { try CommitCounter.read(nobody) == commits + 1 }
        #expect(try machine.nobody(CountdownsInterface.name, CountdownsInterface.list).output == "a(oa{sv}) 0\n")
    }

    @Test("C8, C9: whose owner left while the daemon was away ends at start, for each user")
    func ownersGone() throws {
        let machine = try Machine()
        let owner = try Client(on: machine.bus)
        let (path, _) = try owner.start("splash", [("duration", .uint64(3_600_000))])
        let (kept, _) = try machine.root.start("kept", [("duration", .uint64(3_600_000))])
        try machine.daemon.kill9()
        owner.connection.close()
        try machine.daemon.restart()
        #expect(try machine.root.listCountdowns().map(\.path) == [kept])
        let error = try machine.root.error { try machine.root.countdown(Members.skip, at: path) }
        #expect(error?.name == ErrorNames.alreadyFinished && error?.message.contains("owner_lost") == true)
    }

    @Test("C9: with more stores than are opened at start, the rest is restored before its user's first call is answered")
    func restoredLater() throws {
        let machine = try Machine()
        try machine.root.set(app, "key", .string("value"))
        // Stores of others that have changed since, without a countdown in any.
        #expect(try machine.daemon.terminate() == .exited(0))
        let copies = "for user in $(seq 20001 20064); do cp -a \"$0/0\" \"$0/$user\"; done"
        #expect(
            try Command.run("sh", ["-c", copies, machine.daemon.store], environment: machine.bus.environment.variables).code == 0)
        try machine.daemon.restart()
        let (path, _) = try machine.root.start("splash", [("duration", .uint64(3_600_000))])
        try machine.daemon.kill9()
        let touch = "for user in $(seq 20001 20064); do touch \"$0/$user/commit\"; done"
        #expect(
            try Command.run("sh", ["-c", touch, machine.daemon.store], environment: machine.bus.environment.variables).code == 0)
        try machine.daemon.restart()
        #expect(!machine.daemon.holds(machine.store(of: 0)) && machine.daemon.holds(machine.store(of: 20_064)))
        #expect(try machine.root.countdown(Members.pause, at: path).text("state") == "paused")
        #expect(try machine.root.listCountdowns().map(\.path) == [path])
    }

    @Test("A store that can't be opened at start delays no one else, and is tried again when its user calls")
    func unreadableStore() throws {
        let machine = try Machine()
        let (path, _) = try machine.root.start("splash", [("duration", .uint64(3_600_000))])
        let nobody = machine.store(of: try Machine.nobody())
        #expect(try machine.nobody(PreferencesInterface.name, PreferencesInterface.set, "ssv", app, "key", "s", "v").code == 0)
        try machine.daemon.kill9()
        #expect(rename(nobody + "/lock", nobody + "/lock.away") == 0 && mkdir(nobody + "/lock", 0o700) == 0)
        try machine.daemon.restart()
        #expect(machine.daemon.log.contains("The store of user \(try Machine.nobody()) isn't open: "), "\(machine.daemon.log)")
        #expect(try machine.root.listCountdowns().map(\.path) == [path])
        let get = { try machine.nobody(PreferencesInterface.name, PreferencesInterface.get, "ss", app, "key") }
        #expect(try get().code == 1)
        #expect(rmdir(nobody + "/lock") == 0 && rename(nobody + "/lock.away", nobody + "/lock") == 0)
        #expect(try get().output == "v s \"v\"\n")
    }
}

extension Daemon {
    /// Whether its process has a file open in this folder.
    fileprivate func holds(_ folder: String) -> Bool {
        let descriptors = "/proc/\(process.identifier)/fd"
        return ((try? descriptors.namesInFolder()) ?? []).contains { name in
            var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
            let count = readlink(descriptors + "/" + name, &buffer, buffer.count)
            let target = buffer.prefix(max(count, 0)).map(UInt8.init(bitPattern:))
            return String(decoding: target, as: UTF8.self).hasPrefix(folder + "/")
        }
    }
}
