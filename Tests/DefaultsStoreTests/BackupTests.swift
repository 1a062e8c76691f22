import DBusTypes
import DefaultsModel
import Glibc
import Support
import Testing

@testable import DefaultsStore

@Suite struct BackupTests {
    private let folder: TemporaryFolder
    private let backup = "defaults.backup.sqlite"

    init() throws { folder = try TemporaryFolder() }

    private var database: String { folder.path("store/defaults.sqlite") }

    /// Makes a store with `changes` and a backup of it, and closes it.
    private func makeStore(_ changes: [RecordChange]) throws {
        let path = folder.path("store")
        do {
            let harness = StoreHarness()
            let store = try harness.open(path).store
            try harness.commit(store, changes)
            try harness.close(store)
        }
        // A store that has just been opened and has no backup is backed up, so that the backup has all changes.
        let watch = try FolderWatch(path)
        let harness = StoreHarness(backupDelay: 0)
        let store = try harness.open(path).store
        try watch.waitForRename(to: backup)
        try harness.close(store)
    }

    @Test("P9: a damaged store is restored from its backup, its revisions 2³² above the backup's")
    func restored() throws {
        try makeStore([.revision(5), .domain(app, revision: 5), try set("key", .byte(1)), .countdown("token", .byte(1))])
        #expect(try folder.path("store/" + backup).modeOfFile() == 0o600)
        #expect(try folder.path("store").namesInFolder() == ["commit", backup, "defaults.sqlite", "lock", "reserve"])
        do {
            let harness = StoreHarness()
            let store = try harness.open(folder.path("store")).store
            try harness.commit(store, [.revision(6), .domain(app, revision: 6), try set("key", .byte(2))])
        }
        try [UInt8]().write(toFile: database)
        for _ in 0..<2 {
            let harness = StoreHarness()
            let opened = try harness.open(folder.path("store"))
            #expect(opened.state == .restored)
            #expect(opened.summary.revision == 5 + 1 << 32)
            #expect(opened.summary.countdowns == ["token": .byte(1)])
            let loaded = try harness.load(opened.store, app)
            #expect(loaded.value("key") == .byte(1))
            #expect(loaded.revision == 5 + 1 << 32)
        }
        #expect(
            try folder.path("store").namesInFolder() == ["commit", "damaged-1", backup, "defaults.sqlite", "lock", "reserve"])
        let harness = StoreHarness()
        let opened = try harness.open(folder.path("store"))
        try harness.acknowledgeLoss(opened.store)
        try harness.close(opened.store)
        #expect(try harness.open(folder.path("store")).state == .healthy)
    }

    @Test("A backup begins only when the one before it has paid off: the larger the store, the longer that takes")
    func pace() throws {
        #expect(BackupPace().rest(after: 64 << 20) == 256_000_000_000)
        try #require(mkdir(folder.path("store"), 0o700) == 0)
        // At this rate the smallest store has to wait for two seconds.
        let harness = StoreHarness(backupDelay: 1_000_000, bytesPerSecond: 12_288)
        let store = try harness.open(folder.path("store")).store
        let watch = try FolderWatch(folder.path("store"))
        try harness.commit(store, [.revision(2), try set("key", .byte(1))])
        try watch.waitForRename(to: backup)
        let start = monotonicNow()
        try harness.commit(store, [.revision(3), try set("key", .byte(2))])
        try watch.waitForRename(to: backup)
        #expect(monotonicNow() - start > 500_000_000)
        try harness.close(store)
    }

    @Test("P9: a store that is missing beside its backup is restored, not new")
    func missing() throws {
        try makeStore([.revision(5), try set("key", .byte(1))])
        unlink(database)
        let harness = StoreHarness()
        let opened = try harness.open(folder.path("store"))
        #expect(opened.state == .restored)
        #expect(try harness.load(opened.store, app).value("key") == .byte(1))
    }

    @Test("P9: damage met when a domain is loaded is answered from the backup")
    func restoredOnLoad() throws {
        try makeStore([.revision(5), .domain(app, revision: 5), try set("key", .string("MARKER"))])
        var bytes = try database.bytesOfFile()
        bytes[try #require(bytes.position(of: "MARKER"))] ^= 1
        try bytes.write(toFile: database)
        let harness = StoreHarness()
        let opened = try harness.open(folder.path("store"))
        var events: [StoreEvent] = []
        opened.store.onEvent = { events.append($0) }
        #expect(try harness.load(opened.store, app).value("key") == .string("MARKER"))
        #expect(opened.store.state == .restored)
        #expect(events.count == 1)
        try harness.commit(opened.store, [try set("key", .byte(7))])
        #expect(try folder.path("store/damaged-1/defaults.sqlite").bytesOfFile() == bytes)
    }

    @Test("P9: a damaged backup is kept as evidence, and the store is lost")
    func damagedBackup() throws {
        try makeStore([.revision(5), .domain(app, revision: 5), try set("key", .string("MARKER"))])
        var bytes = try folder.path("store/" + backup).bytesOfFile()
        bytes[try #require(bytes.position(of: "MARKER"))] ^= 1
        try bytes.write(toFile: folder.path("store/" + backup))
        unlink(database)
        let harness = StoreHarness()
        let opened = try harness.open(folder.path("store"))
        #expect(opened.state == .lost)
        #expect(opened.summary == StoreSummary(revision: 1 << 32))
        #expect(try folder.path("store/damaged-1/" + backup).bytesOfFile() == bytes)
    }

    @Test("A damaged store never replaces its last good backup")
    func goodStays() throws {
        try makeStore([.revision(5), .domain(app, revision: 5), .domain(other, revision: 5), try set("key", .string("MARKER"))])
        let good = try folder.path("store/" + backup).bytesOfFile()
        var bytes = try database.bytesOfFile()
        bytes[try #require(bytes.position(of: "MARKER"))] ^= 1
        try bytes.write(toFile: database)
        let source = try WritableStore(StoreDirectory(folder.path("store")), StoreHolder(bus: "test"))
        try source.commit([try set("key", .byte(1), in: other)], now: 0)
        let copy = try #require(try StoreBackup(1, source))
        let error = try #require(throws: StoreError.self) { while try !copy.step() {} }
        #expect(error.code == .damaged)
        #expect(try folder.path("store/" + backup).bytesOfFile() == good)
    }

    @Test("A backup reads every domain before it takes the last one's place, each in a step of its own")
    func everyDomain() throws {
        func steps(domains: Int) throws -> Int {
            let place = try TemporaryFolder()
            let store = try WritableStore(StoreDirectory(place.path), StoreHolder(bus: "test"))
            let changes = try (0..<domains).map {
                RecordChange.domain(try #require(DomainName("org.example.App\($0)")), revision: 2)
            }
            try store.commit([.revision(2)] + changes, now: 0)
            let copy = try #require(try StoreBackup(1, store))
            var steps = 0
            while try !copy.step() { steps += 1 }
            return steps
        }
        #expect(try steps(domains: 20) == steps(domains: 0) + 20)
    }

    @Test("Commits go on while a backup is copied, and the backup has one state, whole")
    func copiedInSteps() throws {
        let store = try WritableStore(StoreDirectory(folder.path("store")), StoreHolder(bus: "test"))
        let text = Value.string(String(repeating: "x", count: 1_000))
        try store.commit(try (0..<2_000).map { try set("key \($0)", text) }, now: 0)
        var steps: UInt8 = 0
        do {
            let copy = try #require(try StoreBackup(1, store))
            while try !copy.step() {
                steps += 1
                try store.commit([try set("key 0", .byte(steps)), try set("key 1999", .byte(steps))], now: 0)
            }
        }
        #expect(steps > 5)
        let copied = try UserDatabase(folder.path("store/" + backup), .immutable).load(app)
        #expect(copied.preferences[.user]?.count == 2_000)
        let last = try #require(copied.value("key 0"))
        #expect(last == copied.value("key 1999"))
        #expect(last != text)
        #expect(try StoreBackup(1, store) != nil, "a store that has changed since needs another")
        try store.commit([.revision(2)], now: 0)
        let second = try #require(try StoreBackup(1, store))
        while try !second.step() {}
        #expect(try StoreBackup(1, store) == nil, "a backup that has all commits is not made again")
    }
}
