import DBusTypes
import DefaultsModel
import Glibc
import Support
import Testing

@testable import DefaultsStore

@Suite(.enabled(if: TemporaryMount.isPossible, "mounting needs root")) struct DiskTests {
    private let large = Value.string(String(repeating: "x", count: 9_000))

    @Test("P11, scenario 4: on a full disk a commit fails by name and changes nothing; with space back it works again")
    func full() throws {
        let disk = try TemporaryMount(kibibytes: 256)
        let harness = StoreHarness()
        let opened = try harness.open(disk.path + "/store")
        try harness.commit(opened.store, [.revision(2), .domain(app, revision: 2), try set("key", .string("old"))])
        try disk.fill("filler")
        let change = try set("key", large)
        for _ in 0..<3 {
            let error = try harness.answer { opened.store.commit([.revision(3), change], completion: $0) }.error
            #expect(error?.code == .full)
            #expect(error?.message.contains("xxx") == false)
            #expect(try harness.load(opened.store, app).value("key") == .string("old"))
        }
        try harness.close(opened.store)
        #expect(try (disk.path + "/store").namesInFolder() == ["commit", "defaults.sqlite", "lock"])

        let again = try harness.open(disk.path + "/store")
        #expect(again.state == .healthy)
        #expect(again.summary.revision == 2)
        #expect(try harness.load(again.store, app).value("key") == .string("old"))
        #expect(try harness.answer { again.store.commit([change], completion: $0) }.error?.code == .full)
        #expect(unlink(disk.path + "/filler") == 0)
        try harness.commit(again.store, [change])
        #expect(try harness.load(again.store, app).value("key") == large)
        try harness.close(again.store)
        #expect(try harness.load(harness.open(disk.path + "/store").store, app).value("key") == large)
    }

    @Test("P11: a store on a read-only disk is written again once the disk can be, with no restart")
    func writableAgain() throws {
        let disk = try TemporaryMount(kibibytes: 1_024)
        let path = disk.path + "/store"
        do {
            let harness = StoreHarness()
            let store = try harness.open(path).store
            try harness.commit(store, [.revision(2), try set("key", .byte(1))])
            try harness.close(store)
        }
        try disk.setReadOnly(true)
        let harness = StoreHarness()
        let opened = try harness.open(path)
        #expect(opened.state == .readOnly)
        let change = try set("key", .byte(2))
        for _ in 0..<2 {
            #expect(try harness.answer { opened.store.commit([change], completion: $0) }.error?.code == .readOnly)
        }
        try disk.setReadOnly(false)
        try harness.commit(opened.store, [change])
        #expect(opened.store.state == .healthy)
        #expect(try harness.load(opened.store, app).value("key") == .byte(2))
    }

    @Test("P11: the -wal leaves room for the database on a small disk, so that writing never comes to a stop by itself")
    func logLeavesRoom() throws {
        let disk = try TemporaryMount(kibibytes: 512)
        let harness = StoreHarness()
        let store = try harness.open(disk.path + "/store").store
        // A megabyte in all, of which the disk could not hold half; the values themselves are 150 kB.
        for number in 0..<100 {
            let value = Value.bytes([UInt8](repeating: UInt8(number), count: 10_000))
            try harness.commit(store, [try set("key\(number % 15)", value)])
        }
        #expect(try harness.load(store, app).preferences[.user]?.count == 15)
    }

    @Test("P11: a full disk with no store yet reads as empty, and the store is made when there is space")
    func fullAtFirst() throws {
        let disk = try TemporaryMount(kibibytes: 256)
        try #require(mkdir(disk.path + "/store", 0o700) == 0)
        try disk.fill("filler")
        let harness = StoreHarness()
        let opened = try harness.open(disk.path + "/store")
        #expect(opened.state == .readOnly)
        #expect(opened.reason?.code == .full)
        let change = try set("key", .byte(1))
        #expect(try harness.answer { opened.store.commit([change], completion: $0) }.error?.code == .full)
        #expect(try !(disk.path + "/store").namesInFolder().contains { $0.contains("new") || $0.contains("sqlite") })
        var events: [StoreEvent] = []
        opened.store.onEvent = { events.append($0) }
        #expect(unlink(disk.path + "/filler") == 0)
        try harness.commit(opened.store, [change])
        #expect(events == [.state(.healthy, nil)])
        #expect(opened.store.state == .healthy)
        #expect(try harness.load(opened.store, app).value("key") == .byte(1))
    }

    @Test("P11: a store on a read-only file system is read, also what is only in its -wal")
    func readOnly() throws {
        let disk = try TemporaryMount(kibibytes: 4_096)
        do {
            let harness = StoreHarness()
            let store = try harness.open(disk.path + "/store").store
            try harness.commit(store, [.revision(2), .domain(app, revision: 2), try set("key", .byte(1))])
            // As a process that dies leaves them: with everything still in the -wal.
            try #require(mkdir(disk.path + "/killed", 0o700) == 0)
            for name in ["defaults.sqlite", "defaults.sqlite-wal", "commit", "lock"] {
                try (disk.path + "/store/" + name).bytesOfFile().write(toFile: disk.path + "/killed/" + name)
            }
        }
        try disk.setReadOnly(true)
        for name in ["store", "killed"] {
            let harness = StoreHarness(backupDelay: 0)
            let opened = try harness.open(disk.path + "/" + name)
            #expect(opened.state == .readOnly)
            #expect(opened.reason?.code == .readOnly)
            #expect(opened.summary.revision == 2)
            #expect(try harness.load(opened.store, app).value("key") == .byte(1), "\(name)")
            let change = try set("key", .byte(2))
            #expect(try harness.answer { opened.store.commit([change], completion: $0) }.error?.code == .readOnly)
        }
        let harness = StoreHarness()
        let opened = try harness.open(disk.path + "/none/at/all")
        #expect(opened.state == .readOnly)
        #expect(opened.summary == StoreSummary())
        #expect(try harness.load(opened.store, app) == DomainContents())
        #expect(try harness.answer { opened.store.commit([.revision(2)], completion: $0) }.error?.code == .readOnly)
    }

    @Test("P9: a damaged store that can't be moved aside is unavailable, and nothing is overwritten")
    func damagedReadOnly() throws {
        let disk = try TemporaryMount(kibibytes: 4_096)
        _ = try StoreHarness().openOnce(disk.path + "/store")
        try [UInt8](repeating: 7, count: 24_576).write(toFile: disk.path + "/store/defaults.sqlite")
        try disk.setReadOnly(true)
        let error = try #require(throws: StoreError.self) { try StoreHarness().open(disk.path + "/store") }
        #expect(error.code == .damaged)
        #expect(try (disk.path + "/store").namesInFolder() == ["commit", "defaults.sqlite", "lock", "reserve"])
    }

    @Test("P9: damage met while nothing can be moved aside is Unavailable, not absent, and is mended once it can be")
    func damagedWithoutRoom() throws {
        let disk = try TemporaryMount(kibibytes: 4_096, inodes: 24)
        let database = disk.path + "/store/defaults.sqlite"
        do {
            let harness = StoreHarness()
            let store = try harness.open(disk.path + "/store").store
            try harness.commit(store, [.revision(2), .domain(app, revision: 2), try set("key", .string("MARKER"))])
        }
        var bytes = try database.bytesOfFile()
        bytes[try #require(bytes.position(of: "MARKER"))] ^= 1
        try bytes.write(toFile: database)

        let harness = StoreHarness()
        let opened = try harness.open(disk.path + "/store")
        var events: [StoreEvent] = []
        opened.store.onEvent = { events.append($0) }
        let change = try set("key", .byte(1))
        var fillers: [String] = []
        while symlink("nowhere", disk.path + "/\(fillers.count)") == 0 { fillers.append(disk.path + "/\(fillers.count)") }
        for _ in 0..<2 {
            #expect(try harness.answer { opened.store.load(app, completion: $0) }.error?.code == .damaged)
            #expect(opened.store.state == .readOnly)
            #expect(try harness.answer { opened.store.commit([change], completion: $0) }.error?.code == .damaged)
        }
        #expect(events.count == 1)
        #expect(try database.bytesOfFile() == bytes)

        for filler in fillers { unlink(filler) }
        // The first was computed on the store that is gone now: it is refused, and another is in its place.
        #expect(try harness.answer { opened.store.commit([change], completion: $0) }.error?.code == .damaged)
        #expect(opened.store.state == .lost)
        #expect(try harness.load(opened.store, app).value("key") == nil)
        try harness.commit(opened.store, [change])
        #expect(try harness.load(opened.store, app).value("key") == .byte(1))
        #expect(try (disk.path + "/store/damaged-1/defaults.sqlite").bytesOfFile() == bytes)
    }

    @Test("P9: on a full disk a damaged store's backup is read, and put in its place when there is space")
    func restoredWhenThereIsSpace() throws {
        let disk = try TemporaryMount(kibibytes: 256)
        let store = disk.path + "/store"
        do {
            let writer = try WritableStore(StoreDirectory(store), StoreHolder(bus: "test"))
            try writer.commit([.revision(2), .domain(app, revision: 2), try set("key", .byte(1))], now: 0)
            let backup = try #require(try StoreBackup(1, writer))
            while try !backup.step() {}
            try writer.close()
        }
        try ([1] as [UInt8]).write(toFile: store + "/defaults.sqlite")
        try disk.fill("filler")
        let harness = StoreHarness()
        let opened = try harness.open(store)
        #expect(opened.state == .readOnly)
        #expect(opened.reason?.code == .full)
        #expect(try harness.load(opened.store, app).value("key") == .byte(1))
        let change = try set("other", .byte(2))
        var events: [StoreEvent] = []
        opened.store.onEvent = { events.append($0) }
        #expect(try harness.answer { opened.store.commit([change], completion: $0) }.error?.code == .full)
        #expect(events.isEmpty)
        #expect(try (store + "/damaged-1/defaults.sqlite").bytesOfFile() == [1])
        #expect(unlink(disk.path + "/filler") == 0)
        // Revisions go on elsewhere in the store that is put in place now, so what was computed before is refused once.
        #expect(try harness.answer { opened.store.commit([change], completion: $0) }.error?.code == .damaged)
        #expect(opened.store.state == .restored)
        try harness.commit(opened.store, [change])
        #expect(try harness.load(opened.store, app).value("key") == .byte(1))
        #expect(try !(disk.path + "/store").namesInFolder().contains("damaged-2"))
    }

    @Test("P11: a file system that becomes read-only fails commits by name, and works again by itself")
    func remounted() throws {
        let disk = try TemporaryMount(kibibytes: 4_096)
        let harness = StoreHarness()
        let opened = try harness.open(disk.path + "/store")
        try harness.commit(opened.store, [try set("key", .byte(1))])
        try harness.close(opened.store)
        try disk.setReadOnly(true)
        let reopened = try harness.open(disk.path + "/store")
        let change = try set("key", .byte(2))
        #expect(try harness.answer { reopened.store.commit([change], completion: $0) }.error?.code == .readOnly)
        try harness.close(reopened.store)
        try disk.setReadOnly(false)
        let last = try harness.open(disk.path + "/store")
        try harness.commit(last.store, [change])
        #expect(last.state == .healthy)
    }

    @Test("Scenario 14: run as root, another user's store is read and none of its files changes hands")
    func anotherOwner() throws {
        let folder = try TemporaryFolder()
        let home = folder.path("home")
        do {
            let harness = StoreHarness()
            let store = try harness.open(home + "/store").store
            try harness.commit(store, [.revision(2), .domain(app, revision: 2), try set("key", .byte(1))])
        }
        let stranger: uid_t = 65_534
        let paths = [home, home + "/store"] + (try (home + "/store").namesInFolder().map { home + "/store/" + $0 })
        for path in paths { try #require(chown(path, stranger, stranger) == 0) }
        let harness = StoreHarness()
        let opened = try harness.open(home + "/store")
        #expect(opened.state == .readOnly)
        #expect(try harness.load(opened.store, app).value("key") == .byte(1))
        let change = try set("key", .byte(2))
        #expect(try harness.answer { opened.store.commit([change], completion: $0) }.error?.code == .readOnly)
        let missing = try harness.open(home + "/other/store")
        #expect(missing.state == .readOnly)
        #expect(try home.namesInFolder() == ["store"])
        #expect(try (home + "/store").namesInFolder().map { home + "/store/" + $0 } == Array(paths.dropFirst(2)))
        for path in paths { #expect(try path.statusOfFile().st_uid == stranger, "\(path)") }
    }
}
