import DBusTypes
import DefaultsInterface
import Support
import Testing

@Suite("What counts as a change")
struct PreferencesChangeTests {
    private static let app = "org.example.App"
    private let bus: PrivateBus
    private let daemon: Daemon
    private let writer: Client
    private let watcher: Client

    init() throws {
        bus = try PrivateBus()
        daemon = try Daemon(on: bus)
        writer = try Client(on: bus)
        watcher = try Client(on: bus)
        try watcher.watch(Self.app)
    }

    /// The changes that the watcher has been told of.
    private func changes() throws -> [Change] {
        try watcher.drain()
        return watcher.changes
    }

    /// Forgets the changes so far, those on their way too.
    private func forgetChanges() throws {
        try watcher.drain()
        watcher.forgetSignals()
    }

    static let repeated: [Value] = [
        .array([Int64(1), 2, 3]), .array([String]()), .vardict([("a", .int64(1)), ("b", .string("x"))]), .double(.nan),
        .double(-0.0), .structure([.int32(1), .string("x")]), .bytes([0, 255]), .string(""),
    ]

    @Test("Scenario 6, P4: the same value three times is one write, one revision, one signal", arguments: repeated)
    func sameValueAgain(_ value: Value) throws {
        let revisions = try (0..<3).map { _ in try writer.set(Self.app, "key", value) }
        #expect(revisions == [2, 2, 2])
        #expect(try changes() == [Change(Self.app, ["key": value], 2, by: writer.name)])
    }

    @Test("Scenario 6, P4: a dictionary sent in another order is the same value; one other bit of a NaN is not")
    func equality() throws {
        try writer.set(Self.app, "dict", .vardict([("a", .int64(1)), ("b", .int64(2))]))
        #expect(try writer.set(Self.app, "dict", .vardict([("b", .int64(2)), ("a", .int64(1))])) == 2)
        try writer.set(Self.app, "nan", .double(.nan))
        #expect(try writer.set(Self.app, "nan", .double(Double(nan: 1, signaling: false))) == 4)
        #expect(try writer.set(Self.app, "zero", .double(0)) == 5)
        #expect(try writer.set(Self.app, "zero", .double(-0.0)) == 6)
        #expect(try writer.set(Self.app, "zero", .int64(0)) == 7)
        #expect(try writer.set(Self.app, "zero", .int32(0)) == 8)
        #expect(try changes().count == 7)
    }

    @Test("P4: what equals only the value of a lower layer is stored, and no reader is told")
    func equalToLowerLayer() throws {
        try writer.set("global", "theme", .string("dark"))
        #expect(try changes() == [Change(Self.app, ["theme": .string("dark")], 2, by: writer.name)])
        #expect(try writer.set(Self.app, "theme", .string("dark")) == 3)
        #expect(try changes().count == 1)
        #expect(try writer.reset("global", "theme") == 4)
        #expect(try changes().count == 1, "the application's own value hides global's")
        #expect(try writer.get(Self.app, "theme") == .string("dark"))
    }

    @Test("Scenario 15, P5: Reset emits a change only if the effective value moved")
    func reset() throws {
        #expect(try writer.reset(Self.app, "absent") == 1)
        try writer.set("global", "theme", .string("dark"))
        try writer.set(Self.app, "theme", .string("dark"))
        try writer.set(Self.app, "size", .int64(3))
        try forgetChanges()
        #expect(try writer.reset(Self.app, "theme") == 5)
        #expect(try changes().isEmpty)
        #expect(try writer.reset(Self.app, "size") == 6)
        #expect(try changes() == [Change(Self.app, removed: ["size"], 6, by: writer.name)])
        #expect(try writer.reset(Self.app, "size") == 6)
        try writer.set(Self.app, "theme", .string("light"))
        try forgetChanges()
        try writer.reset(Self.app, "theme")
        #expect(try changes() == [Change(Self.app, ["theme": .string("dark")], 8, by: writer.name)])
        #expect(try writer.get(Self.app, "theme") == .string("dark"))
    }

    @Test("P5: ResetDomain is one change of all keys whose effective value moved")
    func resetDomain() throws {
        try writer.set("global", "b", .int64(2))
        try writer.apply(Self.app, [("a", .int64(1)), ("b", .int64(1)), ("c", .int64(1)), ("d", .int64(1))])
        try writer.set("global", "c", .int64(1))
        try forgetChanges()
        #expect(try writer.preferences(PreferencesInterface.resetDomain, .string(Self.app)) == [.uint64(5)])
        #expect(try changes() == [Change(Self.app, ["b": .int64(2)], removed: ["a", "d"], 5, by: writer.name)])
        #expect(try writer.getAll(Self.app) == ["b": .int64(2), "c": .int64(1)])
        #expect(try writer.preferences(PreferencesInterface.resetDomain, .string(Self.app)) == [.uint64(5)])
        #expect(try changes().count == 1)
    }

    @Test("Scenario 12: an Apply of 1,000 keys with the 500th invalid applies nothing, and the error names the key")
    func applyWithInvalidKey() throws {
        var entries = (0..<1_000).map { ("key \($0)", Value.int64(Int64($0))) }
        entries[499].1 = (0..<17).reduce(Value.int64(0)) { inner, _ in .structure([inner]) }
        let tooDeep = try writer.error { try writer.apply(Self.app, entries) }
        #expect(tooDeep?.name == ErrorNames.limitExceeded)
        #expect(tooDeep?.message.contains("\"key 499\"") == true)
        entries[499] = ("bad\nkey", .int64(0))
        let control = try writer.error { try writer.apply(Self.app, entries) }
        #expect(control?.name == ErrorNames.invalidName)
        #expect(control?.message.contains("bad\\u{a}key") == true)
        entries[499] = ("key 7", .int64(0))
        let twice = try writer.error { try writer.apply(Self.app, entries) }
        #expect(twice?.name == ErrorNames.invalidArgument)
        #expect(twice?.message.contains("\"key 7\"") == true)
        #expect(try writer.getAll(Self.app) == [:])
        #expect(try writer.revision(Self.app) == 1)
        #expect(try changes().isEmpty)
    }

    @Test("Scenario 12: a valid Apply of 1,000 keys is one revision and one signal")
    func applyThousandKeys() throws {
        try writer.set(Self.app, "old", .string("x"))
        try forgetChanges()
        let entries = (0..<1_000).map { ("key \($0)", Value.int64(Int64($0))) }
        #expect(try writer.apply(Self.app, entries, reset: ["old", "absent"]) == 3)
        let values = Dictionary(uniqueKeysWithValues: entries)
        #expect(try changes() == [Change(Self.app, values, removed: ["old"], 3, by: writer.name)])
        #expect(try writer.getAll(Self.app) == values)
    }

    @Test("Apply rests on the revision that it names; a key set and reset at once is refused")
    func applyExpectations() throws {
        try writer.set(Self.app, "a", .int64(1))
        let stale = try writer.error { try writer.apply(Self.app, [("a", .int64(2))], expected: 1) }
        #expect(stale?.name == ErrorNames.revisionMismatch)
        #expect(stale?.message.contains("revision 2") == true)
        let both = try writer.error { try writer.apply(Self.app, [("a", .int64(2))], reset: ["a"]) }
        #expect(both?.name == ErrorNames.invalidArgument)
        #expect(try writer.apply(Self.app, [("a", .int64(2))], expected: 2) == 3)
        #expect(try writer.get(Self.app, "a") == .int64(2))
        #expect(try writer.apply(Self.app) == 3, "an Apply of nothing changes nothing")
        try writer.set("global", "b", .int64(1))
        let moved = try writer.error { try writer.apply(Self.app, [("a", .int64(3))], expected: 3) }
        #expect(moved?.name == ErrorNames.revisionMismatch, "a domain's revision is also global's")
    }

    @Test("SetIfAbsent and CompareAndSet answer whether they stored, and the value now effective")
    func conditionalWrites() throws {
        func setIfAbsent(_ value: Value) throws -> [Value] {
            try writer.preferences(PreferencesInterface.setIfAbsent, .string(Self.app), .string("k"), .variant(value))
        }
        func compareAndSet(_ expected: Value, _ value: Value) throws -> [Value] {
            try writer.preferences(
                PreferencesInterface.compareAndSet, .string(Self.app), .string("k"), .variant(expected), .variant(value))
        }
        #expect(try writer.error { try compareAndSet(.int64(1), .int64(2)) }?.name == ErrorNames.noSuchKey)
        try writer.set("global", "k", .string("global"))
        #expect(try setIfAbsent(.int64(1)) == [.boolean(true), .variant(.int64(1))], "absent in the user layer of the domain")
        #expect(try setIfAbsent(.int64(2)) == [.boolean(false), .variant(.int64(1))])
        #expect(try compareAndSet(.int32(1), .int64(2)) == [.boolean(false), .variant(.int64(1))], "another type")
        #expect(try compareAndSet(.int64(1), .double(.nan)) == [.boolean(true), .variant(.double(.nan))])
        #expect(try compareAndSet(.double(.nan), .int64(3)) == [.boolean(true), .variant(.int64(3))])
        #expect(try changes().compactMap { $0.changed["k"] } == [.string("global"), .int64(1), .double(.nan), .int64(3)])
    }

    @Test("Increment keeps the integer's type, and at its bounds changes nothing")
    func increment() throws {
        for (value, sum) in [
            (Value.byte(1), Value.byte(2)), (.int16(1), .int16(2)), (.uint16(1), .uint16(2)), (.int32(1), .int32(2)),
            (.uint32(1), .uint32(2)), (.int64(1), .int64(2)), (.uint64(1), .uint64(2)),
        ] {
            try writer.set(Self.app, "n", value)
            #expect(try writer.increment(Self.app, "n") == 2)
            #expect(try writer.get(Self.app, "n") == sum)
        }
        #expect(try writer.increment(Self.app, "new", by: -5) == -5)
        for (value, amount) in [
            (Value.byte(255), Int64(1)), (.byte(0), -1), (.int64(.max), 1), (.int64(.min), -1), (.uint64(.max), 1),
            (.uint64(UInt64(Int64.max)), 1), (.uint64(0), -1), (.int16(.max), .max),
        ] {
            try writer.set(Self.app, "n", value)
            #expect(try writer.error { try writer.increment(Self.app, "n", by: amount) }?.name == ErrorNames.outOfRange)
            #expect(try writer.get(Self.app, "n") == value)
        }
        for value in [Value.string("1"), .double(1), .boolean(true), .array([Int64(1)])] {
            try writer.set(Self.app, "n", value)
            #expect(try writer.error { try writer.increment(Self.app, "n") }?.name == ErrorNames.typeMismatch)
        }
    }
}
