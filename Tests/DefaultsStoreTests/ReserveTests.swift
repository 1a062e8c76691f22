import DBusTypes
import DefaultsModel
import Glibc
import Support
import Testing

@testable import DefaultsStore

@Suite(.enabled(if: TemporaryMount.isPossible, "mounting needs root")) struct ReserveTests {
    private let disk: TemporaryMount
    private var path: String { disk.path + "/store" }

    init() throws { disk = try TemporaryMount(kibibytes: 16_384) }

    private func key(_ number: Int) -> String { "key \(number)" }

    /// Opens a store of 600 keys, of 1 KB each, on a disk that is full then.
    private func openFull() throws -> WritableStore {
        let store = try WritableStore(StoreDirectory(path), StoreHolder(bus: "test"))
        let value = Value.bytes([UInt8](repeating: 1, count: 1_000))
        try store.commit([.revision(2), .domain(app, revision: 2)] + (0..<600).map { try set(key($0), value) }, now: 0)
        store.tidy()
        try disk.fill("filler")
        refuses(store, [try set(key(0), .bytes([UInt8](repeating: 2, count: 4_000_000)))])
        return store
    }

    private func refuses(_ store: WritableStore, _ changes: [RecordChange]) {
        let error = #expect(throws: StoreError.self) { try store.commit(changes, now: 0) }
        #expect(error?.code == .full)
    }

    /// The room that the store has set aside, in bytes; 0 where there is no such file.
    private var reserved: Int64 { (try? (path + "/reserve").statusOfFile()).map { Int64($0.st_blocks) * 512 } ?? 0 }

    @Test("P11: on a full disk what only frees is stored, again and again, and what grows is refused")
    func frees() throws {
        do {
            let store = try openFull()
            for number in 0..<40 {
                let revision = UInt64(3 + number)
                try store.commit([.revision(revision), .domain(app, revision: revision), try reset(key(number))], now: 0)
                store.tidy()
                #expect(reserved == SpaceReserve.size)
            }
            refuses(store, [try set("new", .bytes([UInt8](repeating: 2, count: 4_000_000)))])
            #expect(reserved == SpaceReserve.size)
            // As a kill leaves it.
            store.abandon()
        }
        let harness = StoreHarness()
        let opened = try harness.open(path)
        #expect(opened.state == .healthy)
        #expect(opened.summary.revision == 42)
        let keys = try #require(try harness.load(opened.store, app).preferences[.user])
        #expect(Set(keys.keys.map(\.text)) == Set((40..<600).map(key)))
    }

    @Test("P11: all of a domain can be removed on a full disk, however much that is")
    func freesAll() throws {
        let store = try openFull()
        try store.commit([.revision(3), .domain(app, revision: 3)] + (0..<600).map { try reset(key($0)) }, now: 0)
        #expect(reserved == SpaceReserve.size)
        #expect(try store.load(app) == DomainContents(revision: 3))
    }

    @Test("P11: a batch of what frees and what grows is refused, and nothing of it is stored")
    func mixed() throws {
        let store = try openFull()
        refuses(store, [try reset(key(1)), try set(key(2), .bytes([UInt8](repeating: 2, count: 4_000_000)))])
        #expect(try store.load(app).preferences[.user]?.count == 600)
        #expect(reserved == SpaceReserve.size)
    }

    @Test("Where the room can't be had there is no reserve, and it is made when it can")
    func made() throws {
        try disk.fill("filler")
        let filler = disk.path + "/filler"
        let size = try filler.statusOfFile().st_size
        try #require(truncate(filler, size - 512 << 10) == 0)
        let writer = try WritableStore(StoreDirectory(path), StoreHolder(bus: "test"))
        try writer.commit([try set("key", .byte(1))], now: 0)
        writer.tidy()
        #expect(reserved == 0)
        #expect(try !path.namesInFolder().contains("reserve"))
        #expect(unlink(filler) == 0)
        writer.tidy()
        #expect(reserved == SpaceReserve.size)
    }

    /// Resets one key in a commit of its own.
    private func free(_ number: Int, _ store: WritableStore) throws {
        let revision = UInt64(3 + number)
        try store.commit([.revision(revision), .domain(app, revision: revision), try reset(key(number))], now: 0)
    }

    @Test("P11: what only frees is stored while others take every block that becomes free")
    func freesAgainstOthers() throws {
        let store = try openFull()
        let greedy = try GreedyWriter(disk.path + "/greedy")
        for number in 0..<100 {
            try free(number, store)
            if number % 3 == 0 { store.tidy() }
            refuses(store, [try set("new", .bytes([UInt8](repeating: 2, count: 30_000)))])
        }
        greedy.stop()
        #expect(try store.load(app).preferences[.user]?.count == 500)
    }

    @Test("P11: a log that has room of its own takes nothing on a full disk that the database has no room for")
    func growthIsRefused() throws {
        let store = try openFull()
        #expect(unlink(disk.path + "/filler") == 0)
        try store.commit([try set("large", .bytes([UInt8](repeating: 3, count: 1_000_000)))], now: 0)
        store.tidy()
        try store.database.checkpoint(.passive)
        try disk.fill("filler")
        for _ in 0..<3 { refuses(store, [try set("larger", .bytes([UInt8](repeating: 4, count: 500_000)))]) }
        for number in 0..<100 { try free(number, store) }
        #expect(reserved == SpaceReserve.size)
    }

    @Test("P11: killed when the reserve was given up, the next process stores what frees, and takes the reserve when it can")
    func killedWithoutReserve() throws {
        do {
            let store = try openFull()
            for number in 0..<10 { try free(number, store) }
            #expect(unlink(path + "/reserve") == 0)
            store.abandon()
        }
        try disk.fill("more")
        let store = try WritableStore(StoreDirectory(path), StoreHolder(bus: "test"))
        #expect(store.state == .healthy)
        #expect(reserved == 0)
        for number in 10..<110 {
            try free(number, store)
            store.tidy()
        }
        #expect(try store.load(app).preferences[.user]?.count == 490)
        #expect(unlink(disk.path + "/filler") == 0)
        store.tidy()
        #expect(reserved == SpaceReserve.size)
    }

    @Test("P11: a reserve that was taken in part is taken whole when there is room")
    func partly() throws {
        try #require(mkdir(path, 0o700) == 0)
        let directory = try StoreDirectory(path)
        try disk.fill("filler")
        let filler = disk.path + "/filler"
        try #require(truncate(filler, try filler.statusOfFile().st_size - 100 << 10) == 0)
        var reserve = SpaceReserve(directory)
        reserve.take()
        #expect(reserved == 0)
        reserve.take(isScarce: true)
        #expect(reserved == SpaceReserve.size / 2)
        var next = SpaceReserve(directory)
        next.take()
        #expect(reserved == SpaceReserve.size / 2)
        #expect(unlink(filler) == 0)
        next.take()
        #expect(reserved == SpaceReserve.size)
        let gaveUp = next.giveUp()
        #expect(gaveUp)
        #expect(try path.namesInFolder() == [])
    }

    @Test("P11: on a file system that can't set room aside the reserve is written, as what none can compress")
    func written() throws {
        let disk = try TemporaryMount()
        let store = try WritableStore(StoreDirectory(disk.path + "/store"), StoreHolder(bus: "test"))
        try store.commit([try set("key", .byte(1))], now: 0)
        let bytes = try (disk.path + "/store/reserve").bytesOfFile()
        #expect(bytes.count == SpaceReserve.size)
        let counts = bytes.reduce(into: [Int](repeating: 0, count: 256)) { $0[Int($1)] += 1 }
        #expect(counts.allSatisfy { (400...624).contains($0) })
        #expect(try store.load(app).value("key") == .byte(1))
    }

    @Test("P7: a commit that failed is in no log: the next process doesn't take it for one, and what followed is there")
    func clearedLog() throws {
        do {
            let store = try openFull()
            let names = [FileName.database, FileName.database + FileName.wal]
            try free(0, store)
            refuses(store, [try set("refused", .bytes([UInt8](repeating: 2, count: 4_000_000)))])
            try store.database.checkpoint(.complete)
            try LogFile(store.directory).clear()
            // As a power cut leaves them.
            let copy = disk.path + "/copy"
            #expect(unlink(disk.path + "/filler") == 0)
            try #require(mkdir(copy, 0o700) == 0)
            for name in names { try (path + "/" + name).bytesOfFile().write(toFile: copy + "/" + name) }
            let size = try (path + "/" + names[1]).statusOfFile().st_size
            #expect(size > 0 && size <= LogFile.room)
            let found = try WritableStore(StoreDirectory(copy), StoreHolder(bus: "test"))
            #expect(found.state == .healthy)
            #expect(try found.load(app).preferences[.user]?.count == 599)
            // The next commit begins the log anew.
            try free(1, store)
            store.abandon()
        }
        let found = try WritableStore(StoreDirectory(path), StoreHolder(bus: "test"))
        #expect(found.state == .healthy)
        #expect(try found.load(app).preferences[.user]?.count == 598)
    }
}
