import DBusTypes
import DefaultsInterface
import DefaultsModel
import Glibc
import LibDBus
import Support
import Testing

@Suite("The machine instance: each user's object, for root", .enabled(if: Machine.isPossible, "two users take root"))
struct MachineUserTests {
    private typealias Members = PreferencesInterface
    private let app = "org.example.App"
    private let machine: Machine
    private let user: UInt32
    private let path: ObjectPath

    init() throws {
        machine = try Machine()
        user = try Machine.nobody()
        path = WellKnown.userPath(user)
    }

    /// Calls a method of `Preferences` of the user's object, as root.
    @discardableResult
    private func ask(_ member: MemberName, _ arguments: Value..., at object: ObjectPath? = nil) throws -> [Value] {
        try machine.root.connection.call(
            WellKnown.busName, object ?? path, Members.name, member, arguments, timeout: 10_000)
    }

    /// The folders of stores that there are.
    private func stores() throws -> [String] {
        access(machine.daemon.store, F_OK) == 0 ? try machine.daemon.store.namesInFolder() : []
    }

    @Test("Root reads and writes another user's data; its own stays apart, and signals come from the object that was asked")
    func data() throws {
        #expect(try machine.nobody(Members.name, Members.set, "ssv", app, "key", "s", "theirs").code == 0)
        #expect(try ask(Members.get, .string(app), .string("key")) == [.variant(.string("theirs"))])
        #expect(try machine.root.get(app, "key") == nil)
        try ask(Members.watch, .string(app))
        try machine.root.watch(app)
        try ask(Members.set, .string(app), .string("key"), .variant(.string("by root")))
        #expect(try machine.nobody(Members.name, Members.get, "ss", app, "key").output == "v s \"by root\"\n")
        try machine.root.set(app, "key", .string("own"))
        try machine.root.drain()
        #expect(machine.root.signals.map(\.path) == [path, WellKnown.rootPath])
        #expect(machine.root.changes.map(\.changed) == [["key": .string("own")]])
        try ask(Members.unwatch, .string(app))
        machine.root.forgetSignals()
        try ask(Members.set, .string(app), .string("key"), .variant(.int64(1)))
        try machine.root.set(app, "key", .int64(2))
        try machine.root.drain()
        #expect(machine.root.signals.map(\.path) == [WellKnown.rootPath])

        let launch = try machine.root.call(
            LaunchesInterface.name, LaunchesInterface.record, .string(app), .string("1.0"), .vardict([]), at: path)
        #expect(launch.first?.dictionary?.text("kind") == "first")
        #expect(try machine.nobody(LaunchesInterface.name, LaunchesInterface.query, "s", app).code == 0)
        let place = try machine.root.properties("Get", .string(AdminInterface.name.text), .string("StorePath"), at: path)
        #expect(place.first?.get(as: Value.self)?.get() == machine.store(of: user) + "/defaults.sqlite")
    }

    @Test("StatusChanged of another user's tip comes from that user's object, as what else root watches there")
    func tipStatus() throws {
        let define = { [machine, app] (path: ObjectPath, tip: String) in
            try machine.root.call(TipsInterface.name, TipsInterface.define, .string(app), .string(tip), .vardict([]), at: path)
        }
        try ask(Members.watch, .string(app))
        try machine.root.watch(app)
        _ = try define(path, "theirs")
        _ = try define(WellKnown.rootPath, "own")
        try machine.root.drain()
        let told = machine.root.signals(TipsInterface.statusChanged)
        #expect(told.map(\.path) == [path, WellKnown.rootPath])
        #expect(told.map { $0.arguments[1] } == [.string("theirs"), .string("own")])
    }

    @Test("Other users get AccessDenied at every user's object, their own and one that isn't there included; so do properties")
    func others() throws {
        for number in [user, 0, 4_000_000_000] {
            let object = WellKnown.userPath(number)
            for interface in [Members.name, LaunchesInterface.name, CountdownsInterface.name, AdminInterface.name] {
                let description = try #require(Interfaces.all.first { $0.name == interface })
                for method in description.methods {
                    guard let words = method.words(app) else { continue }
                    let result = try machine.asNobody(
                        ["call", WellKnown.busName.text, object.text, interface.text, method.name.text] + words)
                    #expect(result.isAccessDenied, "\(method.name) at \(object): \(result)")
                }
            }
            let property = try machine.asNobody(
                ["get-property", WellKnown.busName.text, object.text, AdminInterface.name.text, "StorePath"])
            #expect(property.isAccessDenied, "\(property)")
        }
        let tree = try machine.asNobody(["--list", "tree", WellKnown.busName.text])
        #expect(tree.code == 0 && !tree.output.contains("user/"), "\(tree)")
        #expect(try stores() == [])
    }

    @Test("A user whom no one knows is no object, nor is a number written otherwise; Machine is no one's own")
    func unknown() throws {
        for name in ["4000000000", "00", "0\(user)", "4294967295", "99999999999", "root"] {
            let object = try #require(WellKnown.usersPath.appending(name))
            let error = try machine.root.error { try ask(Members.listDomains, at: object) }
            #expect(error?.name == .unknownObject, "\(name): \(String(describing: error))")
        }
        let error = try machine.root.error { try machine.root.call(MachineInterface.name, MachineInterface.reload, at: path) }
        #expect(error?.name == .unknownInterface)
        #expect(try stores() == [])
    }

    @Test("A read makes no store, root's own neither; the configuration files show all the same; the first write makes it")
    func readsMakeNothing() throws {
        let folder = ConfigurationFolder(machine.bus)
        try folder.replace("defaults.d/a.json", #"{"org.example.App": {"k": 1}}"#)
        try machine.root.call(MachineInterface.name, MachineInterface.reload)
        for object in [path, WellKnown.rootPath] {
            let name = Value.string(app)
            #expect(try ask(Members.get, name, .string("k"), at: object) == [.variant(.int64(1))])
            #expect(
                try machine.root.error { try ask(Members.get, name, .string("absent"), at: object) }?.name == ErrorNames.noSuchKey
            )
            for member in [Members.getAll, Members.listKeys, Members.listLocked, Members.watch] {
                try ask(member, name, at: object)
            }
            try ask(Members.describe, name, .string("k"), at: object)
            for member in [Members.listDomains, Members.generations, Members.synchronize] { try ask(member, at: object) }
            try ask(Members.reset, name, .string("absent"), at: object)
            let launches = LaunchesInterface.name
            #expect(try machine.root.error { try machine.root.call(launches, LaunchesInterface.query, name, at: object) } != nil)
            for member in [LaunchesInterface.history, LaunchesInterface.flags] {
                try machine.root.call(launches, member, name, at: object)
            }
            try machine.root.call(CountdownsInterface.name, CountdownsInterface.list, at: object)
            try machine.root.call(AdminInterface.name, AdminInterface.export, .vardict([]), at: object)
            try machine.root.call(AdminInterface.name, AdminInterface.acknowledgeLoss, at: object)
            let state = try machine.root.properties("Get", .string(AdminInterface.name.text), .string("StoreState"), at: object)
            #expect(state == [.variant(.string("healthy"))])
        }
        #expect(try stores() == [])

        // Who watches is told of the files without a store, and of what is written to a new one; revisions only grow.
        try folder.replace("defaults.d/a.json", #"{"org.example.App": {"k": 2}}"#)
        try machine.root.call(MachineInterface.name, MachineInterface.reload)
        #expect(try ask(Members.get, .string(app), .string("k")) == [.variant(.int64(2))])
        let before = try #require(try ask(Members.getAll, .string(app)).last?.get(as: UInt64.self))
        let pipeline = Pipeline(machine.root)
        let set = pipeline.preferences(Members.set, .string(app), .string("own"), .variant(.int64(3)))
        let get = pipeline.get(app, "own")
        #expect(try pipeline.wait(for: get).values == [.variant(.int64(3))])
        #expect(pipeline.answer(set)?.error == nil)
        #expect(try stores() == ["0"])
        let after = try #require(
            try ask(Members.set, .string(app), .string("k"), .variant(.int64(4))).first?.get(as: UInt64.self))
        #expect(after > before)
        #expect(try stores() == ["0", "\(user)"])
        try machine.root.drain()
        let changed = machine.root.signals(Members.changed).map { "\($0.path) \($0.arguments[1])" }
        #expect(changed.filter { $0.hasPrefix(path.text + " ") }.count == 2)
        #expect(changed.filter { $0.hasPrefix(WellKnown.rootPath.text + " ") }.count == 2)
        let revisions = machine.root.signals.filter { $0.path == path }.compactMap { $0.arguments[3].get(as: UInt64.self) }
        #expect(revisions == revisions.sorted() && Set(revisions).count == revisions.count)
    }

    @Test("The death of the daemon shows in every user's page")
    func pages() throws {
        let pages = try [0, 1, user].map { try MappedPage(machine.root, at: WellKnown.userPath($0)) }
        #expect(pages.allSatisfy { $0.isLive })
        try machine.daemon.kill9()
        #expect(pages.allSatisfy { !$0.isLive && $0.lock == 0x4000_0000 })
        try machine.daemon.restart()
        let page = try MappedPage(machine.root)
        #expect(page.isLive)
        try machine.daemon.terminate()
        #expect(!page.isLive && page.lock == 0)
    }

    @Test("The tree shows root the users who have a store, and a countdown that root starts for one is root's to end")
    func tree() throws {
        let empty = try Command.run(
            "busctl", ["--address=\(machine.bus.address)", "--list", "tree", WellKnown.busName.text],
            environment: machine.bus.environment.variables)
        #expect(empty.code == 0 && empty.output.contains("/org/defaultsd1/user\n") && !empty.output.contains("user/"), "\(empty)")
        let reply = try machine.root.call(
            CountdownsInterface.name, CountdownsInterface.start, .string("lunch"), .vardict([("duration", .uint64(3_600_000))]),
            at: path)
        let countdown = try #require(reply.first?.get(as: ObjectPath.self))
        #expect(try machine.nobody(CountdownsInterface.name, CountdownsInterface.list).output.contains(countdown.text))
        let tree = try Command.run(
            "busctl", ["--address=\(machine.bus.address)", "--list", "tree", WellKnown.busName.text],
            environment: machine.bus.environment.variables)
        #expect(tree.output.contains("\(path)\n"), "\(tree)")
        #expect(try machine.root.countdown(CountdownInterface.skip, at: countdown).text("state") == "finished")
    }
}
