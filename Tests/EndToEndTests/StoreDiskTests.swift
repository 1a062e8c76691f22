import DBusTypes
import DefaultsInterface
import Glibc
import Support
import Testing

@Suite("A disk that can't be written", .enabled(if: TemporaryMount.isPossible, "mounting needs root"))
struct StoreDiskTests {
    private static let app = "org.example.App"

    @Test("Scenario 4, P11: a full disk is StorageFull, the old value stays, nothing litters it, and space back is enough")
    func fullDisk() throws {
        let bus = try PrivateBus()
        let disk = try TemporaryMount(kibibytes: 256)
        let daemon = try Daemon(on: bus, store: disk.path + "/store")
        let client = try Client(on: bus)
        try client.set(Self.app, "text", .string("old"))
        try client.watch(Self.app)
        let names = try daemon.store.namesInFolder()
        try disk.fill("filler")
        let large = Value.string(String(repeating: "x", count: 9_000))
        for _ in 0..<3 {
            let error = try client.error { try client.set(Self.app, "text", large) }
            #expect(error?.name == ErrorNames.storageFull, "\(error?.message ?? "no error")")
            #expect(try client.get(Self.app, "text") == .string("old"))
        }
        #expect(try client.revision(Self.app) == 2)
        #expect(try daemon.store.namesInFolder() == names)

        try daemon.kill9()
        try daemon.restart()
        #expect(try client.get(Self.app, "text") == .string("old"))
        #expect(try client.error { try client.set(Self.app, "text", large) }?.name == ErrorNames.storageFull)
        #expect(try client.get(Self.app, "text") == .string("old"))
        try client.drain()
        #expect(client.changes.isEmpty)

        #expect(unlink(disk.path + "/filler") == 0)
        try client.set(Self.app, "text", large)
        #expect(try client.get(Self.app, "text") == large)
        #expect(try client.storeState() == "healthy")
        try daemon.kill9()
        try daemon.restart()
        #expect(try client.get(Self.app, "text") == large)
        #expect(try Set(daemon.store.namesInFolder()).subtracting(names).isEmpty)
    }

    @Test(
        "P11: a quota that is used up, of room or of a file's size, is StorageFull as a full disk is",
        arguments: ["EDQUOT", "EFBIG", "ENOSPC"], ["pwrite64", "fdatasync"])
    func quota(error: String, call: String) throws {
        let bus = try PrivateBus()
        let daemon = try Daemon(on: bus)
        let client = try Client(on: bus)
        try client.set(Self.app, "text", .string("old"))
        let fault = try DiskFault(of: daemon, "\(call):error=\(error)")
        for _ in 0..<2 {
            let error = try client.error { try client.set(Self.app, "text", .string("new")) }
            #expect(error?.name == ErrorNames.storageFull, "\(error?.message ?? "no error")")
        }
        #expect(try client.get(Self.app, "text") == .string("old"))
        try fault.end()
        try client.set(Self.app, "text", .string("new"))
        try daemon.kill9()
        try daemon.restart()
        #expect(try client.get(Self.app, "text") == .string("new"))
        #expect(try client.storeState() == "healthy")
    }

    @Test("P7, P11: of the writes under way when the disk is full, what fits is stored and answered so, the rest is StorageFull")
    func partOfABatch() throws {
        let bus = try PrivateBus()
        let disk = try TemporaryMount(kibibytes: 256)
        let daemon = try Daemon(on: bus, store: disk.path + "/store")
        let client = try Client(on: bus)
        try client.increment(Self.app, "n")
        let store = try FrozenThread("store", of: daemon.process)
        let calls = Pipeline(client)
        let increment = {
            calls.preferences(PreferencesInterface.increment, .string(Self.app), .string("n"), .int64(1))
        }
        _ = increment()
        try calls.taken()
        // All these wait for one commit, which the large one makes impossible.
        for _ in 0..<3 { _ = increment() }
        let large = calls.set(Self.app, "large", .string(String(repeating: "x", count: 400_000)))
        let read = calls.get(Self.app, "large")
        for _ in 0..<3 { _ = increment() }
        try calls.taken()
        store.thaw()
        let answers = try calls.wait()
        #expect(answers.map(\.call) == Array(0..<9))
        #expect(answers[large].error?.name == ErrorNames.storageFull)
        #expect(answers[read].error?.name == ErrorNames.noSuchKey)
        let sums = answers.compactMap { $0.values?.first?.get(as: Int64.self) }
        #expect(sums == [2, 3, 4, 5, 6, 7, 8])
        try daemon.kill9()
        try daemon.restart()
        #expect(try client.getAll(Self.app) == ["n": .int64(8)])
    }

    @Test("Scenario 14, P11: a store on a read-only disk is read, writes are StorageReadOnly, and the daemon says so once")
    func readOnlyDisk() throws {
        let bus = try PrivateBus()
        let disk = try TemporaryMount(kibibytes: 1_024)
        let daemon = try Daemon(on: bus, store: disk.path + "/store")
        let client = try Client(on: bus)
        try client.set(Self.app, "text", .string("old"))
        #expect(try daemon.terminate() == .exited(0))
        let names = try daemon.store.namesInFolder()
        try disk.setReadOnly(true)
        try daemon.restart()
        #expect(try client.get(Self.app, "text") == .string("old"))
        #expect(try client.storeState() == "read-only")
        #expect(try client.watch(Self.app)?.values == ["text": .string("old")])
        for _ in 0..<2 {
            #expect(try client.error { try client.set(Self.app, "text", .string("new")) }?.name == ErrorNames.storageReadOnly)
        }
        #expect(try client.set(Self.app, "text", .string("old")) == 2, "the same value needs no writing")
        #expect(try client.get(Self.app, "text") == .string("old"))
        #expect(try daemon.terminate() == .exited(0))
        #expect(try daemon.store.namesInFolder() == names)
        try disk.setReadOnly(false)
        try daemon.restart()
        try client.set(Self.app, "text", .string("new"))
        #expect(try client.storeState() == "healthy")
    }

    @Test("Scenario 14: a home where no store can be made is served read-only and empty, and works once it can be written")
    func noStoreYet() throws {
        let bus = try PrivateBus()
        let disk = try TemporaryMount(kibibytes: 1_024)
        try disk.setReadOnly(true)
        let daemon = try Daemon(on: bus, store: disk.path + "/missing/home/.config/defaultsd")
        let client = try Client(on: bus)
        #expect(try client.storeState() == "read-only")
        #expect(try client.get(Self.app, "text") == nil)
        #expect(try client.getAll(Self.app) == [:])
        #expect(try client.listDomains() == [])
        #expect(try client.error { try client.set(Self.app, "text", .string("new")) }?.name == ErrorNames.storageReadOnly)
        #expect(try client.get(Self.app, "text") == nil)
        try disk.setReadOnly(false)
        try client.set(Self.app, "text", .string("new"))
        #expect(try client.storeState() == "healthy")
        try daemon.kill9()
        try daemon.restart()
        #expect(try client.get(Self.app, "text") == .string("new"))
    }

    @Test("Scenario 14: the store of another user is read by root, never written, and stays that user's")
    func anotherUsersStore() throws {
        let bus = try PrivateBus()
        let daemon = try Daemon(on: bus)
        let client = try Client(on: bus)
        try client.set(Self.app, "text", .string("old"))
        #expect(try daemon.terminate() == .exited(0))
        let owner: uid_t = 65_534
        let paths = [daemon.store] + (try daemon.store.namesInFolder().map { daemon.store + "/" + $0 })
        for path in paths { #expect(chown(path, owner, owner) == 0) }
        try daemon.restart()
        #expect(try client.get(Self.app, "text") == .string("old"))
        #expect(try client.storeState() == "read-only")
        #expect(try client.error { try client.set(Self.app, "text", .string("new")) }?.name == ErrorNames.storageReadOnly)
        #expect(try daemon.terminate() == .exited(0))
        #expect([daemon.store] + (try daemon.store.namesInFolder().map { daemon.store + "/" + $0 }) == paths)
        for path in paths {
            let status = try path.statusOfFile()
            #expect(status.st_uid == owner && status.st_gid == owner, "\(path)")
        }
        // Nor is a new one made in another user's home.
        let home = try TemporaryFolder()
        #expect(chown(home.path, owner, owner) == 0)
        let other = try Daemon(on: bus, store: home.path + "/.config/defaultsd")
        #expect(try client.storeState() == "read-only")
        #expect(try client.error { try client.set(Self.app, "text", .string("new")) }?.name == ErrorNames.storageReadOnly)
        #expect(try home.path.namesInFolder() == [])
        #expect(try other.terminate() == .exited(0))
    }
}
