import DBusTypes
import Testing

@testable import DefaultsModel

@Suite("Preferences")
struct PreferenceWritesTests {
    private let fixture = LedgerFixture()

    private func key(_ text: String) -> PreferenceKey { LedgerFixture.key(text) }

    private func run(_ body: @escaping (PreferenceWrites, StateView) throws -> Outcome) throws -> [Value] {
        let writes = PreferenceWrites(LedgerFixture.app, writer: ":1.9", wall: 7)
        fixture.submit("run") { view throws(ModelError) in
            do {
                return try body(writes, view)
            } catch {
                throw error as? ModelError ?? ModelError(.unavailable, "\(error)")
            }
        }
        fixture.commitAll()
        return try #require(fixture.results.last).get()
    }

    @Test(
        "P4, scenario 6: the same array, dictionary or NaN again: no write, no signal, no revision",
        arguments: [
            Value.array(["a", "b"]), .vardict([("x", .double(.nan)), ("y", .int32(1))]), .double(.nan), .array([String]()),
        ])
    func sameAgain(value: Value) throws {
        #expect(try run { try $0.set(key("k"), to: value, in: $1) } == [.uint64(2)])
        #expect(fixture.changes.count == 1)
        for _ in 0..<2 { #expect(try run { try $0.set(key("k"), to: value, in: $1) } == [.uint64(2)]) }
        #expect(fixture.changes.count == 1)
        #expect(fixture.ledger.committedView.revision == 2)
    }

    @Test("P4: other type, other bits or other element type of an empty array is another value")
    func otherBits() throws {
        let values: [Value] = [
            .int32(1), .int64(1), .uint32(1), .double(0.0), .double(-0.0), .double(.nan),
            .double(Double(bitPattern: 0x7FF8_0000_0000_0001)), .array([String]()), .array([Int32]()), .bytes([]),
        ]
        for (number, value) in values.enumerated() {
            let reply = try run { try $0.set(key("k"), to: value, in: $1) }
            #expect(reply == [.uint64(UInt64(number + 2))])
        }
        #expect(fixture.changes.count == values.count)
    }

    @Test("P4: dictionaries compare as sets, and the order sent is kept")
    func dictionaryOrder() throws {
        let first = Value.vardict([("a", .int32(1)), ("b", .int32(2))])
        let second = Value.vardict([("b", .int32(2)), ("a", .int32(1))])
        #expect(first == second)
        _ = try run { try $0.set(key("k"), to: first, in: $1) }
        _ = try run { try $0.set(key("k"), to: second, in: $1) }
        #expect(fixture.changes.count == 1)
        #expect(fixture.value("k")?.dictionary?.entries.first?.key == .string("a"))
    }

    @Test("P1: a key that the application doesn't have falls through to global")
    func fallThrough() throws {
        fixture.set("theme", .string("dark"), in: .global)
        fixture.commitAll()
        #expect(fixture.value("theme") == .string("dark"))
        #expect(fixture.ledger.committedView.effectiveKeys(LedgerFixture.app) == [key("theme")])
        #expect(fixture.ledger.committedView.revision(of: LedgerFixture.app) == 2)
        fixture.set("theme", .string("light"))
        fixture.commitAll()
        #expect(fixture.value("theme") == .string("light"))
        #expect(fixture.value("theme", in: LedgerFixture.other) == .string("dark"))
    }

    @Test("P5: a change of global signals global and each watched domain whose effective value moved, no other")
    func globalChange() {
        fixture.ledger.watchedDomains = [LedgerFixture.app, LedgerFixture.other]
        fixture.set("theme", .string("own"))
        fixture.set("theme", .string("dark"), in: .global)
        fixture.commitAll()
        #expect(fixture.changes.map(\.domain) == [LedgerFixture.app, .global, LedgerFixture.other])
        #expect(fixture.changes[2].changed.map(\.stored.value) == [.string("dark")])
        #expect(fixture.changes[2].revision == 3)
    }

    @Test("P5: stored over a global value that is the same: the revision grows, no signal; reset again: none")
    func coveredValue() throws {
        fixture.set("k", .int32(1), in: .global)
        fixture.commitAll()
        #expect(try run { try $0.set(key("k"), to: .int32(1), in: $1) } == [.uint64(3)])
        #expect(try run { try $0.reset(key("k"), in: $1) } == [.uint64(4)])
        #expect(fixture.changes.count == 1)
    }

    @Test("Increment keeps the integer type, starts at int64 0, and refuses overflow and other types unchanged")
    func increment() throws {
        #expect(try run { try $0.increment(key("n"), by: 5, in: $1) } == [.int64(5)])
        #expect(fixture.value("n") == .int64(5))
        let cases: [(Value, Int64, Value?)] = [
            (.byte(255), 1, nil), (.byte(1), -1, .byte(0)), (.byte(0), -1, nil), (.int16(.max), 1, nil),
            (.uint16(7), 1, .uint16(8)),
            (.int32(.min), -1, nil), (.uint32(.max), 0, .uint32(.max)), (.int64(.max), 1, nil), (.int64(.min), -1, nil),
            (.uint64(UInt64(Int64.max)), 1, nil), (.uint64(UInt64.max), -1, nil),
            (.uint64(UInt64.max), .min, .uint64(UInt64(Int64.max))),
            (.boolean(true), 1, nil), (.double(1), 1, nil), (.string("1"), 1, nil),
        ]
        for (old, amount, expected) in cases {
            _ = try run { try $0.set(key("n"), to: old, in: $1) }
            let result = Result { try run { try $0.increment(key("n"), by: amount, in: $1) } }
            #expect(fixture.value("n") == expected ?? old, "\(old) + \(amount)")
            if case .failure(let error) = result {
                let code = (error as? ModelError)?.code
                #expect(expected == nil && (old.integer(as: Int128.self) == nil ? code == .typeMismatch : code == .outOfRange))
            }
        }
    }

    @Test("SetIfAbsent looks at the user layer and answers the effective value")
    func setIfAbsent() throws {
        fixture.set("k", .int32(1), in: .global)
        #expect(try run { try $0.setIfAbsent(key("k"), to: .int32(2), in: $1) } == [.boolean(true), .variant(.int32(2))])
        #expect(try run { try $0.setIfAbsent(key("k"), to: .int32(3), in: $1) } == [.boolean(false), .variant(.int32(2))])
    }

    @Test("CompareAndSet compares type and bits; absent is NoSuchKey")
    func compareAndSet() throws {
        #expect(throws: ModelError.self) {
            try run { try $0.compareAndSet(key("k"), expected: .int32(1), to: .int32(2), in: $1) }
        }
        fixture.set("k", .int32(1))
        let wrongType = try run { try $0.compareAndSet(key("k"), expected: .int64(1), to: .int32(2), in: $1) }
        #expect(wrongType == [.boolean(false), .variant(.int32(1))])
        let right = try run { try $0.compareAndSet(key("k"), expected: .int32(1), to: .int32(2), in: $1) }
        #expect(right == [.boolean(true), .variant(.int32(2))])
    }

    @Test("Scenario 12: an Apply with one invalid value changes nothing and names its key; a valid one is one signal")
    func apply() throws {
        var values = (0..<1_000).map { (key: key("k\($0)"), value: Value.int32(Int32($0))) }
        let valid = values
        values[499].value = .vardict([("x", .int32(1)), ("x", .int32(2))])
        let error = try #require(
            #expect(throws: ModelError.self) {
                try run { try $0.apply(set: values, reset: [], expected: 0, in: $1) }
            })
        #expect(error.code == .invalidValue && error.message.contains("\"k499\""))
        #expect(fixture.changes.isEmpty && fixture.value("k0") == nil)
        #expect(try run { try $0.apply(set: valid, reset: [], expected: 1, in: $1) } == [.uint64(2)])
        #expect(fixture.changes.count == 1 && fixture.changes[0].changed.count == 1_000)
        let stale = try #require(
            #expect(throws: ModelError.self) {
                try run { try $0.apply(set: [], reset: [], expected: 1, in: $1) }
            })
        #expect(stale.code == .revisionMismatch && stale.message.contains("revision 2"))
    }

    @Test("Apply refuses a key in both lists, or set twice")
    func applyTwice() {
        let pair = [(key: key("k"), value: Value.int32(1))]
        for (set, reset) in [(pair, [key("k")]), (pair + pair, [])] {
            #expect(throws: ModelError.self) {
                try run { try $0.apply(set: set, reset: reset, expected: 0, in: $1) }
            }
        }
        #expect(fixture.ledger.committedView.revision == 1)
    }

    @Test("Reset and ResetDomain remove the user's values, signal what vanished, and leave global's")
    func reset() throws {
        fixture.set("g", .int32(0), in: .global)
        for name in ["b", "a", "g"] { fixture.set(name, .int32(1)) }
        fixture.commitAll()
        #expect(try run { try $0.reset(key("absent"), in: $1) } == [.uint64(5)])
        #expect(try run { try $0.resetDomain(in: $1) } == [.uint64(6)])
        let change = try #require(fixture.changes.last)
        #expect(change.removed == [key("a"), key("b")])
        #expect(change.changed.map(\.key) == [key("g")])
        #expect(fixture.ledger.committedView.domains == [.global])
    }

    @Test(
        "P12, P3: what can't be stored is refused by name",
        arguments: [
            (Value.string("a\0b"), ModelError.Code.invalidValue), (.variant(.string("\0")), .invalidValue),
            ((0..<17).reduce(Value.int32(1)) { value, _ in .variant(value) }, .limitExceeded),
        ])
    func refused(value: Value, code: ModelError.Code) throws {
        let error = try #require(
            #expect(throws: ModelError.self) { try run { try $0.set(key("k"), to: value, in: $1) } })
        #expect(error.code == code && error.message.contains("\"k\""))
        #expect(fixture.value("k") == nil)
    }

    @Test("P12: a value may take 1 MiB, and no byte more")
    func valueSize() throws {
        // An array of bytes is marshalled with its length, four bytes.
        let largest = [UInt8](repeating: 0, count: (1 << 20) - 4)
        #expect(try run { try $0.set(key("k"), to: .bytes(largest), in: $1) } == [.uint64(2)])
        let error = try #require(
            #expect(throws: ModelError.self) { try run { try $0.set(key("k"), to: .bytes(largest + [0]), in: $1) } })
        #expect(error.code == .limitExceeded && error.message.contains("1048577"))
    }

    @Test("Sixteen levels are allowed")
    func sixteenLevels() throws {
        let deep = (0..<16).reduce(Value.int32(1)) { value, _ in .variant(value) }
        #expect(try run { try $0.set(key("k"), to: deep, in: $1) } == [.uint64(2)])
    }
}
