import DBusTypes
import Testing

@testable import DefaultsModel

@Suite("Layers, locks and schemas")
struct LayerTests {
    private let fixture = LedgerFixture()
    private let app = LedgerFixture.app

    private func key(_ text: String) -> PreferenceKey { LedgerFixture.key(text) }

    private func write(
        _ domain: DomainName = LedgerFixture.app, _ body: @escaping (PreferenceWrites, StateView) throws(ModelError) -> Outcome
    ) throws -> [Value] {
        fixture.submit("write") { view throws(ModelError) in
            try body(PreferenceWrites(domain, writer: ":1.9", wall: 7), view)
        }
        fixture.commitAll()
        return try #require(fixture.results.last).get()
    }

    private func refusal(
        _ body: @escaping (PreferenceWrites, StateView) throws(ModelError) -> Outcome
    ) throws -> ModelError {
        let error = #expect(throws: ModelError.self) { try write(LedgerFixture.app, body) }
        return try #require(error)
    }

    private func take(_ files: FileLayers) {
        fixture.take(files)
        fixture.commitAll()
    }

    @Test("P1: mandatory, user, machine, registered, each the application's before global's, then the manifest's default")
    func order() throws {
        let k = key("k")
        var files = FileLayers(
            mandatory: [app: [k: .string("mandatory app")], .global: [k: .string("mandatory global")]],
            machine: [app: [k: .string("machine app")], .global: [k: .string("machine global")]],
            schemas: [app: [k: PreferenceSchema(type: .string, defaultValue: .string("manifest"))]])
        let locked = files.mandatory
        files.mandatory = [:]
        take(files)
        fixture.set("k", .string("user app"))
        fixture.set("k", .string("user global"), in: .global)
        fixture.commitAll()
        _ = try write { (writes, view) throws(ModelError) in try writes.register([(k, .string("registered"))], in: view) }
        files.mandatory = locked
        take(files)

        let all = [
            "mandatory app", "mandatory global", "user app", "user global", "machine app", "machine global", "registered",
            "manifest",
        ]
        let layers = fixture.ledger.committedView.layeredValues(app, k)
        #expect(layers.map(\.value) == all.map { .string($0) })
        #expect(
            layers.map(\.layer) == [
                .mandatory, .mandatory, .user, .user, .machine, .machine, .registered, .registered,
            ])
        #expect(layers.map(\.domain) == [app, .global, app, .global, app, .global, app, app])

        // Taken away from the top, each shows what lies below it.
        var seen: [Value?] = [fixture.value("k")]
        func note() { seen.append(fixture.value("k")) }
        files.mandatory[app] = nil
        take(files)
        note()
        files.mandatory = [:]
        take(files)
        note()
        _ = try write { (writes, view) throws(ModelError) in try writes.reset(k, in: view) }
        note()
        _ = try write(.global) { (writes, view) throws(ModelError) in try writes.reset(k, in: view) }
        note()
        files.machine[app] = nil
        take(files)
        note()
        files.machine = [:]
        take(files)
        note()
        _ = try write { (writes, view) throws(ModelError) in try writes.unregister([k], in: view) }
        note()
        take(FileLayers())
        note()
        #expect(seen == all.map { .string($0) } + [nil])
    }

    @Test("P1: global itself sees its own layers alone; lists have the keys and domains of every layer")
    func lists() throws {
        take(
            FileLayers(
                mandatory: [.global: [key("m"): .int32(1)]], machine: [app: [key("a"): .int32(1)]],
                schemas: [
                    app: [key("s"): PreferenceSchema(type: .int32, defaultValue: .int32(1)), key("t"): .init(type: .int32)]
                ]))
        fixture.set("u", .int32(1))
        fixture.commitAll()
        let view = fixture.ledger.committedView
        #expect(view.effectiveKeys(app).map(\.text) == ["a", "m", "s", "u"])
        #expect(view.effectiveKeys(.global).map(\.text) == ["m"])
        #expect(view.domains == [.global, app])
        #expect(view.lockedKeys(app) == [key("m")] && view.lockedKeys(.global) == [key("m")])
    }

    @Test("Scenario 9, P2: every write to a locked key is Locked and changes nothing; Reset and ResetDomain are allowed")
    func locks() throws {
        let k = key("k")
        fixture.set("k", .int32(1))
        fixture.commitAll()
        take(FileLayers(mandatory: [.global: [k: .int32(9)]]))
        let revision = fixture.ledger.committedView.revision
        func expectLocked(_ body: @escaping (PreferenceWrites, StateView) throws(ModelError) -> Outcome) throws {
            let error = try refusal(body)
            #expect(error.code == .locked && error.message.contains("\"k\""))
        }
        try expectLocked { (writes, view) throws(ModelError) in try writes.set(k, to: .int32(2), in: view) }
        try expectLocked { (writes, view) throws(ModelError) in try writes.set(k, to: .int32(1), in: view) }
        try expectLocked { (writes, view) throws(ModelError) in try writes.setIfAbsent(k, to: .int32(2), in: view) }
        try expectLocked { (writes, view) throws(ModelError) in
            try writes.compareAndSet(k, expected: .int32(9), to: .int32(2), in: view)
        }
        try expectLocked { (writes, view) throws(ModelError) in try writes.increment(k, by: 1, in: view) }
        try expectLocked { (writes, view) throws(ModelError) in try writes.increment(k, by: 0, in: view) }
        try expectLocked { (writes, view) throws(ModelError) in
            try writes.apply(set: [(LedgerFixture.key("free"), .int32(1)), (k, .int32(2))], reset: [], expected: 0, in: view)
        }
        #expect(fixture.ledger.committedView.revision == revision)
        #expect(fixture.value("k") == .int32(9) && fixture.value("free") == nil)
        _ = try write { (writes, view) throws(ModelError) in try writes.reset(k, in: view) }
        _ = try write { (writes, view) throws(ModelError) in try writes.resetDomain(in: view) }
        #expect(fixture.ledger.committedView.layeredValues(app, k).map(\.layer) == [.mandatory])
    }

    @Test("P2: a lock on an application's key is none for global or another application")
    func lockOfOne() throws {
        take(FileLayers(mandatory: [app: [key("k"): .int32(9)]]))
        _ = try write(.global) { (writes, view) throws(ModelError) in
            try writes.set(LedgerFixture.key("k"), to: .int32(1), in: view)
        }
        #expect(fixture.value("k") == .int32(9) && fixture.value("k", in: LedgerFixture.other) == .int32(1))
    }

    @Test("P2: a write that comes after the files, in the same batch, meets their lock already")
    func lockInFlight() {
        fixture.take(FileLayers(mandatory: [app: [key("k"): .int32(9)]]))
        fixture.set("k", .int32(1))
        fixture.commitAll()
        #expect(fixture.log == ["files ok", "set k Locked"])
    }

    @Test("P13: what breaks the schema is TypeMismatch or OutOfRange and names the rule")
    func schema() throws {
        take(
            FileLayers(schemas: [
                app: [
                    key("size"): PreferenceSchema(type: .int32, minimum: .int32(6), maximum: .int32(72)),
                    key("theme"): PreferenceSchema(type: .string, choices: [.string("light"), .string("dark")]),
                    key("ratio"): PreferenceSchema(type: .double, minimum: .double(0)),
                ]
            ]))
        let cases: [(String, Value, ModelError.Code, String)] = [
            ("size", .int64(7), .typeMismatch, "type i"), ("size", .int32(5), .outOfRange, "at least 6"),
            ("size", .int32(73), .outOfRange, "at most 72"), ("theme", .string("blue"), .outOfRange, "\"light\", \"dark\""),
            ("ratio", .double(.nan), .outOfRange, "at least 0.0"), ("ratio", .double(-0.5), .outOfRange, "at least 0.0"),
        ]
        for (name, value, code, rule) in cases {
            let error = try refusal { (writes, view) throws(ModelError) in
                try writes.set(LedgerFixture.key(name), to: value, in: view)
            }
            #expect(error.code == code && error.message.contains(rule) && error.message.contains(name), "\(error)")
            let registering = try refusal { (writes, view) throws(ModelError) in
                try writes.register([(LedgerFixture.key(name), value)], in: view)
            }
            #expect(registering.code == code)
        }
        for (name, value) in [("size", Value.int32(6)), ("size", .int32(72)), ("theme", .string("dark")), ("ratio", .double(0))] {
            fixture.set(name, value)
        }
        fixture.set("other", .boolean(true))
        fixture.set("size", .string("no schema here"), in: LedgerFixture.other)
        fixture.commitAll()
        #expect(fixture.log.suffix(12).allSatisfy { $0.hasSuffix("ok") || $0.contains("changed") })
        // Incrementing past the limit is a write like any other.
        let error = try refusal { (writes, view) throws(ModelError) in
            try writes.increment(LedgerFixture.key("size"), by: 1, in: view)
        }
        #expect(error.code == .outOfRange && fixture.value("size") == .int32(72))
    }

    @Test("P13: a schema that contradicts itself says which entry is wrong")
    func schemaProblems() {
        let cases: [(PreferenceSchema, String?)] = [
            (PreferenceSchema(type: .string, minimum: .string("a")), "minimum"),
            (PreferenceSchema(type: .int32, minimum: .int64(1)), "minimum"),
            (PreferenceSchema(type: .double, maximum: .double(.nan)), "maximum"),
            (PreferenceSchema(type: .byte, minimum: .byte(2), maximum: .byte(1)), "maximum"),
            (PreferenceSchema(type: .byte, choices: [.byte(1), .int32(2)]), "choices[1]"),
            (PreferenceSchema(type: .byte, defaultValue: .int32(2)), "default"),
            (PreferenceSchema(type: .byte, defaultValue: .byte(3), choices: [.byte(1)]), "default"),
            (PreferenceSchema(type: .uint64, defaultValue: .uint64(.max), minimum: .uint64(1 << 63)), nil),
        ]
        for (schema, entry) in cases { #expect(schema.problem(of: key("k"))?.entry == entry) }
    }

    @Test("Scenario 15: a registered default is invisible in another domain; Reset signals only what moved")
    func registered() throws {
        _ = try write { (writes, view) throws(ModelError) in
            try writes.register([(LedgerFixture.key("a"), .int32(1)), (LedgerFixture.key("b"), .int32(2))], in: view)
        }
        #expect(fixture.value("a") == .int32(1) && fixture.value("a", in: LedgerFixture.other) == nil)
        #expect(fixture.changes.count == 1)
        // The same again: nothing. Merged over earlier ones, and of another value under a user's: no signal.
        let again = try write { (writes, view) throws(ModelError) in
            try writes.register([(LedgerFixture.key("a"), .int32(1))], in: view)
        }
        #expect(again == [.uint64(2)])
        fixture.set("a", .int32(1))
        fixture.commitAll()
        #expect(fixture.changes.count == 1)
        let reset = try write { (writes, view) throws(ModelError) in try writes.reset(LedgerFixture.key("a"), in: view) }
        #expect(reset == [.uint64(4)] && fixture.changes.count == 1)
        _ = try write { (writes, view) throws(ModelError) in try writes.unregister([LedgerFixture.key("b")], in: view) }
        #expect(fixture.changes.last?.removed == [key("b")] && fixture.changes.count == 2)
        #expect(fixture.value("a") == .int32(1))
    }

    @Test("Describe has value, layer, lock, schema and every layer; neither value nor schema is NoSuchKey")
    func describe() throws {
        let k = key("k")
        take(
            FileLayers(
                mandatory: [.global: [k: .int32(3)]], machine: [app: [k: .int32(2)]],
                schemas: [
                    app: [
                        k: PreferenceSchema(
                            type: .int32, defaultValue: .int32(1), choices: [.int32(1), .int32(2), .int32(3)], minimum: .int32(0),
                            summary: "S"), key("bare"): PreferenceSchema(type: .string),
                    ]
                ]))
        let described = try #require(try fixture.ledger.committedView.describe(app, k).dictionary)
        #expect(described["value"] == .int32(3) && described["layer"] == .string("mandatory"))
        #expect(described["domain"] == .string("global") && described["locked"] == .boolean(true))
        #expect(described["type"] == .string("i") && described["default"] == .int32(1) && described["summary"] == .string("S"))
        #expect(described["choices"]?.type == .array(of: .variant) && described["minimum"] == .int32(0))
        #expect(described["maximum"] == nil && described["description"] == nil && described["writer"] == nil)
        let rows = try #require(described["layers"])
        #expect(rows.type.text == "a(ssv)")
        #expect(
            rows
                == .array(
                    ArrayValue(
                        unchecked: [
                            .structure([.string("mandatory"), .string("global"), .variant(.int32(3))]),
                            .structure([.string("machine"), .string(app.text), .variant(.int32(2))]),
                            .structure([.string("registered"), .string(app.text), .variant(.int32(1))]),
                        ], of: .structure([.string, .string, .variant]))))
        let bare = try #require(try fixture.ledger.committedView.describe(app, key("bare")).dictionary)
        #expect(bare["value"] == nil && bare["type"] == .string("s") && bare["locked"] == .boolean(false))
        let error = #expect(throws: ModelError.self) { try fixture.ledger.committedView.describe(app, key("x")) }
        #expect(error?.code == .noSuchKey)
        fixture.set("u", .boolean(true))
        fixture.commitAll()
        let user = try #require(try fixture.ledger.committedView.describe(app, key("u")).dictionary)
        #expect(user["writer"] == .string(":1.1") && user["modified"] == .int64(7) && user["type"] == .string("b"))
    }
}
