import DBusTypes
import DefaultsInterface
import Glibc
import LibDBus
import Support
import Testing

@Suite("The machine instance: more users than open stores", .enabled(if: Machine.isPossible, "two users take root"))
struct MachineManyUsersTests {
    private typealias Members = PreferencesInterface
    private let app = "org.example.App"
    private let machine: Machine
    private let users: ClosedRange<UInt32> = 20_001...20_080

    init() throws {
        machine = try Machine()
        try machine.root.set(app, "key", .string("value"))
        #expect(try machine.daemon.terminate() == .exited(0))
        let copies = "for user in $(seq \(users.lowerBound) \(users.upperBound)); do cp -a \"$0/0\" \"$0/$user\"; done"
        let result = try Command.run("sh", ["-c", copies, machine.daemon.store], environment: machine.bus.environment.variables)
        guard result.code == 0 else { throw TestFailure("cp: \(result)") }
        try machine.daemon.restart()
        machine.root.forgetSignals()
    }

    private func get(_ user: UInt32) throws -> Value? {
        try machine.root.call(Members.name, Members.get, .string(app), .string("key"), at: WellKnown.userPath(user))
            .first?.get(as: Value.self)
    }

    /// The users whose databases the daemon has open.
    private func openStores() throws -> Set<String> {
        let descriptors = "/proc/\(machine.daemon.process.identifier)/fd"
        let targets = try descriptors.namesInFolder().compactMap { name -> String? in
            var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
            let count = readlink(descriptors + "/" + name, &buffer, buffer.count)
            let target = String(decoding: buffer.prefix(max(count, 0)).map(UInt8.init(bitPattern:)), as: UTF8.self)
            guard target.hasPrefix(machine.daemon.store + "/"), target.hasSuffix("/defaults.sqlite") else { return nil }
            return String(target.dropFirst(machine.daemon.store.utf8.count + 1).prefix { $0 != "/" })
        }
        return Set(targets)
    }

    @Test("At most 64 stores are open: the least recently used is closed, and opened again when it is asked for")
    func leastRecentlyUsed() throws {
        for user in users { #expect(try get(user) == .string("value")) }
        try machine.root.ask("the closing of those used before") { try openStores().count == 64 }
        #expect(try openStores() == Set(users.suffix(64).map(String.init)))
        let first = users.lowerBound
        #expect(try get(first) == .string("value"))
        try machine.root.ask("the closing of the one used before") {
            try openStores() == Set(([first] + users.suffix(63)).map(String.init))
        }
        // What is written to a store that was closed and opened is there, and so is what another session of it wrote.
        let path = WellKnown.userPath(users.lowerBound + 1)
        try machine.root.call(Members.name, Members.set, .string(app), .string("key"), .variant(.int64(7)), at: path)
        for user in users where user > users.lowerBound + 1 { #expect(try get(user) == .string("value")) }
        #expect(try get(users.lowerBound + 1) == .int64(7))
    }

    @Test("A store with a live countdown stays open, and so does one that someone watches, who is told of new files")
    func inUse() throws {
        let (owner, watched) = (WellKnown.userPath(users.lowerBound), WellKnown.userPath(users.lowerBound + 1))
        let started = try machine.root.call(
            CountdownsInterface.name, CountdownsInterface.start, .string("long"), .vardict([("duration", .uint64(3_600_000))]),
            at: owner)
        let countdown = try #require(started.first?.get(as: ObjectPath.self))
        try machine.root.call(Members.name, Members.watch, .string(app), at: watched)
        for user in users where user > users.lowerBound + 1 { #expect(try get(user) == .string("value")) }
        try machine.root.ask("the closing of those used before") { try openStores().count == 64 }
        #expect(try openStores().isSuperset(of: [String(users.lowerBound), String(users.lowerBound + 1)]))
        try ConfigurationFolder(machine.bus).replace("defaults.d/a.json", #"{"org.example.App": {"new": true}}"#)
        try machine.root.call(MachineInterface.name, MachineInterface.reload)
        let changes = try machine.root.wait(for: 1, "the change") { $0.member == Members.changed }
        #expect(changes.map(\.path) == [watched])
        #expect(try machine.root.countdown(CountdownInterface.cancel, at: countdown).text("state") == "finished")
        // One that is closed finds the files when it is opened.
        let value = try machine.root.call(
            Members.name, Members.get, .string(app), .string("new"), at: WellKnown.userPath(users.lowerBound + 2))
        #expect(value == [.variant(.boolean(true))])
    }
}
