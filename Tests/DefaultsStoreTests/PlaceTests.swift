import DBusTypes
import DefaultsModel
import Glibc
import Support
import Testing

@testable import DefaultsStore

@Suite("A store whose files go from under it")
struct PlaceTests {
    private let folder: TemporaryFolder
    private var path: String { folder.path("store") }
    private let domain = DomainName("org.example.App") ?? .global

    init() throws { folder = try TemporaryFolder() }

    /// What happens to the files.
    enum Loss: String, CaseIterable, Sendable {
        case folderRemoved, folderMoved, databaseRemoved, logRemoved, databaseEmptied, databaseCut
    }

    private func change(_ key: String, _ value: Int32, revision: UInt64) throws -> [RecordChange] {
        let key = try #require(PreferenceKey(key))
        let record = PreferenceRecord(value: .int32(value), modified: 1, writer: ":1.1")
        return [.revision(revision), .domain(domain, revision: revision), .preference(domain, .user, key, record)]
    }

    private func happen(_ loss: Loss) throws {
        switch loss {
        case .folderRemoved:
            for name in try path.namesInFolder() { unlink("\(path)/\(name)") }
            try #require(rmdir(path) == 0)
        case .folderMoved: try #require(rename(path, folder.path("away")) == 0)
        case .databaseRemoved: unlink(path + "/" + FileName.database)
        case .logRemoved: unlink(path + "/" + FileName.database + FileName.wal)
        case .databaseEmptied: try #require(truncate(path + "/" + FileName.database, 0) == 0)
        case .databaseCut: try #require(truncate(path + "/" + FileName.database, 4_096) == 0)
        }
    }

    @Test("P7: what would go to files that are no longer there is refused, and the next write is kept", arguments: Loss.allCases)
    func refused(_ loss: Loss) throws {
        do {
            let harness = StoreHarness()
            let store = try harness.open(path).store
            var events: [StoreEvent] = []
            store.onEvent = { events.append($0) }
            try harness.commit(store, change("before", 1, revision: 2))
            try happen(loss)
            let error = #expect(throws: StoreError.self) { try harness.commit(store, change("refused", 2, revision: 3)) }
            #expect(error?.code == .failed)
            guard case .replaced(let state, let summary, _)? = events.last else {
                Issue.record("the store says nothing of it: \(events)")
                return
            }
            #expect(state == store.state && (state == .lost || state == .restored))
            #expect(events.count == 1)
            #expect(summary.revision > 1 << 32, "revisions never go back: \(summary.revision)")
            try harness.commit(store, change("after", 3, revision: summary.revision + 1))
        }
        let harness = StoreHarness()
        let opened = try harness.open(path)
        #expect(opened.state == .lost || opened.state == .restored)
        let keys = try harness.load(opened.store, domain).preferences[.user] ?? [:]
        #expect(keys[try #require(PreferenceKey("after"))]?.value == .int32(3))
        if loss != .logRemoved && loss != .databaseRemoved { #expect(keys.count == 1) }
    }

    @Test("P9: a database emptied while it is in use is damage to the next read as well, and the backup takes its place")
    func emptied() throws {
        try #require(mkdir(path, 0o700) == 0)
        let names = try FolderWatch(path)
        let harness = StoreHarness(backupDelay: 200_000_000)
        let store = try harness.open(path).store
        try harness.commit(store, change("kept", 1, revision: 2))
        try names.waitForRename(to: FileName.backup)
        try happen(.databaseEmptied)
        var events: [StoreEvent] = []
        store.onEvent = { events.append($0) }
        #expect(try harness.load(store, domain).preferences[.user]?.values.map(\.value) == [.int32(1)])
        #expect(store.state == .restored && events.count == 1)
        #expect(try path.namesInFolder().contains("damaged-1"))
        try harness.commit(store, change("after", 2, revision: 1 << 33))
    }

    @Test("P9: another store in the folder's place is served, its revisions above all that were given")
    func replacedFolder() throws {
        do {
            let harness = StoreHarness()
            let store = try harness.open(path).store
            try harness.commit(store, change("old", 1, revision: 2))
            try harness.close(store)
        }
        try #require(mkdir(folder.path("copy"), 0o700) == 0)
        for name in try path.namesInFolder() {
            try "\(path)/\(name)".bytesOfFile().write(toFile: folder.path("copy/\(name)"))
        }
        let harness = StoreHarness()
        let store = try harness.open(path).store
        try harness.commit(store, change("old", 2, revision: 40))
        try #require(rename(path, folder.path("away")) == 0 && rename(folder.path("copy"), path) == 0)
        // A read notices it too, and is of the store that is there.
        let contents = try harness.load(store, domain)
        #expect(contents.preferences[.user]?.values.map(\.value) == [.int32(1)])
        #expect(contents.revision > 1 << 32)
        #expect(store.state == .restored)
    }

    @Test("P7: a store that can't be made anew refuses every write, and works by itself once it can")
    func blocked() throws {
        let harness = StoreHarness()
        let store = try harness.open(path).store
        try harness.commit(store, change("before", 1, revision: 2))
        try happen(.folderMoved)
        try "x".write(toNewFile: path)
        for number in 0..<2 {
            #expect(throws: StoreError.self) { try harness.commit(store, change("k", Int32(number), revision: 3)) }
        }
        #expect(store.state == .readOnly)
        #expect(throws: StoreError.self) { try harness.load(store, domain) }
        unlink(path)
        #expect(throws: StoreError.self, "the changes were computed on the store before") {
            try harness.commit(store, change("k", 7, revision: 3))
        }
        #expect(store.state == .lost)
        try harness.commit(store, change("k", 7, revision: 1 << 33))
        #expect(try harness.load(store, domain).preferences[.user]?.count == 1)
    }

    @Test("P9: stopping after the files have gone leaves alone what is in their place")
    func stopLeavesAlone() throws {
        do {
            let harness = StoreHarness()
            let store = try harness.open(path).store
            try harness.commit(store, change("before", 1, revision: 2))
            try happen(.folderMoved)
            try #require(mkdir(path, 0o700) == 0)
            try "another's".write(toNewFile: path + "/" + FileName.database + FileName.wal)
            try harness.close(store)
        }
        #expect(try String(contentsOfFile: path + "/" + FileName.database + FileName.wal) == "another's")
        #expect(try path.namesInFolder() == [FileName.database + FileName.wal])
    }
}
