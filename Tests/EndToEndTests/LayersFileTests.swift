import DBusTypes
import DefaultsInterface
import Glibc
import Support
import Testing

@Suite("Configuration files change under a running daemon")
struct LayersFileTests {
    private let bus: PrivateBus
    private let folder: ConfigurationFolder
    private let app = "org.example.App"

    init() throws {
        bus = try PrivateBus()
        folder = ConfigurationFolder(bus)
    }

    @Test("P5: a file edited is exactly one Changed for each domain that moved, with an empty writer and one revision")
    func oneSignal() throws {
        try folder.replace("defaults.d/a.json", #"{"org.example.App": {"a": 1, "b": 1, "own": 1}, "global": {"g": 1}}"#)
        let daemon = try Daemon(on: bus)
        let client = try Client(on: bus)
        try client.set(app, "own", .string("mine"))
        for domain in [app, "org.example.Other", "org.example.Third"] { try client.watch(domain) }
        try client.set("org.example.Third", "g", .int64(0))
        try client.drain()
        client.forgetSignals()
        try folder.replace("defaults.d/a.json", #"{"org.example.App": {"a": 2, "own": 2, "c": 1}, "global": {"g": 2}}"#)
        try client.wait(for: 2, "the changes") { $0.member == PreferencesInterface.changed }
        // The same contents once more, and time for anything that would follow.
        try folder.replace("defaults.d/a.json", #"{"org.example.App": {"a": 2, "own": 2, "c": 1}, "global": {"g": 2}}"#)
        usleep(300_000)
        try client.drain()
        let revision = try #require(try client.revision(app))
        #expect(
            client.signals.map(\.arguments) == [
                [
                    .string(app), .vardict([("a", .int64(2)), ("c", .int64(1)), ("g", .int64(2))]), .array(["b"]),
                    .uint64(revision), .string(""),
                ],
                [
                    .string("org.example.Other"), .vardict([("g", .int64(2))]), .array([String]()), .uint64(revision),
                    .string(""),
                ],
            ])
        #expect(try daemon.terminate() == .exited(0))
    }

    @Test("P16: an editor that truncates first unlocks nothing; the fault is logged and told with line and column until mended")
    func truncated() throws {
        try folder.replace("mandatory.d/a.json", "{\"org.example.App\": {\"k\": 7}}")
        try folder.replace("mandatory.d/b.json", "{\"org.example.App\": {\"l\": 7}}")
        let daemon = try Daemon(on: bus)
        let client = try Client(on: bus)
        try client.watch(app)
        try folder.overwrite("mandatory.d/a.json", "{\"org.example.App\":\n {\"k\": ")
        let broken = "\(folder.path)/mandatory.d/a.json:2:"
        try Await.until("the report", on: client.loop) {
            usleep(20_000)
            return try client.policy()?["errors"]?.get(as: [String].self)?.contains { $0.hasPrefix(broken) } ?? false
        }
        #expect(daemon.log.contains(broken))
        #expect(try client.locked(app) == ["k", "l"] && client.get(app, "k") == .int64(7))
        // Nothing else is broken by it: the other file still changes.
        try folder.replace("mandatory.d/b.json", "{\"org.example.App\": {\"l\": 8}}")
        try client.wait("the other file's change") { $0.member == PreferencesInterface.changed }
        #expect(client.signals.count == 1)
        #expect(try client.error { try client.set(app, "k", .int64(1)) }?.name == ErrorNames.locked)
        try folder.overwrite("mandatory.d/a.json", "{}")
        try client.wait("the lock's end") { $0.member == PreferencesInterface.locksChanged }
        #expect(try client.locked(app) == ["l"] && client.get(app, "k") == nil)
        #expect(try client.policy()?["errors"] == .array([String]()))
        #expect(try client.policy()?["files"]?.get(as: [String].self)?.count == 2)
        #expect(try client.policy()?["onboarding"] == .string("allow"))
    }

    @Test("P16: a wrong entry is left out and told by its path, also at the start")
    func wrongEntry() throws {
        try folder.replace("defaults.d/a.json", #"{"org.example.App": {"good": 1, "bad": null}}"#)
        try folder.replace("apps/org.example.App.json", #"{"preferences": {"theme": {"type": "s", "choices": ["a", 1]}}}"#)
        let daemon = try Daemon(on: bus)
        let client = try Client(on: bus)
        #expect(try client.get(app, "good") == .int64(1) && client.get(app, "bad") == nil)
        let errors = try #require(try client.policy()?["errors"]?.get(as: [String].self))
        #expect(errors.count == 2)
        #expect(errors.contains { $0.contains("a.json: org.example.App.bad: ") })
        #expect(errors.contains { $0.contains("org.example.App.json: preferences.theme.choices[1]: ") })
        for error in errors { #expect(daemon.log.contains(error)) }
    }

    @Test("Folders that appear later, one after the other, are found; a folder that goes takes its values with it")
    func later() throws {
        let deep = ConfigurationFolder(bus, "not/yet/there")
        let daemon = try Daemon(on: bus, arguments: ["--config=" + deep.path])
        let client = try Client(on: bus)
        try client.watch(app)
        for element in ["not", "not/yet", "not/yet/there"] {
            #expect(mkdir(bus.folder + "/" + element, 0o755) == 0)
            usleep(20_000)
        }
        try deep.replace("defaults.d/a.json", #"{"org.example.App": {"k": 1}}"#)
        try client.wait("the value") { $0.member == PreferencesInterface.changed }
        #expect(try client.get(app, "k") == .int64(1))
        client.forgetSignals()
        #expect(rename(deep.path + "/defaults.d", bus.folder + "/gone") == 0)
        try client.wait("its end") { $0.member == PreferencesInterface.changed }
        #expect(try client.get(app, "k") == nil)
        #expect(try daemon.terminate() == .exited(0))
    }

    @Test("A restart with the same files keeps the revision; with other files it moves, and they are in effect at READY")
    func restart() throws {
        try folder.replace("defaults.d/a.json", #"{"org.example.App": {"k": 1}}"#)
        let daemon = try Daemon(on: bus)
        try Client(on: bus).set(app, "u", .int32(1))
        let before = try #require(try Client(on: bus).revision(app))
        try daemon.kill9()
        try daemon.restart()
        #expect(try Client(on: bus).revision(app) == before)
        #expect(try Client(on: bus).get(app, "k") == .int64(1))
        try daemon.terminate()
        try folder.replace("defaults.d/a.json", #"{"org.example.App": {"k": 2}}"#)
        try daemon.restart()
        #expect(try Client(on: bus).revision(app) == before + 1)
        #expect(try Client(on: bus).revision("org.example.Unheard") == before + 1)
        #expect(try Client(on: bus).get(app, "k") == .int64(2))
    }

    @Test("P16: a file or folder that the daemon has no right to read is read when it gets that", arguments: ["a.json", ""])
    func rights(name: String) throws {
        let daemon = try Daemon(on: bus)
        try daemon.kill9()
        try folder.replace("defaults.d/a.json", #"{"org.example.App": {"k": 1}}"#)
        let path = "\(folder.path)/defaults.d/\(name)"
        #expect(chmod(path, 0) == 0)
        // Root reads everything unless these two are taken from it.
        try daemon.restart(through: geteuid() == 0 ? ["setpriv", "--bounding-set=-dac_override,-dac_read_search"] : [])
        let client = try Client(on: bus)
        try client.watch(app)
        #expect(try client.get(app, "k") == nil)
        #expect(chmod(path, 0o755) == 0)
        try client.wait("the value") { $0.member == PreferencesInterface.changed }
        #expect(try client.get(app, "k") == .int64(1))
        #expect(try client.policy()?["errors"] == .array([String]()))
    }

    @Test("SIGHUP reads a file that inotify can't tell of: the target of a link")
    func reload() throws {
        let elsewhere = ConfigurationFolder(bus, "elsewhere")
        try elsewhere.overwrite("a.json", #"{"org.example.App": {"k": 1}}"#)
        try folder.replace("defaults.d/other.json", "{}")
        #expect(symlink(elsewhere.path + "/a.json", folder.path + "/defaults.d/a.json") == 0)
        let daemon = try Daemon(on: bus)
        let client = try Client(on: bus)
        try client.watch(app)
        try elsewhere.overwrite("a.json", #"{"org.example.App": {"k": 2}}"#)
        usleep(200_000)
        #expect(try client.get(app, "k") == .int64(1))
        daemon.process.send(SIGHUP)
        try client.wait("the value") { $0.member == PreferencesInterface.changed }
        #expect(try client.get(app, "k") == .int64(2))
    }
}
