import DBusTypes
import DefaultsModel
import Support
import Testing

@testable import DefaultsStore

/// What goes into rows and comes back from them.
@Suite struct RowTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// What a store should have.
    private struct Expected: Equatable {
        var contents: [DomainName: DomainContents] = [app: DomainContents(), other: DomainContents()]
        var countdowns: [String: Value] = [:]

        mutating func apply(_ change: RecordChange) {
            switch change {
            case .revision: break
            case .domain(let domain, let revision): contents[domain]?.revision = revision
            case .preference(let domain, let layer, let key, let record):
                contents[domain]?.preferences[layer, default: [:]][key] = record
                if contents[domain]?.preferences[layer]?.isEmpty == true { contents[domain]?.preferences[layer] = nil }
            case .onboarding(let domain, let id, let value): contents[domain]?.onboarding[id] = value
            case .countdown(let token, let value): countdowns[token] = value
            }
        }

        func summary(_ domain: DomainName) -> DomainSummary? {
            guard let contents = contents[domain] else { return nil }
            let records = contents.preferences.values.flatMap { $0 }
            let bytes = records.reduce(0) { $0 + PreferenceLimits.size($1.key, $1.value.stored) }
            return DomainSummary(revision: contents.revision, keys: records.count, bytes: bytes)
        }
    }

    /// Keys and writers: as short as they may be, as long, alike but for one byte, and such as only differ in how they are composed.
    private static let keys = ["k", "K", "é", "e\u{301}", "k.with/slash", String(repeating: "x", count: 255)]
    private static let writers = [":1.7", ":1.8", ":1.42", "", String(repeating: ":", count: 255)]

    private static func change(_ random: inout SeededGenerator) throws -> RecordChange {
        let domain = Bool.random(using: &random) ? app : other
        let value: Value? =
            switch Int.random(in: 0..<8, using: &random) {
            case 0...1: nil
            case 2...3: SampleValues.all.randomElement(using: &random)
            default: random.value(random.type(depth: 4), depth: 4)
            }
        switch Int.random(in: 0..<10, using: &random) {
        case 0: return .domain(domain, revision: .random(in: 0...UInt64.max, using: &random))
        case 1...2:
            let kind = OnboardingKind.allCases.randomElement(using: &random) ?? .flag
            return .onboarding(domain, OnboardingID(kind, ["", "id", "é"].randomElement(using: &random) ?? ""), value)
        case 3: return .countdown(["", "token", "tokem"].randomElement(using: &random) ?? "", value)
        default:
            let key = try #require(PreferenceKey(keys.randomElement(using: &random) ?? "k"))
            let writer = writers.randomElement(using: &random) ?? ""
            let record = value.map {
                PreferenceRecord(value: $0, modified: .random(in: .min ... .max, using: &random), writer: writer)
            }
            return .preference(domain, Bool.random(using: &random) ? .user : .registered, key, record)
        }
    }

    @Test("P3, P7: whatever is written, over or removed, comes back from a reopened store as it was, to the bit")
    func anyRows() throws {
        var random = SeededGenerator(announcing: "Rows of any value")
        var expected = Expected()
        let path = folder.path("store")
        for round in 0..<12 {
            let harness = StoreHarness()
            let store = try harness.open(path).store
            for _ in 0..<4 {
                let changes = try (0..<25).map { _ in try Self.change(&random) }
                for change in changes { expected.apply(change) }
                try harness.commit(store, changes)
            }
            try harness.close(store)
            let opened = try harness.open(path)
            #expect(opened.state == .healthy)
            #expect(opened.summary.countdowns == expected.countdowns, "round \(round)")
            for domain in [app, other] {
                #expect(opened.summary.domains[domain] ?? DomainSummary() == expected.summary(domain), "round \(round)")
                let loaded = try harness.load(opened.store, domain)
                #expect(loaded == expected.contents[domain], "round \(round), \(domain)")
                // Equality lets the entries of dictionaries change places; a store has no reason to.
                for (layer, records) in loaded.preferences {
                    for (key, record) in records {
                        let written = expected.contents[domain]?.preferences[layer]?[key]
                        #expect(record.stored.marshalled() == written?.stored.marshalled(), "round \(round), \(key)")
                    }
                }
            }
        }
    }

    @Test("P12: a value as large, and one as deep, as may be stored comes back")
    func largest() throws {
        let bytes = Value.bytes([UInt8](repeating: 0xA5, count: PreferenceLimits.valueBytes - 4))
        let text = Value.string(String(repeating: "é", count: (PreferenceLimits.valueBytes - 5) / 2))
        let nested = SampleValues.variants(PreferenceLimits.valueDepth)
        let values = ["bytes": bytes, "text": text, "nested": nested]
        for (name, value) in values { try PreferenceLimits.check(value, for: try #require(PreferenceKey(name))) }
        let harness = StoreHarness()
        let store = try harness.open(folder.path("store")).store
        try harness.commit(store, try values.map { try set($0.key, $0.value) })
        try harness.close(store)
        let loaded = try harness.load(try harness.open(folder.path("store")).store, app)
        for (name, value) in values { #expect(loaded.value(name)?.marshalled() == value.marshalled(), "\(name)") }
    }

    /// How each table is read, and how many bits of it there are to flip at the least.
    private static let tables: [(String, bits: Int, read: @Sendable (UserDatabase) throws(StoreError) -> Void)] = [
        ("user", 8 * 64, { (database) throws(StoreError) in _ = try UserDatabase.readHead(database.connection) }),
        ("domains", 7 * 64 + 15 * 8, { (database) throws(StoreError) in _ = try database.readDomainRows() }),
        ("preferences", 5 * 64 + 8 * 8, { (database) throws(StoreError) in _ = try database.load(app) }),
        ("onboarding", 3 * 64 + 7 * 8, { (database) throws(StoreError) in _ = try database.load(app) }),
        ("countdowns", 2 * 64 + 6 * 8, { (database) throws(StoreError) in _ = try database.readCountdowns() }),
    ]

    @Test("P9: any flipped bit of any column of any table is damage", arguments: tables.map(\.0))
    func flippedBits(table: String) throws {
        let (_, bits, read) = try #require(Self.tables.first { $0.0 == table })
        let harness = StoreHarness()
        let store = try harness.open(folder.path("store")).store
        // One bit lies between the notations of double and of uint64: such a row can be read with either.
        try harness.commit(
            store,
            [
                .revision(7), .domain(app, revision: 7), try set("key", .double(1.5)),
                .onboarding(app, OnboardingID(.flag, "id"), .double(1.5)), .countdown("token", .double(1.5)),
            ])
        try harness.close(store)
        let database = try UserDatabase(folder.path("store/defaults.sqlite"), .readWrite)
        let connection = database.connection
        var columns: [String] = []
        try connection.prepare("SELECT name FROM pragma_table_info('\(table)')").forEachRow(.read) { (row) throws(StoreError) in
            columns.append(try row.repairedText(0))
        }
        var flipped = 0
        try read(database)
        // SQLite itself refuses another id of the user.
        for column in columns where (table, column) != ("user", "id") {
            let isInteger = try connection.prepare("SELECT typeof(\(column)) FROM \(table)").text(.read) == "integer"
            var bytes: [UInt8] = []
            try connection.prepare("SELECT \(column) FROM \(table)").forEachRow(.read) { (row) throws(StoreError) in
                bytes = isInteger ? withUnsafeBytes(of: try row.column(0), Array.init) : Array(try row.bytes(0))
            }
            let isText = try connection.prepare("SELECT typeof(\(column)) FROM \(table)").text(.read) == "text"
            let update = try connection.prepare("UPDATE \(table) SET \(column) = \(isText ? "CAST(?1 AS TEXT)" : "?1")")
            for bit in 0..<8 * bytes.count {
                var changed = bytes
                changed[bit / 8] ^= 1 << UInt8(bit % 8)
                if isInteger {
                    update.bind(1, changed.withUnsafeBytes { $0.loadUnaligned(as: Int64.self) })
                } else {
                    update.bind(1, changed)
                }
                try connection.execute("BEGIN", .write)
                try update.run(.write)
                let error = #expect(throws: StoreError.self, "\(table).\(column), bit \(bit)") { try read(database) }
                #expect(error?.code == .damaged)
                try connection.execute("ROLLBACK", .write)
                flipped += 1
            }
        }
        try read(database)
        #expect(flipped >= bits)
    }

    /// Changes the row of the only domain, and all checksums with it: what only a program of ours could have written.
    private func rewrite(row change: (inout DomainRow) -> Void = { _ in }, head changeHead: (inout Head) -> Void = { _ in })
        throws
    {
        let path = folder.path("store")
        let harness = StoreHarness()
        let store = try harness.open(path).store
        try harness.commit(store, [.revision(7), .domain(app, revision: 7), try set("key", .byte(1))])
        try harness.close(store)
        let database = try UserDatabase(path + "/defaults.sqlite", .readWrite)
        var head = database.head
        var row = try #require(database.domains[app])
        var checksum = RowChecksum()
        head.domains.remove(checksum.domain(app.text, row))
        change(&row)
        let new = checksum.domain(app.text, row)
        head.domains.add(new)
        changeHead(&head)
        try database.connection.statement(.writeDomain).bind(1, row.id).bind(2, app.text).bind(3, row.revision).bind(4, row.keys)
            .bind(5, row.bytes).bind(6, row.rows.count).bind(7, row.rows.sum).bind(8, new).run(.write)
        try UserDatabase.write(head, to: database.connection)
    }

    @Test("P9: a count that no table has is damage, and no reason to make room for it", arguments: [Int64.max, -1, 0, 2])
    func impossibleCounts(count: Int64) throws {
        try rewrite(head: { $0.domains.count = count })
        #expect(try StoreHarness().openOnce(folder.path("store")).state == .lost)
        let place = folder.path("store/damaged-1")
        #expect(try place.namesInFolder().contains("defaults.sqlite"))
    }

    @Test("P9: a domain with other keys or bytes than its row says is damage", arguments: [Int64.max, -1, 0, 2], [true, false])
    func impossibleSizes(number: Int64, isCount: Bool) throws {
        try rewrite(row: { if isCount { $0.keys = number } else { $0.bytes = number } })
        let harness = StoreHarness()
        let opened = try harness.open(folder.path("store"))
        #expect(opened.state == .healthy)
        #expect(try harness.load(opened.store, app) == DomainContents())
        #expect(opened.store.state == .lost)
    }
}
