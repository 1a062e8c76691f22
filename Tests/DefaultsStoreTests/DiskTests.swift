import DBusTypes
import DefaultsModel
import Glibc
import Testing

@testable import DefaultsStore

/// A small file system of its own, unmounted with the test.
final class SmallDisk {
    let path: String

    /// Whether this process may mount one.
    static let isPossible: Bool = {
        guard geteuid() == 0, let folder = try? TemporaryFolder() else { return false }
        guard (try? run("/bin/mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs", folder.path)) == 0 else { return false }
        _ = try? run("/bin/umount", folder.path)
        return true
    }()

    init(_ folder: TemporaryFolder, size: String) throws {
        path = folder["disk"]
        try #require(mkdir(path, 0o700) == 0)
        try #require(try run("/bin/mount", "-t", "tmpfs", "-o", "size=\(size)", "tmpfs", path) == 0)
    }

    deinit { _ = try? run("/bin/umount", "-l", path) }

    /// Takes all space that is left.
    func fill() throws {
        let descriptor = open(path + "/filler", O_WRONLY | O_CREAT | O_APPEND, 0o600)
        try #require(descriptor >= 0)
        defer { close(descriptor) }
        let page = [UInt8](repeating: 0, count: 4096)
        while write(descriptor, page, page.count) > 0 {}
    }

    /// Gives the space back.
    func free() { unlink(path + "/filler") }

    func remount(_ options: String) throws {
        try #require(try run("/bin/mount", "-o", "remount,\(options)", path) == 0)
    }
}

@Suite(.enabled(if: SmallDisk.isPossible, "mounting takes root")) struct DiskTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private let large = Value.string(String(repeating: "x", count: 9_000))

    @Test("P11, scenario 4: on a full disk a commit fails by name and changes nothing; with space back it works again")
    func full() throws {
        let disk = try SmallDisk(folder, size: "256k")
        let harness = StoreHarness()
        let opened = try harness.open(disk.path + "/store")
        try harness.commit(opened.store, [.revision(2), .domain(app, revision: 2), try set("key", .string("old"))])
        try disk.fill()
        let change = try set("key", large)
        for _ in 0..<3 {
            let error = try harness.answer { opened.store.commit([.revision(3), change], completion: $0) }.error
            #expect(error?.code == .full)
            #expect(error?.message.contains("xxx") == false)
            #expect(try harness.load(opened.store, app).value("key") == .string("old"))
        }
        try harness.close(opened.store)
        #expect(folder.names("disk/store") == ["commit", "defaults.sqlite", "lock"])

        let again = try harness.open(disk.path + "/store")
        #expect(again.state == .healthy)
        #expect(again.summary.revision == 2)
        #expect(try harness.load(again.store, app).value("key") == .string("old"))
        #expect(try harness.answer { again.store.commit([change], completion: $0) }.error?.code == .full)
        disk.free()
        try harness.commit(again.store, [change])
        #expect(try harness.load(again.store, app).value("key") == large)
        try harness.close(again.store)
        #expect(try harness.load(harness.open(disk.path + "/store").store, app).value("key") == large)
    }

    @Test("P11: a full disk with no store yet reads as empty, and the store is made when there is space")
    func fullAtFirst() throws {
        let disk = try SmallDisk(folder, size: "256k")
        try #require(mkdir(disk.path + "/store", 0o700) == 0)
        try disk.fill()
        let harness = StoreHarness()
        let opened = try harness.open(disk.path + "/store")
        #expect(opened.state == .readOnly)
        #expect(opened.reason?.code == .full)
        let change = try set("key", .byte(1))
        #expect(try harness.answer { opened.store.commit([change], completion: $0) }.error?.code == .full)
        #expect(!folder.names("disk/store").contains { $0.contains("new") || $0.contains("sqlite") })
        var events: [StoreEvent] = []
        opened.store.onEvent = { events.append($0) }
        disk.free()
        try harness.commit(opened.store, [change])
        #expect(events == [.state(.healthy, nil)])
        #expect(opened.store.state == .healthy)
        #expect(try harness.load(opened.store, app).value("key") == .byte(1))
    }

    @Test("P11: a store on a read-only file system is read, also what is only in its -wal")
    func readOnly() throws {
        let disk = try SmallDisk(folder, size: "4m")
        do {
            let harness = StoreHarness()
            let store = try harness.open(disk.path + "/store").store
            try harness.commit(store, [.revision(2), .domain(app, revision: 2), try set("key", .byte(1))])
            // As a process that dies leaves them: with everything still in the -wal.
            try #require(mkdir(disk.path + "/killed", 0o700) == 0)
            for name in ["defaults.sqlite", "defaults.sqlite-wal", "commit", "lock"] {
                try copy(disk.path + "/store/" + name, to: disk.path + "/killed/" + name)
            }
        }
        try disk.remount("ro")
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
        let disk = try SmallDisk(folder, size: "4m")
        _ = try StoreHarness().openOnce(disk.path + "/store")
        try write([UInt8](repeating: 7, count: 24_576), to: disk.path + "/store/defaults.sqlite")
        try disk.remount("ro")
        let error = try #require(throws: StoreError.self) { try StoreHarness().open(disk.path + "/store") }
        #expect(error.code == .damaged)
        #expect(folder.names("disk/store") == ["commit", "defaults.sqlite", "lock"])
    }

    @Test("P9: damage met while nothing can be moved aside is Unavailable, not absent, and is mended once it can be")
    func damagedWithoutRoom() throws {
        let disk = try SmallDisk(folder, size: "4m,nr_inodes=24")
        let database = disk.path + "/store/defaults.sqlite"
        do {
            let harness = StoreHarness()
            let store = try harness.open(disk.path + "/store").store
            try harness.commit(store, [.revision(2), .domain(app, revision: 2), try set("key", .string("MARKER"))])
        }
        var bytes = try contents(of: database)
        bytes[try #require(bytes.position(of: "MARKER"))] ^= 1
        try write(bytes, to: database)

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
        #expect(try contents(of: database) == bytes)

        for filler in fillers { unlink(filler) }
        // The first was computed on the store that is gone now: it is refused, and another is in its place.
        #expect(try harness.answer { opened.store.commit([change], completion: $0) }.error?.code == .damaged)
        #expect(opened.store.state == .lost)
        #expect(try harness.load(opened.store, app).value("key") == nil)
        try harness.commit(opened.store, [change])
        #expect(try harness.load(opened.store, app).value("key") == .byte(1))
        #expect(try contents(of: disk.path + "/store/damaged-1/defaults.sqlite") == bytes)
    }

    @Test("P9: on a full disk a damaged store's backup is read, and put in its place when there is space")
    func restoredWhenThereIsSpace() throws {
        let disk = try SmallDisk(folder, size: "256k")
        let store = disk.path + "/store"
        do {
            let writer = try WritableStore(StoreDirectory(store), StoreHolder(bus: "test"))
            try writer.commit([.revision(2), .domain(app, revision: 2), try set("key", .byte(1))], now: 0)
            let backup = try #require(try StoreBackup(1, writer))
            while try !backup.step() {}
            try writer.close()
        }
        try write([1], to: store + "/defaults.sqlite")
        try disk.fill()
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
        #expect(try contents(of: store + "/damaged-1/defaults.sqlite") == [1])
        disk.free()
        // Revisions go on elsewhere in the store that is put in place now, so what was computed before is refused once.
        #expect(try harness.answer { opened.store.commit([change], completion: $0) }.error?.code == .damaged)
        #expect(opened.store.state == .restored)
        try harness.commit(opened.store, [change])
        #expect(try harness.load(opened.store, app).value("key") == .byte(1))
        #expect(!folder.names("disk/store").contains("damaged-2"))
    }

    @Test("P11: a file system that becomes read-only fails commits by name, and works again by itself")
    func remounted() throws {
        let disk = try SmallDisk(folder, size: "4m")
        try #require(mkdir(folder["store"], 0o700) == 0)
        let harness = StoreHarness()
        let opened = try harness.open(disk.path + "/store")
        try harness.commit(opened.store, [try set("key", .byte(1))])
        try harness.close(opened.store)
        try disk.remount("ro")
        let reopened = try harness.open(disk.path + "/store")
        let change = try set("key", .byte(2))
        #expect(try harness.answer { reopened.store.commit([change], completion: $0) }.error?.code == .readOnly)
        try harness.close(reopened.store)
        try disk.remount("rw")
        let last = try harness.open(disk.path + "/store")
        try harness.commit(last.store, [change])
        #expect(last.state == .healthy)
    }

    @Test("Scenario 14: run as root, another user's store is read and none of its files changes hands")
    func anotherOwner() throws {
        do {
            let harness = StoreHarness()
            let store = try harness.open(folder["home/store"]).store
            try harness.commit(store, [.revision(2), .domain(app, revision: 2), try set("key", .byte(1))])
        }
        try #require(try run("/bin/chown", "-R", "65534:65534", folder["home"]) == 0)
        let harness = StoreHarness()
        let opened = try harness.open(folder["home/store"])
        #expect(opened.state == .readOnly)
        #expect(try harness.load(opened.store, app).value("key") == .byte(1))
        let change = try set("key", .byte(2))
        #expect(try harness.answer { opened.store.commit([change], completion: $0) }.error?.code == .readOnly)
        let missing = try harness.open(folder["home/other/store"])
        #expect(missing.state == .readOnly)
        #expect(folder.names("home") == ["store"])
        for name in folder.names("home/store") {
            var status = stat()
            #expect(lstat(folder["home/store/" + name], &status) == 0)
            #expect(status.st_uid == 65534, "\(name)")
        }
    }
}
