import DBusTypes
import DefaultsModel
import Glibc
import Support
import Testing

@testable import DefaultsStore

@Suite struct DamageTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private var database: String { folder.path("store/defaults.sqlite") }

    /// A store with two domains, onboarding and a countdown, closed.
    private func makeStore() throws {
        let harness = StoreHarness()
        let store = try harness.open(folder.path("store")).store
        let record = Value.dictionary(DictionaryValue([("entry", .string("record"))]))
        try harness.commit(
            store, [.revision(7), .domain(app, revision: 7), try set("key", .string("MARKER")), try set("b", .byte(2))])
        try harness.commit(
            store,
            [
                .revision(8), .domain(other, revision: 8), try set("key", .int64(1), in: other),
                .onboarding(app, OnboardingID(.launches), record), .countdown("token", record),
            ])
        try harness.close(store)
    }

    @Test("P9: a flipped byte in a value is found when its domain is loaded, and the store moved aside before the answer")
    func flippedByte() throws {
        try makeStore()
        var bytes = try database.bytesOfFile()
        let position = try #require(bytes.position(of: "MARKER"))
        bytes[position] ^= 0x20
        try bytes.write(toFile: database)

        let harness = StoreHarness()
        let opened = try harness.open(folder.path("store"))
        #expect(opened.state == .healthy)
        #expect(try harness.load(opened.store, other).value("key") == .int64(1))
        var events: [StoreEvent] = []
        var stateAtAnswer: StoreState?
        opened.store.onEvent = { events.append($0) }
        let loaded = try harness.answer { completion in
            opened.store.load(app) { result in
                stateAtAnswer = opened.store.state
                completion(result)
            }
        }.get()
        #expect(loaded == DomainContents())
        #expect(stateAtAnswer == .lost)
        guard case .replaced(.lost, let summary, let reason) = try #require(events.first) else {
            Issue.record("the store was replaced: \(events)")
            return
        }
        #expect(events.count == 1)
        #expect(reason.code == .damaged)
        #expect(!reason.message.contains("MARKER"))
        #expect(summary == StoreSummary(revision: 1 << 32))
        #expect(try folder.path("store/damaged-1/defaults.sqlite").bytesOfFile() == bytes)
        try harness.commit(opened.store, [.revision(summary.revision + 1), try set("key", .byte(9))])
        try harness.close(opened.store)

        let again = try harness.open(folder.path("store"))
        #expect(again.state == .lost)
        #expect(again.summary.revision == (1 << 32) + 1)
        #expect(try harness.load(again.store, app).value("key") == .byte(9))
        try harness.acknowledgeLoss(again.store)
        #expect(again.store.state == .healthy)
        try harness.close(again.store)
        #expect(try harness.open(folder.path("store")).state == .healthy)
    }

    /// What was done to the file, and whether it is found when the store is opened or when the domain is loaded.
    private static let changes: [(String, atOpen: Bool)] = [
        ("DELETE FROM preferences WHERE key = 'b'", false),
        ("UPDATE preferences SET key = 'c' WHERE key = 'b'", false),
        ("UPDATE preferences SET modified = modified + 1 WHERE key = 'b'", false),
        ("UPDATE preferences SET writer = ':1.8' WHERE key = 'b'", false),
        ("UPDATE preferences SET type = 'b' WHERE key = 'b'", false),
        ("UPDATE preferences SET layer = 0 WHERE key = 'b'", false),
        ("UPDATE preferences SET domain = 2 WHERE key = 'b'", false),
        ("DELETE FROM onboarding", false),
        ("UPDATE onboarding SET kind = 'flag'", false),
        ("DELETE FROM domains WHERE name = 'org.example.App'", true),
        ("UPDATE domains SET revision = 6 WHERE id = 1", true),
        ("UPDATE domains SET keys = 1 WHERE id = 1", true),
        ("UPDATE domains SET name = 'org.example.Apq' WHERE id = 1", true),
        ("DELETE FROM countdowns", true),
        ("UPDATE countdowns SET token = 'tokem'", true),
        ("UPDATE user SET revision = 7", true),
        ("UPDATE user SET loss = 2", true),
        ("DELETE FROM user", true),
        ("DROP TABLE onboarding", true),
        ("CREATE TRIGGER t AFTER INSERT ON preferences BEGIN DELETE FROM user; END", true),
        ("PRAGMA application_id = 1", true),
        ("PRAGMA user_version = 0", true),
    ]

    @Test("Every row's every column is under a checksum, and every row under a count and a sum", arguments: changes)
    func changedRows(sql: String, atOpen: Bool) throws {
        try makeStore()
        try execute(sql, on: database)
        let harness = StoreHarness()
        let opened = try harness.open(folder.path("store"))
        #expect(opened.state == (atOpen ? .lost : .healthy))
        #expect(opened.reason?.code == (atOpen ? .damaged : nil))
        #expect(try harness.load(opened.store, app) == DomainContents())
        #expect(opened.store.state == .lost)
        #expect(try folder.path("store/damaged-1").namesInFolder().contains("defaults.sqlite"))
    }

    @Test("A row that came back from an older state, checksum and all, is found by its domain's sum")
    func olderRow() throws {
        try makeStore()
        try database.bytesOfFile().write(toFile: folder.path("old.sqlite"))
        do {
            let harness = StoreHarness()
            let store = try harness.open(folder.path("store")).store
            try harness.commit(store, [try set("b", .byte(3))])
        }
        try execute(
            """
            ATTACH '\(folder.path("old.sqlite"))' AS old;
            INSERT OR REPLACE INTO preferences SELECT * FROM old.preferences WHERE key = 'b'
            """, on: database)
        let harness = StoreHarness()
        let opened = try harness.open(folder.path("store"))
        #expect(try harness.load(opened.store, app) == DomainContents())
        #expect(opened.store.state == .lost)
    }

    @Test("P9: a store of length zero is damaged, not new")
    func empty() throws {
        try makeStore()
        try [UInt8]().write(toFile: database)
        let opened = try StoreHarness().openOnce(folder.path("store"))
        #expect(opened.state == .lost)
        #expect(opened.summary == StoreSummary(revision: 1 << 32))
        #expect(try folder.path("store").namesInFolder() == ["commit", "damaged-1", "defaults.sqlite", "lock", "reserve"])
    }

    @Test(
        "A commit file of junk, as after a power cut, says nothing; a small one too high tells of a lost tail",
        arguments: [
            [UInt8](repeating: 0xFF, count: 8), [0xFE] + [UInt8](repeating: 0xFF, count: 7), [], [1, 2, 3],
        ])
    func junkInCommitFile(bytes: [UInt8]) throws {
        try makeStore()
        try bytes.write(toFile: folder.path("store/commit"))
        let harness = StoreHarness()
        let opened = try harness.open(folder.path("store"))
        #expect(opened.state == .healthy)
        try harness.commit(opened.store, [.revision(1_000)])
    }

    @Test(
        "P9: folders damaged-N with an N from which revisions can't go on are left alone",
        arguments: [
            "4294967295", "4294967296", "9223372036854775807", "18446744073709551615",
        ])
    func hugeDamagedNumber(number: String) throws {
        try makeStore()
        try #require(mkdir(folder.path("store/damaged-\(number)"), 0o700) == 0)
        #expect(try StoreHarness().openOnce(folder.path("store")).state == .healthy)
        try [UInt8]().write(toFile: database)
        #expect(try StoreHarness().openOnce(folder.path("store")).summary.revision == 1 << 32)
    }

    @Test("P9: a store that is missing beside damaged-1 is lost, not new")
    func missing() throws {
        try makeStore()
        try [UInt8]().write(toFile: database)
        _ = try StoreHarness().openOnce(folder.path("store"))
        try #require(rename(database, folder.path("taken.sqlite")) == 0)
        #expect(try StoreHarness().openOnce(folder.path("store")).state == .lost)
    }

    @Test("P9: a -wal whose database is gone is kept, and its store lost, not new")
    func orphanedLog() throws {
        try makeStore()
        try #require(rename(database, folder.path("store/defaults.sqlite-wal")) == 0)
        #expect(try StoreHarness().openOnce(folder.path("store")).state == .lost)
        #expect(try folder.path("store/damaged-1").namesInFolder() == ["defaults.sqlite-wal"])
    }

    @Test("P9: a store whose header names a file format that does not exist is damaged, not a reason not to start")
    func unknownFormat() throws {
        try makeStore()
        var bytes = try database.bytesOfFile()
        bytes[47] = 5
        try bytes.write(toFile: database)
        let opened = try StoreHarness().openOnce(folder.path("store"))
        #expect(opened.state == .lost)
        #expect(try folder.path("store/damaged-1/defaults.sqlite").bytesOfFile() == bytes)
    }

    /// Where SQLite's header has user_version.
    ///
    /// With a bit flipped there, a store is one of a later program's: right in all else.
    private static let versionBytes = 60..<64

    @Test("Scenario 5: a store cut anywhere, or with any bit flipped, serves the old values or says that it lost them")
    func cutsAndFlips() throws {
        try makeStore()
        let whole = try database.bytesOfFile()
        let number = try folder.path("store/commit").bytesOfFile()
        var reference: [DomainName: DomainContents] = [:]
        do {
            let harness = StoreHarness()
            let store = try harness.open(folder.path("store")).store
            for domain in [app, other] { reference[domain] = try harness.load(store, domain) }
        }
        var random = SeededGenerator(announcing: "A damaged store")
        var lost = 0
        for round in 0..<300 {
            var bytes = whole
            let flipped = random.damage(&bytes, cutting: round % 2 == 0)
            let store = try TemporaryFolder()
            try bytes.write(toFile: store.path("defaults.sqlite"))
            try number.write(toFile: store.path("commit"))
            let harness = StoreHarness()
            let opened = try harness.open(store.path)
            for domain in [app, other] {
                let loaded = try harness.load(opened.store, domain)
                switch opened.store.state {
                case .healthy: #expect(loaded == reference[domain])
                case .readOnly:
                    #expect(loaded == reference[domain])
                    #expect(opened.reason?.code == .newerSchema)
                    #expect(flipped.map(Self.versionBytes.contains) == true, "round \(round), byte \(flipped ?? -1)")
                case .restored, .lost:
                    #expect(loaded == DomainContents())
                    #expect(try store.path("damaged-1").namesInFolder().contains("defaults.sqlite"))
                }
            }
            if opened.store.state != .healthy { lost += 1 }
        }
        #expect(lost >= 150, "every cut is noticed")
    }
}

extension StoreHarness {
    /// Opens a store, and lets go of it again.
    func openOnce(_ directory: String) throws -> (state: StoreState, summary: StoreSummary) {
        let opened = try open(directory)
        try close(opened.store)
        return (opened.state, opened.summary)
    }
}
