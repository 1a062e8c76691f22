import CLinux
import DBusTypes
import DefaultsModel
import Glibc
import Support
import Testing

@testable import DefaultsStore

@Suite struct FileTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    @Test("The folder is 0700 with its parents, and every file 0600, also with the umask 0")
    func modes() throws {
        let previous = umask(0)
        defer { umask(previous) }
        let harness = StoreHarness(backupDelay: 0)
        let directory = folder.path("parent/store")
        let store = try harness.open(directory).store
        try harness.commit(store, [try set("key", .byte(1))])
        #expect(try folder.path("parent").modeOfFile() == 0o700)
        #expect(try directory.modeOfFile() == 0o700)
        for name in ["lock", "commit", "reserve", "defaults.sqlite", "defaults.sqlite-wal"] {
            #expect(try (directory + "/" + name).modeOfFile() == 0o600, "\(name)")
        }
    }

    @Test(
        "A path as long as SQLite takes is a place for a store and its backup; a longer one is named, with its length and the limit"
    )
    func longPath() throws {
        let longest = 504 - "/defaults.backup.new.sqlite".utf8.count
        func place(_ length: Int) -> String {
            var path = folder.path("deep")
            while length - path.utf8.count > 202 { path += "/" + String(repeating: "d", count: 100) }
            return path + "/" + String(repeating: "e", count: length - path.utf8.count - 1)
        }
        let deepest = place(longest)
        let first = StoreHarness()
        let made = try first.open(deepest).store
        try first.commit(made, [try set("key", .byte(1))])
        try first.close(made)
        let watch = try FolderWatch(deepest)
        let second = StoreHarness(backupDelay: 0)
        let store = try second.open(deepest).store
        try watch.waitForRename(to: "defaults.backup.sqlite")
        #expect(try second.load(store, app).value("key") == .byte(1))

        let error = #expect(throws: StoreError.self) { try StoreHarness().open(place(longest + 1)) }
        #expect(error?.systemError == ENAMETOOLONG)
        #expect(error?.message.contains("has \(longest + 1) bytes") == true)
        #expect(error?.message.contains("at most \(longest): /") == true)
    }

    @Test("There is no -shm, and after closing no -wal")
    func names() throws {
        let harness = StoreHarness()
        let store = try harness.open(folder.path("store")).store
        try harness.commit(store, [try set("key", .byte(1))])
        #expect(
            try folder.path("store").namesInFolder() == ["commit", "defaults.sqlite", "defaults.sqlite-wal", "lock", "reserve"])
        try harness.close(store)
        #expect(try folder.path("store").namesInFolder() == ["commit", "defaults.sqlite", "lock", "reserve"])
    }

    @Test("Scenario 13: a second opener is told who holds the store, at once, and the first goes on")
    func lock() throws {
        let harness = StoreHarness()
        let store = try harness.open(folder.path("store"), bus: "the bus at unix:path=/run/bus").store
        let error = try #require(throws: StoreError.self) { try StoreHarness().open(folder.path("store"), bus: "another") }
        #expect(error.code == .inUse(pid: getpid(), bus: "the bus at unix:path=/run/bus"))
        #expect(
            error.message
                == "The store in \(folder.path("store")) is in use by process \(getpid()), which serves the bus at unix:path=/run/bus."
        )
        try harness.commit(store, [try set("key", .byte(1))])
        try harness.close(store)
        #expect(try StoreHarness().openOnce(folder.path("store")).state == .healthy)
    }

    @Test("Scenario 13: a lock file left by a dead process means nothing")
    func staleLock() throws {
        _ = try folder.makeFolder("store")
        try "1\nunix:path=/gone\n".write(toNewFile: folder.path("store/lock"))
        let harness = StoreHarness()
        let opened = try harness.open(folder.path("store"))
        #expect(opened.state == .healthy)
        #expect(try String(contentsOfFile: folder.path("store/lock")) == "\(getpid())\ntest\n")
    }

    @Test("A database that another program has open is reported as in use")
    func openElsewhere() throws {
        _ = try StoreHarness().openOnce(folder.path("store"))
        let path = folder.path("store/defaults.sqlite")
        let elsewhere = open(path, O_RDWR | O_CLOEXEC)
        try #require(elsewhere >= 0)
        defer { close(elsewhere) }
        // SQLite locks for its process; to it, a lock that belongs to an open file is another program's.
        try #require(clinux_lock_file(elsewhere, 1) == 0)
        let error = try #require(throws: StoreError.self) { try StoreHarness().open(folder.path("store")) }
        #expect(error.code == .inUse(pid: 0, bus: ""))
    }

    @Test("No symbolic link is followed", arguments: ["defaults.sqlite", "defaults.sqlite-wal", "lock"])
    func links(name: String) throws {
        _ = try StoreHarness().openOnce(folder.path("store"))
        try "outside".write(toNewFile: folder.path("outside"))
        unlink(folder.path("store/" + name))
        try #require(symlink(folder.path("outside"), folder.path("store/" + name)) == 0)
        let error = try #require(throws: StoreError.self) { try StoreHarness().open(folder.path("store")) }
        #expect(error.code == .failed)
        #expect(error.message.contains(name))
        #expect(try String(contentsOfFile: folder.path("outside")) == "outside")
    }

    @Test("A side file that is a symbolic link is not followed, and the store is served without it")
    func linkedSideFile() throws {
        _ = try StoreHarness().openOnce(folder.path("store"))
        try "outside".write(toNewFile: folder.path("outside"))
        unlink(folder.path("store/commit"))
        try #require(symlink(folder.path("outside"), folder.path("store/commit")) == 0)
        let harness = StoreHarness()
        let opened = try harness.open(folder.path("store"))
        #expect(opened.state == .healthy)
        try harness.commit(opened.store, [try set("key", .byte(1))])
        #expect(try String(contentsOfFile: folder.path("outside")) == "outside")
    }

    @Test(
        "A FIFO in a file's place is refused, not waited for",
        arguments: ["defaults.sqlite", "defaults.sqlite-wal", "defaults.sqlite-journal", "lock"])
    func fifo(name: String) throws {
        _ = try folder.makeFolder("store")
        try #require(mkfifo(folder.path("store/" + name), 0o600) == 0)
        let error = try #require(throws: StoreError.self) { try StoreHarness().open(folder.path("store")) }
        #expect(error.code == .failed)
    }

    @Test("A path through a link, with signs that mean something in a URI, works")
    func linkedFolder() throws {
        _ = try folder.makeFolder("real ?#%25 é")
        try #require(symlink(folder.path("real ?#%25 é"), folder.path("link")) == 0)
        do {
            let harness = StoreHarness()
            let opened = try harness.open(folder.path("link/store"))
            #expect(opened.path == folder.path("real ?#%25 é/store/defaults.sqlite"))
            try harness.commit(opened.store, [try set("key", .byte(1))])
        }
        try makeNewer(folder.path("link/store/defaults.sqlite"))
        let harness = StoreHarness()
        #expect(try harness.load(harness.open(folder.path("link/store")).store, app).value("key") == .byte(1))
    }

    @Test("A path that is no directory is named so")
    func notADirectory() throws {
        try "text".write(toNewFile: folder.path("file"))
        for path in ["file", "file/store"] {
            let error = try #require(throws: StoreError.self) { try StoreHarness().open(folder.path(path)) }
            #expect(error.code == .notADirectory)
            #expect(error.message.contains(folder.path("file")))
        }
    }

    @Test("P10: a newer schema is read, and its files are left as they are")
    func newerSchema() throws {
        do {
            let harness = StoreHarness()
            let store = try harness.open(folder.path("store")).store
            try harness.commit(store, [.revision(5), .domain(app, revision: 5), try set("key", .byte(1))])
        }
        try makeNewer(folder.path("store/defaults.sqlite"))
        let before = try folder.path("store/defaults.sqlite").bytesOfFile()
        do {
            let harness = StoreHarness(backupDelay: 0)
            let opened = try harness.open(folder.path("store"))
            #expect(opened.state == .readOnly)
            #expect(opened.reason?.code == .newerSchema)
            #expect(opened.summary.revision == 5)
            #expect(try harness.load(opened.store, app).value("key") == .byte(1))
            let change = try set("key", .byte(2))
            #expect(try harness.answer { opened.store.commit([change], completion: $0) }.error?.code == .newerSchema)
            #expect(try harness.answer { opened.store.acknowledgeLoss(completion: $0) }.error?.code == .newerSchema)
        }
        #expect(try folder.path("store/defaults.sqlite").bytesOfFile() == before)
        #expect(try folder.path("store").namesInFolder() == ["commit", "defaults.sqlite", "lock", "reserve"])
    }

    private func makeNewer(_ path: String) throws {
        try execute("PRAGMA user_version = 2", on: path)
        try execute("PRAGMA wal_checkpoint(TRUNCATE)", on: path)
    }

    @Test("A store behind its side file has lost its tail: restored, with revisions far above")
    func lostTail() throws {
        do {
            let harness = StoreHarness()
            let store = try harness.open(folder.path("store")).store
            try harness.commit(store, [.revision(5), .domain(app, revision: 5), try set("key", .byte(1))])
        }
        try folder.path("store/defaults.sqlite").bytesOfFile().write(toFile: folder.path("older.sqlite"))
        do {
            let harness = StoreHarness()
            let store = try harness.open(folder.path("store")).store
            try harness.commit(store, [.revision(6), .domain(app, revision: 6), try set("key", .byte(2))])
        }
        try folder.path("older.sqlite").bytesOfFile().write(toFile: folder.path("store/defaults.sqlite"))
        for _ in 0..<2 {
            let harness = StoreHarness()
            let opened = try harness.open(folder.path("store"))
            #expect(opened.state == .restored)
            #expect(opened.summary.revision == 5 + 1 << 32)
            #expect(opened.summary.domains[app]?.revision == 5 + 1 << 32)
            #expect(try harness.load(opened.store, app).value("key") == .byte(1))
        }
        let harness = StoreHarness()
        let opened = try harness.open(folder.path("store"))
        try harness.acknowledgeLoss(opened.store)
        try harness.close(opened.store)
        #expect(try harness.open(folder.path("store")).state == .healthy)
    }

    @Test(
        "A side file that is behind, cut or gone says nothing",
        arguments: [[], [1], [0, 0, 0, 0, 0, 0, 0, 0], [UInt8](repeating: 255, count: 9)])
    func sideFile(bytes: [UInt8]) throws {
        do {
            let harness = StoreHarness()
            let store = try harness.open(folder.path("store")).store
            try harness.commit(store, [try set("key", .byte(1))])
        }
        try bytes.write(toFile: folder.path("store/commit"))
        #expect(try StoreHarness().openOnce(folder.path("store")).state == .healthy)
    }
}
