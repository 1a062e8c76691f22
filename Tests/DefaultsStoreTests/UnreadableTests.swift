import CSupport
import DBusTypes
import DefaultsModel
import Glibc
import Support
import Testing

@testable import DefaultsStore

@Suite(
    "What can't be written, looked at or read",
    .enabled(if: TemporaryMount.isPossible, "mounting and other users' rights take root"))
struct UnreadableTests {
    private let nobody: UInt32 = 65_534

    private func set(_ key: String, _ value: Value) throws -> RecordChange {
        let record = PreferenceRecord(value: value, modified: 1, writer: ":1.1")
        return .preference(try #require(DomainName("org.example.App")), .user, try #require(PreferenceKey(key)), record)
    }

    @Test("P11: a store whose -wal alone can't be written is read-only from the start, with what is in the -wal")
    func logOnly() throws {
        let app = try #require(DomainName("org.example.App"))
        let disk = try TemporaryMount(kibibytes: 4_096)
        let copy = disk.path + "/copy"
        try #require(mkdir(copy, 0o700) == 0)
        do {
            let harness = StoreHarness()
            let store = try harness.open(disk.path + "/store").store
            try harness.commit(store, [.revision(2), .domain(app, revision: 2), try set("key", .byte(1))])
            for name in try (disk.path + "/store").namesInFolder() {
                try "\(disk.path)/store/\(name)".bytesOfFile().write(toFile: "\(copy)/\(name)")
            }
        }
        let log = "\(copy)/\(FileName.database)\(FileName.wal)"
        try #require(try log.statusOfFile().st_size > 0)
        try #require(mount(log, log, nil, UInt(MS_BIND), nil) == 0)
        defer { umount2(log, Int32(MNT_DETACH)) }
        try #require(mount(nil, log, nil, UInt(MS_REMOUNT) | UInt(MS_BIND) | UInt(MS_RDONLY), nil) == 0)
        let harness = StoreHarness()
        let opened = try harness.open(copy)
        #expect(opened.state == .readOnly && opened.reason?.code == .readOnly)
        let user = try harness.load(opened.store, app).preferences[.user]
        #expect(user?.values.map(\.value) == [.byte(1)])
        let change = try set("key", .byte(2))
        #expect(throws: StoreError.self) { try harness.commit(opened.store, [change]) }
    }

    @Test("P8: a file that can't be looked at for want of rights is unknown: neither absent nor read-only")
    func examined() throws {
        let folder = try TemporaryFolder()
        let path = try folder.makeFolder("store")
        let directory = try StoreDirectory(path)
        try #require(csupport_use_rights_of(nobody) == 0)
        defer { _ = csupport_use_rights_of(0) }
        let error = #expect(throws: StoreError.self) { _ = try directory.entry(FileName.database) }
        #expect(error?.code == .failed && error?.systemError == EACCES, "\(String(describing: error))")
    }

    @Test("P8, P9: a backup that can't be read is unknown too: it stays where it is, and is restored once it can be read")
    func backup() throws {
        let app = try #require(DomainName("org.example.App"))
        let folder = try TemporaryFolder()
        let path = folder.path("store")
        let backup = path + "/" + FileName.backup
        do {
            let writer = try WritableStore(StoreDirectory(path), StoreHolder(bus: "test"))
            try writer.commit([.revision(2), .domain(app, revision: 2), try set("key", .byte(1))], now: 0)
            let copy = try #require(try StoreBackup(1, writer))
            while try !copy.step() {}
            try writer.close()
        }
        try ([1] as [UInt8]).write(toFile: path + "/" + FileName.database)
        do {
            // A regular file that fails to be read.
            try #require(mount("/proc/self/mem", backup, nil, UInt(MS_BIND), nil) == 0)
            defer { umount2(backup, Int32(MNT_DETACH)) }
            for _ in 0..<2 {
                let error = #expect(throws: StoreError.self) { try StoreHarness().openOnce(path) }
                #expect(error?.code == .failed && error?.systemError == EIO, "\(String(describing: error))")
            }
        }
        #expect(try path.namesInFolder().filter { $0.hasPrefix(FileName.damagedPrefix) } == ["damaged-1"])
        #expect(try (path + "/damaged-1").namesInFolder() == [FileName.database])
        let harness = StoreHarness()
        let opened = try harness.open(path)
        #expect(opened.state == .restored)
        #expect(try harness.load(opened.store, app).preferences[.user]?.values.map(\.value) == [.byte(1)])
    }
}
