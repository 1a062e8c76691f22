import DBusTypes
import DefaultsInterface
import Glibc
import LibDBus
import Support
import Testing

@Suite("The program defaultsd")
struct StoreProgramTests {
    private static let app = "org.example.App"
    private let bus: PrivateBus

    init() throws { bus = try PrivateBus() }

    private func run(_ arguments: String..., variables: [String: String] = [:]) throws -> Command.Result {
        try Command.run(
            Programs.path("defaultsd"), arguments, environment: bus.environment.variables.merging(variables) { _, new in new })
    }

    // MARK: Options

    @Test("--help and --version print to standard output and exit 0")
    func help() throws {
        let help = try run("--help")
        #expect(help.code == 0 && help.errors.isEmpty, "\(help)")
        for option in [
            "--session", "--system", "--address=ADDRESS", "--store=DIRECTORY", "--config=DIRECTORY", "--test-clock",
            "--limits=none", "--introspect=DIRECTORY",
        ] { #expect(help.output.contains(option)) }
        let version = try run("--version")
        #expect(version.code == 0 && version.errors.isEmpty && version.output == "defaultsd \(WellKnown.version)\n", "\(version)")
    }

    @Test(
        "A wrong command line is exit 64 with what is wrong on standard error, and a guess at a typo",
        arguments: [
            (["--sesion"], "--session"), (["--stor=/tmp/x"], "--store"), (["--adress", "x"], "--address"),
            (["--test-clok"], "--test-clock"), (["--session", "--system"], "exclude"), (["--limits=some"], "--limits=none"),
            (["--store"], "--store=DIRECTORY"), (["--store="], "--store=DIRECTORY"), (["serve"], "\"serve\""), (["-x"], "-x"),
            (["--help=yes"], "--help takes no value"), ([""], "\"\""),
        ])
    func usage(_ words: [String], _ part: String) throws {
        let result = try Command.run(Programs.path("defaultsd"), words, environment: bus.environment.variables)
        #expect(result.code == 64 && result.output.isEmpty, "\(result)")
        #expect(result.errors.contains(part), "\(result)")
        if words[0].hasPrefix("--") && part.hasPrefix("--") && !words[0].hasPrefix(part) && part.count < 13 {
            #expect(result.errors.contains("Did you mean \(part)?"), "\(result)")
        }
    }

    @Test("--introspect writes the XML of every interface, valid by the DTD, as Introspect gives it; a missing folder is exit 73")
    func introspect() throws {
        let folder = try TemporaryFolder()
        let result = try run("--introspect=" + folder.path)
        #expect(result.code == 0, "\(result)")
        let names = try folder.path.namesInFolder()
        #expect(names.contains("org.defaultsd1.Preferences.xml"))
        let check = try Command.run(
            "xmllint", ["--noout", "--nonet", "--dtdvalid", "/usr/share/xml/dbus-1/introspect.dtd"] + names.map(folder.path),
            environment: bus.environment.variables)
        #expect(check.code == 0, "\(check)")
        let missing = try run("--introspect=" + folder.path("missing"))
        #expect(missing.code == 73 && missing.errors.contains(folder.path("missing")), "\(missing)")
    }

    // MARK: Exit codes

    @Test("No bus at the address is exit 69, and says where none is")
    func noBus() throws {
        let result = try run("--address=unix:path=\(bus.folder)/nothing", "--store=\(bus.folder)/store")
        #expect(result.code == 69 && result.errors.contains("\(bus.folder)/nothing"), "\(result)")
        let unset = try run("--store=\(bus.folder)/store")
        #expect(unset.code == 69, "\(unset)")
        #expect(access(bus.folder + "/store", F_OK) != 0, "without a bus there is nothing to store for")
    }

    @Test("A bus that goes away under the daemon is exit 69, once all that was taken in is on disk")
    func busGoesAway() throws {
        let daemon = try Daemon(on: bus)
        let client = try Client(on: bus)
        try client.increment(Self.app, "n")
        let store = try FrozenThread("store", of: daemon.process)
        let calls = Pipeline(client)
        for _ in 0..<50 { calls.preferences(PreferencesInterface.increment, .string(Self.app), .string("n"), .int64(1)) }
        try calls.taken()
        bus.stop()
        store.thaw()
        #expect(try daemon.process.wait() == .exited(69))
        #expect(daemon.log.contains("bus went away"), "\(daemon.log)")
        let second = try PrivateBus()
        let successor = try Daemon(on: second, store: daemon.store)
        #expect(try Client(on: second).get(Self.app, "n") == .int64(51))
        #expect(try successor.terminate() == .exited(0))
    }

    @Test("An explicit --store that can't be a folder is exit 73; a store that can't be read is exit 74")
    func storeThatIsNone() throws {
        let file = bus.folder + "/file"
        try "text".write(toNewFile: file)
        for path in [file, file + "/below"] {
            let result = try run("--address=" + bus.address, "--store=" + path)
            #expect(result.code == 73 && result.errors.contains(file), "\(result)")
        }
        #expect(try String(contentsOfFile: file) == "text")
        let store = bus.folder + "/store"
        #expect(mkdir(store, 0o700) == 0)
        #expect(symlink("/etc/hostname", store + "/defaults.sqlite") == 0)
        let linked = try run("--address=" + bus.address, "--store=" + store)
        #expect(linked.code == 74 && linked.errors.contains(store + "/defaults.sqlite"), "\(linked)")
        let home = try run("--address=" + bus.address, variables: ["XDG_CONFIG_HOME": file])
        #expect(home.code == 74, "\(home)")
    }

    @Test(
        "Scenario 13: a second daemon on the same store is exit 75 and names the first, which goes on; a dead one's lock holds no one"
    )
    func sameStore() throws {
        let daemon = try Daemon(on: bus)
        let second = try PrivateBus()
        let result = try run("--address=" + second.address, "--store=" + daemon.store)
        #expect(result.code == 75, "\(result)")
        #expect(result.errors.contains("\(daemon.process.identifier)") && result.errors.contains(bus.address), "\(result)")
        let client = try Client(on: bus)
        try client.set(Self.app, "n", .int64(1))
        #expect(try client.storeState() == "healthy")
        try daemon.kill9()
        let successor = try Daemon(on: second, store: daemon.store)
        #expect(try Client(on: second).get(Self.app, "n") == .int64(1))
        #expect(try successor.terminate() == .exited(0))
    }

    @Test("Scenario 13: a second daemon on the same bus is exit 75 and names the first's process, which goes on")
    func sameBus() throws {
        let daemon = try Daemon(on: bus)
        let result = try run("--address=" + bus.address, "--store=\(bus.folder)/other")
        #expect(result.code == 75, "\(result)")
        #expect(result.errors.contains("\(daemon.process.identifier)"), "\(result)")
        let client = try Client(on: bus)
        try client.set(Self.app, "n", .int64(1))
        #expect(try client.get(Self.app, "n") == .int64(1))
    }

    @Test("SIGHUP is survived: same process, same instance, data served, and the service manager is told")
    func reload() throws {
        let daemon = try Daemon(on: bus)
        let client = try Client(on: bus)
        try client.set(Self.app, "n", .int64(1))
        let instance = try client.admin(AdminInterface.instance, as: UInt64.self)
        for _ in 0..<3 { daemon.process.send(SIGHUP) }
        #expect(try client.get(Self.app, "n") == .int64(1))
        #expect(try client.admin(AdminInterface.instance) == instance)
        #expect(daemon.process.poll() == nil)
        #expect(try daemon.terminate() == .exited(0))
    }

    // MARK: Places and activation

    @Test("The store's place: --store, systemd's folders, XDG_CONFIG_HOME, ~/.config", arguments: [0, 1, 2, 3, 4])
    func places(_ number: Int) throws {
        let folder = bus.folder
        let cases: [(variables: [String: String], arguments: [String], path: String)] = [
            ([:], [], "\(folder)/home/.config/defaultsd"),
            (["XDG_CONFIG_HOME": ""], [], "\(folder)/home/.config/defaultsd"),
            (["XDG_CONFIG_HOME": "\(folder)/config"], [], "\(folder)/config/defaultsd"),
            (["STATE_DIRECTORY": "\(folder)/state:\(folder)/more"], [], "\(folder)/state"),
            (
                ["CONFIGURATION_DIRECTORY": "\(folder)/a", "STATE_DIRECTORY": "\(folder)/b"], ["--store=\(folder)/c"],
                "\(folder)/c"
            ),
        ]
        let (variables, arguments, path) = cases[number]
        let notify = try NotifySocket(path: folder + "/notify")
        let environment = bus.clientVariables.merging(variables) { _, new in new }
            .merging(["NOTIFY_SOCKET": notify.path]) { _, new in new }
        let process = try ChildProcess(Programs.path("defaultsd"), arguments, environment: environment)
        try notify.wait(for: "READY=1", from: process)
        let client = try Client(on: bus)
        #expect(try client.admin(AdminInterface.storePath) == path + "/defaults.sqlite")
        #expect(try path.modeOfFile() == 0o700)
        for name in try path.namesInFolder() {
            #expect(try (path + "/" + name).modeOfFile() == 0o600, "\(name)")
        }
        process.send(SIGTERM)
        #expect(try process.wait() == .exited(0))
    }

    @Test("Calls that activate the daemon are answered by its objects, all of them, each time anew")
    func activation() throws {
        let services = try TemporaryFolder()
        try """
        [D-BUS Service]
        Name=org.defaultsd1
        Exec=\(try Programs.path("defaultsd")) --session

        """.write(toNewFile: services.path("org.defaultsd1.service"))
        let bus = try PrivateBus(services: services.path)
        var instances: Set<UInt64> = []
        for round in 1...5 {
            let client = try Client(on: bus)
            let calls = Pipeline(client)
            for _ in 0..<10 {
                calls.preferences(PreferencesInterface.increment, .string(Self.app), .string("n"), .int64(1))
            }
            let sums = try calls.wait().map(\.values)
            #expect(sums == (10 * round - 9...10 * round).map { [.int64(Int64($0))] })
            if let instance = try client.admin(AdminInterface.instance, as: UInt64.self) { instances.insert(instance) }
            let reply = try client.connection.call(
                .bus, .bus, .bus, "GetConnectionUnixProcessID", [.string(WellKnown.busName.text)])
            let process = try #require(reply.first?.get(as: UInt32.self))
            try client.connection.subscribe(MatchRule(sender: .bus, member: "NameOwnerChanged", arguments: [0: "org.defaultsd1"]))
            { _ in }
            kill(pid_t(process), round.isMultiple(of: 2) ? SIGTERM : SIGKILL)
            // Its child until the bus has seen it go: activated again only when the name is free.
            try Await.until("the name to be free", on: client.loop) {
                try client.connection.call(.bus, .bus, .bus, "NameHasOwner", [.string(WellKnown.busName.text)]) == [
                    .boolean(false)
                ]
            }
        }
        #expect(instances.count == 5)
        #expect(access(bus.environment.home + "/.config/defaultsd/defaults.sqlite", F_OK) == 0)
    }
}
