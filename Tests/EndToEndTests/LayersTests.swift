import DBusTypes
import DefaultsInterface
import Support
import Testing

@Suite("Layers, from files and over the bus")
struct LayersTests {
    private let bus: PrivateBus
    private let app = "org.example.App"

    init() throws { bus = try PrivateBus() }

    @Test("P1: later folders beat earlier, in a folder later names; all layers in their order, and taken away from the top")
    func order() throws {
        let early = ConfigurationFolder(bus)
        let late = ConfigurationFolder(bus, "late")
        try early.replace(
            "mandatory.d/a.json", #"{"org.example.App": {"k": "mandatory app"}, "global": {"k": "mandatory global"}}"#)
        try early.replace("defaults.d/99.json", #"{"org.example.App": {"k": "beaten", "n": 1}}"#)
        try late.replace("defaults.d/10.json", #"{"org.example.App": {"k": "machine app", "n": 2, "m": 1}}"#)
        try late.replace("defaults.d/20.json", #"{"org.example.App": {"m": 2}, "global": {"k": "machine global"}}"#)
        try late.replace("defaults.d/30.json~", #"{"org.example.App": {"m": 3}}"#)
        try late.replace("apps/org.example.App.json", #"{"preferences": {"k": {"type": "s", "default": "manifest"}}}"#)
        let daemon = try Daemon(on: bus, arguments: ["--config=" + late.path])
        let client = try Client(on: bus)
        #expect(try client.get(app, "n") == .int64(2) && client.get(app, "m") == .int64(2))
        try client.preferences(
            PreferencesInterface.registerDefaults, .string(app), .vardict([("k", .string("registered"))]))
        #expect(try client.get(app, "k") == .string("mandatory app"))
        try client.watch(app)
        func seeing(_ value: Value, _ what: String) throws {
            try client.wait(for: 1, what) { $0.member == PreferencesInterface.changed }
            #expect(try client.get(app, "k") == value)
            client.forgetSignals()
        }
        try early.replace("mandatory.d/a.json", #"{"global": {"k": "mandatory global"}}"#)
        try seeing(.string("mandatory global"), "the mandatory value of global")
        try early.remove("mandatory.d/a.json")
        try seeing(.string("machine app"), "the machine value")
        try client.set("global", "k", .string("user global"))
        try client.set(app, "k", .string("user app"))
        #expect(try client.get(app, "k") == .string("user app"))
        try client.preferences(PreferencesInterface.reset, .string(app), .string("k"))
        #expect(try client.get(app, "k") == .string("user global"))
        try client.preferences(PreferencesInterface.reset, .string("global"), .string("k"))
        try client.drain()
        client.forgetSignals()
        try late.replace("defaults.d/10.json", "{}")
        // Without its own value there, the application's readers see global's; and what the first folder says is beaten no more.
        try seeing(.string("beaten"), "the machine value of the first folder")
        try early.remove("defaults.d/99.json")
        try seeing(.string("machine global"), "the machine value of global")
        try late.remove("defaults.d/20.json")
        try seeing(.string("registered"), "the registered value")
        try client.preferences(PreferencesInterface.unregisterDefaults, .string(app), .array(["k"]))
        #expect(try client.get(app, "k") == .string("manifest"))
        #expect(try daemon.terminate() == .exited(0))
    }

    @Test("Scenario 9, P2: a mandatory key is Locked by every write, the file unchanged; Reset is allowed")
    func locked() throws {
        let folder = ConfigurationFolder(bus)
        let text = #"{"org.example.App": {"k": 7}}"#
        let daemon = try Daemon(on: bus)
        let client = try Client(on: bus)
        try client.set(app, "k", .int64(1))
        try client.watch(app)
        try folder.replace("mandatory.d/a.json", text)
        try client.wait("the lock") { $0.member == PreferencesInterface.locksChanged }
        #expect(try client.get(app, "k") == .int64(7) && client.locked(app) == ["k"])
        let writes: [() throws -> [Value]] = [
            { try client.preferences(PreferencesInterface.set, .string(app), .string("k"), .variant(.int64(2))) },
            { try client.preferences(PreferencesInterface.setIfAbsent, .string(app), .string("k"), .variant(.int64(2))) },
            {
                try client.preferences(
                    PreferencesInterface.compareAndSet, .string(app), .string("k"), .variant(.int64(7)), .variant(.int64(2)))
            },
            { try client.preferences(PreferencesInterface.increment, .string(app), .string("k"), .int64(1)) },
            {
                try client.preferences(
                    PreferencesInterface.apply, .string(app), .vardict([("free", .int64(1)), ("k", .int64(2))]),
                    .array([String]()), .uint64(0))
            },
        ]
        for write in writes { #expect(try client.error(write)?.name == ErrorNames.locked) }
        #expect(try client.get(app, "free") == nil && client.get(app, "k") == .int64(7))
        #expect(try folder.text("mandatory.d/a.json") == text)
        try client.preferences(PreferencesInterface.reset, .string(app), .string("k"))
        try client.preferences(PreferencesInterface.resetDomain, .string(app))
        try daemon.kill9()
        try daemon.restart()
        let second = try Client(on: bus)
        #expect(try second.error { try second.set(app, "k", .int64(2)) }?.name == ErrorNames.locked)
        #expect(try second.get(app, "k") == .int64(7))
    }

    @Test("Scenario 15: a registered default is invisible in another domain, survives a restart, and Reset to it is silent")
    func registered() throws {
        let daemon = try Daemon(on: bus)
        let client = try Client(on: bus)
        try client.watch(app)
        try client.preferences(
            PreferencesInterface.registerDefaults, .string(app), .vardict([("a", .int32(1)), ("b", .int32(2))]))
        try client.preferences(PreferencesInterface.registerDefaults, .string(app), .vardict([("a", .int32(1))]))
        #expect(try client.get("org.example.Other", "a") == nil && client.get(app, "b") == .int32(2))
        try client.drain()
        #expect(client.signals(PreferencesInterface.changed).count == 1)
        try client.set(app, "a", .int32(1))
        try client.preferences(PreferencesInterface.reset, .string(app), .string("a"))
        try client.drain()
        #expect(client.signals(PreferencesInterface.changed).count == 1)
        try client.set(app, "a", .int32(5))
        try client.preferences(PreferencesInterface.reset, .string(app), .string("a"))
        try client.drain()
        #expect(client.signals(PreferencesInterface.changed).count == 3)
        try daemon.kill9()
        try daemon.restart()
        #expect(try Client(on: bus).get(app, "a") == .int32(1))
    }

    @Test("P13: a manifest's schema is enforced, and Describe tells it with every layer")
    func schema() throws {
        try ConfigurationFolder(bus).replace(
            "apps/org.example.App.json",
            #"{"preferences": {"size": {"type": "i", "default": 12, "minimum": 6, "maximum": 72, "summary": "Size"}}}"#)
        let daemon = try Daemon(on: bus)
        let client = try Client(on: bus)
        #expect(try client.get(app, "size") == .int32(12))
        #expect(try client.error { try client.set(app, "size", .int64(12)) }?.name == ErrorNames.typeMismatch)
        #expect(try client.error { try client.set(app, "size", .int32(73)) }?.name == ErrorNames.outOfRange)
        try client.set(app, "size", .int32(72))
        let described = try client.preferences(PreferencesInterface.describe, .string(app), .string("size")).first?.dictionary
        #expect(described?["value"] == .int32(72) && described?["layer"] == .string("user"))
        #expect(described?["default"] == .int32(12) && described?["summary"] == .string("Size"))
        #expect(described?["layers"]?.type.text == "a(ssv)")
        let error = try client.error {
            try client.preferences(PreferencesInterface.describe, .string(app), .string("none"))
        }
        #expect(error?.name == ErrorNames.noSuchKey)
        #expect(try client.preferences(PreferencesInterface.listDomains) == [.array([app])])
        #expect(try daemon.terminate() == .exited(0))
    }
}
