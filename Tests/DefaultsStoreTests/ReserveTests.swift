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
}
