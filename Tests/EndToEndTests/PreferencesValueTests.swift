import DBusTypes
import DefaultsInterface
import Support
import Testing

@Suite("Values keep type and bits")
struct PreferencesValueTests {
    private static let app = "org.example.App"

    /// Every kind of value that a store somewhere got wrong, by key.
    private static let values: [(String, Value)] = [
        ("NaN", .double(.nan)),
        ("NaN with a payload", .double(Double(bitPattern: 0xFFF8_0000_DEAD_BEEF))),
        ("signalling NaN", .double(Double(bitPattern: 0x7FF4_0000_0000_0001))),
        ("negative zero", .double(-0.0)),
        ("zero", .double(0)),
        ("infinity", .double(.infinity)),
        ("negative infinity", .double(-.infinity)),
        ("tenth", .double(0.1)),
        ("least double", .double(.leastNonzeroMagnitude)),
        ("Int64.min", .int64(.min)),
        ("Int64.max", .int64(.max)),
        ("UInt64.max", .uint64(.max)),
        ("Int32.min", .int32(.min)),
        ("UInt32.max", .uint32(.max)),
        ("Int16.min", .int16(.min)),
        ("UInt16.max", .uint16(.max)),
        ("byte", .byte(255)),
        ("true", .boolean(true)),
        ("false", .boolean(false)),
        ("empty string", .string("")),
        ("white space", .string("a\tb\n ")),
        ("flag and accent", .string("🇺🇦 é")),
        ("decomposed accent", .string("e\u{301}")),
        ("control character", .string("\u{1}")),
        ("last scalar", .string("\u{10FFFF}")),
        ("object path", .objectPath("/org/example")),
        ("root path", .objectPath("/")),
        ("signature", .signature("a{sv}")),
        ("empty signature", .signature("")),
        ("empty as", .array([String]())),
        ("empty ai", .array([Int32]())),
        ("empty ay", .bytes([])),
        ("ay", .bytes(Array(0...255))),
        ("empty av", .array(ArrayValue(unchecked: [], of: .variant))),
        ("av of [1] and 2", .array(ArrayValue(unchecked: [.variant(.array([Int64(1)])), .variant(.int64(2))], of: .variant))),
        ("empty a{sv}", .vardict([])),
        (
            "a{ix}",
            .dictionary(
                DictionaryValue(
                    unchecked: [.init(.int32(2), .int64(1)), .init(.int32(-1), .int64(2))], key: .int32, value: .int64))
        ),
        ("empty a{yd}", .dictionary(DictionaryValue(unchecked: [], key: .byte, value: .double))),
        ("(ii)", .structure([.int32(1), .int32(2)])),
        ("aas with an empty one", .array(ArrayValue(unchecked: [.array([String]()), .array(["x"])], of: .array(of: .string)))),
        ("empty a(sv)", .array(ArrayValue(unchecked: [], of: .structure([.string, .variant])))),
        ("variant in a variant", .variant(.variant(.byte(1)))),
        ("k.with/slash é", .string("a key of all kinds")),
        ("e\u{301}", .string("a key that only looks like another")),
        ("\u{E9}", .string("the other")),
    ]

    /// `Value` compares type and bits, and dictionaries of Swift keys only what looks the same; so this compares by bytes.
    private static func hasAllValues(_ dictionary: DictionaryValue?) -> Bool {
        dictionary == DictionaryValue(values)
    }

    @Test("Scenario 8, P3: type and bits stay the same through Get, GetAll, Watch, Changed and a restart")
    func roundTrip() throws {
        let bus = try PrivateBus()
        let daemon = try Daemon(on: bus)
        let client = try Client(on: bus)
        try client.watch(Self.app)
        for (key, value) in Self.values { try client.set(Self.app, key, value) }
        try client.drain()
        #expect(client.signals.count == Self.values.count)
        for (signal, (key, value)) in zip(client.signals, Self.values) {
            #expect(signal.arguments[1] == .vardict([(key, value)]), "\(key)")
        }
        for isRestarted in [false, true] {
            if isRestarted {
                try daemon.kill9()
                try daemon.restart()
            }
            for (key, value) in Self.values {
                let reply = try client.preferences(PreferencesInterface.get, .string(Self.app), .string(key))
                #expect(reply == [.variant(value)], "\(key)")
            }
            #expect(Self.hasAllValues(try client.preferences(PreferencesInterface.getAll, .string(Self.app))[0].dictionary))
            #expect(Self.hasAllValues(try client.preferences(PreferencesInterface.watch, .string(Self.app))[0].dictionary))
            let keys = Self.values.map(\.0).sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
            let listed = try #require(try client.listKeys(Self.app))
            #expect(listed.map { Array($0.utf8) } == keys.map { Array($0.utf8) })
        }
        // The same values again, each written by the daemon's own reading of it: none has changed.
        #expect(try client.apply(Self.app, Self.values) == UInt64(Self.values.count + 1))
    }

    @Test("Scenario 8, P3: an Apply of all kinds of values is one signal with all of them")
    func apply() throws {
        let bus = try PrivateBus()
        let daemon = try Daemon(on: bus)
        let client = try Client(on: bus)
        try client.watch(Self.app)
        try client.apply(Self.app, Self.values)
        try client.drain()
        #expect(client.signals.count == 1)
        #expect(Self.hasAllValues(client.signals.first?.arguments[1].dictionary))
        #expect(try daemon.terminate() == .exited(0))
    }

    @Test("P3, P4: the entries of a dictionary come back in the order sent")
    func dictionaryOrder() throws {
        let bus = try PrivateBus()
        let daemon = try Daemon(on: bus)
        let client = try Client(on: bus)
        let names = ["z", "a", "m", "b", "y"]
        try client.set(Self.app, "dict", .vardict(names.map { ($0, .int64(1)) }))
        try daemon.kill9()
        try daemon.restart()
        let dictionary = try client.get(Self.app, "dict")?.dictionary
        #expect(dictionary?.entries.map(\.key) == names.map { .string($0) })
    }
}
