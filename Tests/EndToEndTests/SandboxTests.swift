import DBusTypes
import DefaultsInterface
import Glibc
import LibDBus
import Support
import Testing

@Suite("Applications in sandboxes on the session bus", .enabled(if: SandboxRoot.isPossible, "another root takes root"))
struct SandboxTests {
    private typealias Members = PreferencesInterface
    private static let own = "org.example.Boxed"
    private static let other = "org.example.App"

    private let bus: PrivateBus
    private let daemon: Daemon
    private let client: Client
    private let app: SandboxedApp

    init() throws {
        bus = try PrivateBus()
        daemon = try Daemon(on: bus, arguments: ["--test-clock"])
        client = try Client(on: bus)
        app = try SandboxedApp(Self.own, on: bus)
        try client.set(Self.other, "key", .string("secret"))
        try client.set("global", "theme", .string("dark"))
    }

    @Test("P15: a sandboxed application reads and writes its own domain, and reads global")
    func ownDomain() throws {
        let set = try app.preferences(Members.set, "ssv", Self.own, "key", "s", "mine")
        #expect(set.code == 0, "\(set)")
        #expect(try client.get(Self.own, "key") == .string("mine"))
        #expect(try app.preferences(Members.get, "ss", Self.own, "theme").output == "v s \"dark\"\n")
        #expect(try app.preferences(Members.get, "ss", "global", "theme").output == "v s \"dark\"\n")
        #expect(try app.preferences(Members.getAll, "s", "global").output.contains("\"theme\" s \"dark\""))
        #expect(try app.preferences(Members.listDomains).output == "as 2 \"global\" \"\(Self.own)\"\n")
        #expect(try client.listDomains() == ["global", Self.other, Self.own])
        #expect(try app.preferences(Members.synchronize).code == 0)
        let launch = try app.call(LaunchesInterface.name, LaunchesInterface.record, ["ssa{sv}", Self.own, "1.0", "0"])
        #expect(launch.output.contains("\"kind\" s \"first\""), "\(launch)")
    }

    @Test("P15: its reads go by calls: Watch gives slot 0, and there is no generation page for it")
    func noPage() throws {
        let watched = try app.preferences(Members.watch, "s", Self.own)
        #expect(watched.code == 0 && watched.output.hasSuffix(" 0\n"), "\(watched)")
        #expect(try client.watch(Self.own)?.slot != 0)
        #expect(try app.preferences(Members.generations).isAccessDenied)
    }

    @Test("P15: no method of any interface takes another application's name, or writes global, from a sandbox")
    func everyMethod() throws {
        // What may be called is named here once more, so that a rule that opens too much shows.
        let open: Set<MemberName> = [
            Members.listDomains, Members.synchronize, CountdownsInterface.start, CountdownsInterface.list,
        ]
        let globalReaders: Set<MemberName> = [
            Members.get, Members.getAll, Members.listKeys, Members.listLocked, Members.describe, Members.watch, Members.unwatch,
        ]
        for interface in Interfaces.allWithTestClock where interface.name != CountdownInterface.name {
            // Whose a run is depends on the run, which runs() is about.
            for method in interface.methods where !open.contains(method.name) && method.inputs.first?.name != "run" {
                guard let words = method.words(Self.other), let globalWords = method.words("global") else { continue }
                let result = try app.call(interface.name, method.name, words)
                #expect(result.isAccessDenied, "\(interface.name).\(method.name): \(result)")
                if globalReaders.contains(method.name) { continue }
                let global = try app.call(interface.name, method.name, globalWords)
                #expect(global.code == 1 && !global.errors.isEmpty, "\(interface.name).\(method.name): \(global)")
            }
        }
        #expect(try client.get(Self.other, "key") == .string("secret"))
        #expect(try client.getAll("global") == ["theme": .string("dark")])
    }

    @Test("P15: nothing of Admin, Machine or TestClock is open to a sandbox, of its own application neither, and no property")
    func closedInterfaces() throws {
        #expect(try app.call(AdminInterface.name, AdminInterface.forget, ["s", Self.own]).isAccessDenied)
        #expect(try app.call(AdminInterface.name, AdminInterface.export, ["a{sv}", "0"]).isAccessDenied)
        let words = ["ssv", Self.own, "key", "s", "value"]
        #expect(try app.call(MachineInterface.name, MachineInterface.setDefault, words).isAccessDenied)
        #expect(try app.call(TestClockInterface.name, TestClockInterface.advance, ["t", "1000"]).isAccessDenied)
        let property = try app.busctl([
            "get-property", WellKnown.busName.text, WellKnown.rootPath.text, AdminInterface.name.text, "StorePath",
        ])
        #expect(property.isAccessDenied, "\(property)")
    }

    @Test("P15: it acts on its own application's runs, and on no other's")
    func runs() throws {
        var runs: [String: UInt64] = [:]
        for name in [Self.own, Self.other] {
            let pages = Value.array(
                ArrayValue(unchecked: [.vardict([]), .vardict([])], of: .dictionary(key: .string, value: .variant)))
            let definition = Value.vardict([("pages", pages)])
            try client.launches(LaunchesInterface.record, .string(name), .string("1.0"), .vardict([]))
            try client.call(GuidesInterface.name, GuidesInterface.define, .string(name), .string("welcome"), definition)
            let reply = try client.call(
                GuidesInterface.name, GuidesInterface.present, .string(name), .string("welcome"), .vardict([]))
            let run = try #require(reply.count == 4 ? reply[2].get(as: UInt64.self) : nil)
            try #require(run != 0, "\(reply)")
            runs[name] = run
            let result = try app.call(GuidesInterface.name, GuidesInterface.advance, ["ti", String(run), "1"])
            #expect(name == Self.own ? result.code == 0 : result.isAccessDenied, "\(result)")
            try client.call(GuidesInterface.name, GuidesInterface.finish, .uint64(run), .string("completed"))
        }
        #expect(runs.count == 2)
    }

    @Test("P15: it has its application's countdowns alone: others' are no objects, in no list and no tree, also after a restart")
    func countdowns() throws {
        let (path, _) = try client.start("splash", [("duration", .uint64(3_600_000))])
        let started = try app.call(
            CountdownsInterface.name, CountdownsInterface.start,
            ["sa{sv}", "mine", "2", "duration", "t", "3600000", "on_owner_lost", "s", "continue"])
        let own = try #require(
            started.output.split(separator: "\"").first { $0.hasPrefix("/") }.flatMap { ObjectPath(String($0)) }, "\(started)")
        let neighbour = try SandboxedApp("org.example.Neighbour", on: bus)
        try client.preferences(Members.synchronize)
        for isRestarted in [false, true] {
            if isRestarted {
                try daemon.kill9()
                try daemon.restart()
            }
            for member in [CountdownInterface.skip, CountdownInterface.watch] {
                let result = try app.call(CountdownInterface.name, member, at: path)
                #expect(result.errors.contains("no object at \(path)"), "\(member): \(result)")
                #expect(try neighbour.call(CountdownInterface.name, member, at: own).errors.contains("no object at \(own)"))
            }
            let list = try app.call(CountdownsInterface.name, CountdownsInterface.list)
            #expect(list.output.contains("(oa{sv}) 1 \"\(own)\""), "\(list)")
            #expect(try neighbour.call(CountdownsInterface.name, CountdownsInterface.list).output == "a(oa{sv}) 0\n")
            let tree = try app.busctl(["--list", "tree", WellKnown.busName.text])
            #expect(tree.output.contains(own.text) && !tree.output.contains(path.text), "\(tree)")
            #expect(try Set(client.listCountdowns().map(\.path)) == [path, own])
        }
        // Another process of the application acts on it, and so does anyone outside.
        #expect(try app.call(CountdownInterface.name, CountdownInterface.pause, at: own).code == 0)
        #expect(try client.countdown(CountdownInterface.skip, at: own).text("state") == "finished")
    }

    @Test("P15, S4: Explain of its own tip names no other application, no presenter, and nobody who holds presentations back")
    func explained() throws {
        try client.defineTip("hidden-tip", app: Self.other)
        try client.defineTip("own-tip", app: Self.own)
        #expect(try client.presentTip("hidden-tip", app: Self.other).show)
        try client.call(AdminInterface.name, AdminInterface.inhibit, .string("a film"))
        let inside = try app.call(AdminInterface.name, AdminInterface.explain, ["sss", Self.own, "tip", "own-tip"])
        #expect(inside.code == 0 && inside.output.contains("\"something else is presented\""), "\(inside)")
        #expect(inside.output.contains("\"someone holds presentations back\""), "\(inside)")
        for secret in [Self.other, "hidden-tip", "a film", client.connection.uniqueName.text] {
            #expect(!inside.output.contains(secret), "\(secret) in \(inside)")
        }
        let outside = try client.explain("tip", "own-tip", app: Self.own).map(\.why).joined(separator: "\n")
        for name in [Self.other, "hidden-tip", "a film", client.connection.uniqueName.text] { #expect(outside.contains(name)) }
    }

    @Test("P15: another root without .flatpak-info is no sandbox")
    func otherRoot() throws {
        let plain = try SandboxedApp(.none, on: bus)
        #expect(try plain.preferences(Members.get, "ss", Self.other, "key").output == "v s \"secret\"\n")
    }

    @Test(
        "P15: where it can't be told whose sandbox it is, nothing is allowed",
        arguments: [
            SandboxRoot.Info.folder, .text(""), .text("[Runtime]\nname=org.example.Platform\n"),
            .text("[Application]\nname=global\n"),
            .text("[Application]\nname=no application\n"),
        ])
    func unknown(_ info: SandboxRoot.Info) throws {
        let odd = try SandboxedApp(info, on: bus)
        let result = try odd.preferences(Members.get, "ss", "global", "theme")
        #expect(result.isAccessDenied, "\(result)")
    }

    @Test("P15: what a sandboxed application sends and leaves is refused though it is gone when it is looked for")
    func boxedAndGone() throws {
        // Met once: from then on a caller that has gone may be one.
        #expect(try app.preferences(Members.synchronize).code == 0)
        let frozen = try FrozenThread("defaultsd", of: daemon.process)
        try app.setAndLeave(Self.other, "left")
        try waitUntilAlone()
        frozen.thaw()
        try waitUntilDecided()
        #expect(try client.get(Self.other, "left") == nil)
    }

    @Test("P15: a caller that has gone counts in a session without sandboxes, and not where Flatpak has run")
    func gone() throws {
        let plain = try SandboxedApp(.none, on: bus)
        let runtime = try #require(bus.environment.variables["XDG_RUNTIME_DIR"])
        for hasFlatpak in [false, true] {
            if hasFlatpak { #expect(mkdir(runtime + "/.flatpak", 0o700) == 0) }
            let frozen = try FrozenThread("defaultsd", of: daemon.process)
            try plain.setAndLeave(Self.other, "left \(hasFlatpak)")
            try waitUntilAlone()
            frozen.thaw()
            try waitUntilDecided()
            #expect(try client.get(Self.other, "left \(hasFlatpak)") == (hasFlatpak ? nil : .string("value")))
        }
    }

    /// Waits until the daemon has been told that the leaver is gone, which it asks before it answers the ping, and all writes are on disk.
    private func waitUntilDecided() throws {
        try client.drain()
        try client.preferences(Members.synchronize)
    }

    /// Waits until the bus has no connection but the daemon's and the test's.
    private func waitUntilAlone() throws {
        try client.ask("the leaver's end") {
            let names = try client.connection.call(
                "org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus", "ListNames")
            return names.first?.get(as: [String].self)?.count { $0.hasPrefix(":") } == 2
        }
    }
}
