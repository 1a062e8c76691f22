import DBusTypes
import DefaultsModel
import Support
import Synchronization
import Testing

@testable import DefaultsStore

/// What happens before a commit is answered, and what after.
@Suite struct FollowUpTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private var database: String { folder.path("store/defaults.sqlite") }

    /// A store that writes; something in it was so large, and has gone, that its -wal is larger than it may grow.
    private func storeWithLargeLog() throws -> WritableStore {
        let store = try WritableStore(StoreDirectory(folder.path("store")), StoreHolder(bus: "test"))
        try store.database.connection.execute(
            "CREATE TABLE large (bytes BLOB); INSERT INTO large VALUES (zeroblob(17 << 20)); DROP TABLE large", .write)
        return store
    }

    @Test("P7: a commit's number is in the side file before its answer, and the -wal is brought in after it")
    func commit() throws {
        let store = try storeWithLargeLog()
        store.followUp()
        #expect(store.database.walSize > 16 << 20, "nothing was committed")
        try store.commit([try set("key", .byte(1))], now: 0)
        #expect(try folder.path("store/commit").bytesOfFile() == [1, 0, 0, 0, 0, 0, 0, 0])
        #expect(store.database.walSize > 16 << 20)
        store.followUp()
        #expect(store.database.walSize == 0)
        #expect(try database.statusOfFile().st_size > 16 << 20)
        for number in 2...3 as ClosedRange<UInt8> {
            try store.commit([try set("key", .byte(number))], now: 0)
            #expect(try folder.path("store/commit").bytesOfFile() == [number, 0, 0, 0, 0, 0, 0, 0])
            store.followUp()
            #expect(store.database.walSize > 0, "a small one stays")
        }
    }

    @Test("The store thread answers a commit before it brings the -wal into the database")
    func answerComesFirst() throws {
        do { try storeWithLargeLog().abandon() }
        let wakeups = Pipe()
        let sizes = Mutex<[Int]>([])
        let database = database
        // Called on the store thread when an answer waits.
        let service = StoreService(pace: BackupPace()) {
            let size = (try? database.statusOfFile().st_size) ?? 0
            sizes.withLock { $0.append(size) }
            wakeups.write()
        }
        defer { service.shutdown() }
        var opened: OpenedStore?
        service.open(directory: folder.path("store"), holder: StoreHolder(bus: "test")) { opened = try? $0.get() }
        try wakeups.wait()
        service.deliver()
        let store = try #require(opened).store
        var result: Result<Void, StoreError>?
        store.commit([try set("key", .byte(1))]) { result = $0 }
        try wakeups.wait()
        service.deliver()
        #expect(result != nil && result?.error == nil)
        let atAnswer = sizes.withLock { $0.last }
        #expect(try #require(atAnswer) < 1 << 20)
        store.load(other) { _ in }
        try wakeups.wait()
        service.deliver()
        let atNext = sizes.withLock { $0.last }
        #expect(try #require(atNext) > 16 << 20, "before the next request")
    }
}
