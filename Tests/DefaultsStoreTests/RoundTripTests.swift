import DBusTypes
import DefaultsModel
import Support
import Testing

@testable import DefaultsStore

@Suite struct RoundTripTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// Scenario 8, and every type.
    private static let values: [(String, Value)] = [
        ("byte", .byte(255)), ("true", .boolean(true)), ("int16", .int16(.min)), ("uint16", .uint16(.max)),
        ("int32", .int32(.min)), ("uint32", .uint32(.max)), ("int64 min", .int64(.min)), ("int64 max", .int64(.max)),
        ("uint64", .uint64(.max)), ("tenth", .double(0.1)), ("negative zero", .double(-0.0)), ("infinity", .double(-.infinity)),
        ("nan", .double(Double(bitPattern: 0x7FF8_DEAD_BEEF_0001))),
        ("signalling nan", .double(Double(bitPattern: 0x7FF0_0000_0000_0001))),
        ("empty text", .string("")), ("text", .string("a\tb\n ")), ("flag", .string("🇺🇦 é")), ("decomposed", .string("e\u{301}")),
        ("control", .string("\u{1}")), ("path", .objectPath("/org/example")), ("signature", .signature("a{sv}")),
        ("bytes", .array(ArrayValue(bytes: [0, 1, 255]))), ("no bytes", .array(ArrayValue(bytes: []))),
        ("no texts", .array(ArrayValue(unchecked: [], of: .string))),
        (
            "nested",
            .array(ArrayValue(unchecked: [.variant(.array(ArrayValue(unchecked: [.int32(1)], of: .int32)))], of: .variant))
        ),
        ("structure", .structure([.int32(1), .string("two"), .structure([.byte(3)])])),
        ("dictionary", .dictionary(DictionaryValue([("b", .int64(1)), ("a", .double(.nan))]))),
        ("empty dictionary", .dictionary(DictionaryValue(unchecked: [], key: .uint32, value: .string))),
        ("variant", .variant(.variant(.uint16(7)))), ("k.with/slash é", .boolean(false)),
    ]

    @Test("P3: every type comes back from a reopened store with the same bits")
    func everyType() throws {
        let changes = try Self.values.map { try set($0.0, $0.1) }
        do {
            let harness = StoreHarness()
            let opened = try harness.open(folder.path("store"))
            #expect(opened.state == .healthy)
            #expect(opened.reason == nil)
            #expect(opened.summary == StoreSummary())
            #expect(opened.path == folder.path("store/defaults.sqlite"))
            try harness.commit(opened.store, changes)
        }
        let harness = StoreHarness()
        let opened = try harness.open(folder.path("store"))
        #expect(opened.state == .healthy)
        let loaded = try harness.load(opened.store, app)
        #expect(loaded.preferences[.user]?.count == Self.values.count)
        for (key, value) in Self.values {
            #expect(loaded.value(key) == value, "\(key)")
            #expect(loaded.value(key)?.marshalled() == value.marshalled(), "\(key)")
        }
        let key = try #require(PreferenceKey("byte"))
        let record = try #require(loaded.preferences[.user]?[key])
        #expect(record.modified == 1_700_000_000_000_000)
        #expect(record.writer == ":1.7")
    }

    @Test("The summary has the revision, the domains with counts and sizes, and the countdowns")
    func summary() throws {
        let countdown = Value.dictionary(DictionaryValue([("deadline", .int64(5))]))
        let launches = Value.dictionary(DictionaryValue([("last", .string("1.9"))]))
        let expected = StoreSummary(
            revision: 41,
            domains: [
                app: DomainSummary(revision: 40, keys: 3, bytes: 1 + 8 + 1 + 4 + 1 + 4 + 5 + 1),
                other: DomainSummary(revision: 41),
            ],
            countdowns: ["token": countdown])
        do {
            let harness = StoreHarness()
            let store = try harness.open(folder.path("store")).store
            try harness.commit(
                store,
                [
                    .revision(40), .domain(app, revision: 40), try set("a", .int64(1)), try set("b", .int64(2)),
                    try set("b", .int32(2)), try set("b", .string("words"), layer: .registered),
                    .onboarding(app, OnboardingID(.launches), launches), .onboarding(app, OnboardingID(.flag, "gone"), launches),
                    .countdown("token", countdown), .countdown("ended", countdown),
                ])
            try harness.commit(
                store,
                [
                    .revision(41), .domain(other, revision: 41), .onboarding(app, OnboardingID(.flag, "gone"), nil),
                    .countdown("ended", nil), .countdown("never there", nil), try reset("never there"),
                ])
        }
        let harness = StoreHarness()
        let opened = try harness.open(folder.path("store"))
        #expect(opened.summary == expected)
        let loaded = try harness.load(opened.store, app)
        #expect(loaded.revision == 40)
        #expect(loaded.onboarding == [OnboardingID(.launches): launches])
        #expect(loaded.value("b") == .int32(2))
        #expect(loaded.preferences[.registered]?.count == 1)
        #expect(try harness.load(opened.store, other) == DomainContents(revision: 41))
        #expect(try harness.load(opened.store, .global) == DomainContents())
    }

    @Test("A domain's row stays when its keys go, so that its revision never goes back")
    func rowsStay() throws {
        let harness = StoreHarness()
        let store = try harness.open(folder.path("store")).store
        try harness.commit(store, [.revision(2), .domain(app, revision: 2), try set("key", .byte(1))])
        try harness.commit(store, [.revision(3), .domain(app, revision: 3), try reset("key")])
        try harness.close(store)
        let opened = try harness.open(folder.path("store"))
        #expect(opened.summary == StoreSummary(revision: 3, domains: [app: DomainSummary(revision: 3)]))
        #expect(try harness.load(opened.store, app) == DomainContents(revision: 3))
    }

    @Test("Answers come in the order of the requests, and what completions ask for is finished before the shutdown")
    func order() throws {
        let harness = StoreHarness()
        let store = try harness.open(folder.path("store")).store
        var answers: [Int] = []
        for number in 0..<50 {
            let change = try set("key", .int64(Int64(number)))
            if number % 5 == 0 {
                store.load(app) { _ in answers.append(number) }
            } else {
                store.commit([change]) { _ in answers.append(number) }
            }
        }
        var last: Result<Void, StoreError>?
        let change = try set("last", .byte(1))
        store.commit([]) { _ in store.commit([change]) { last = $0 } }
        #expect(answers.isEmpty)
        harness.service.shutdown()
        #expect(answers == Array(0..<50))
        #expect(last?.error == nil && last != nil)
        let again = StoreHarness()
        #expect(try again.load(try again.open(folder.path("store")).store, app).value("last") == .byte(1))
    }

    @Test("P7: ten thousand changes are one commit and one row of the domain")
    func largeBatch() throws {
        let changes = try (0..<10_000).map { try set("key \($0)", .string("value \($0)")) }
        let harness = StoreHarness()
        let store = try harness.open(folder.path("store")).store
        try harness.commit(store, changes)
        try harness.close(store)
        #expect(try folder.path("store/commit").bytesOfFile() == [1, 0, 0, 0, 0, 0, 0, 0])
        let opened = try harness.open(folder.path("store"))
        #expect(opened.summary.domains[app]?.keys == 10_000)
        let loaded = try harness.load(opened.store, app)
        #expect(loaded.value("key 9999") == .string("value 9999"))
        #expect(loaded.preferences[.user]?.count == 10_000)
    }

    @Test("A store that was closed answers every request so")
    func closed() throws {
        let harness = StoreHarness()
        let store = try harness.open(folder.path("store")).store
        try harness.close(store)
        #expect(try harness.answer { store.load(app, completion: $0) }.error?.code == .closed)
        #expect(try harness.answer { store.commit([.revision(2)], completion: $0) }.error?.code == .closed)
        #expect(try harness.answer { store.close(completion: $0) }.error?.code == .closed)
    }
}
