import DBusTypes
import DefaultsKit
import FoundationEssentials
import Testing

private enum Theme: String, DefaultsValue { case light, dark }

private enum Level: Int32, Codable, DefaultsValue { case low = 1, high = 2 }

private struct Size: Codable, Hashable, DefaultsValue {
    var width: Int
    var height: Int32
}

private struct Window: Codable, Hashable, DefaultsValue {
    enum Shape: Codable, Hashable { case round(radius: Double), square }

    var title: String
    var size: Size
    var level: Level
    var icon: Data
    var opened: Date
    var tags: [String] = []
    var others: [Size] = []
    var marks: [Int: String] = [:]
    var shape = Shape.square
    var note: String?
}

private final class Animal: Codable {
    let name: String
    init(name: String) { self.name = name }
}

@Suite("Swift values and D-Bus values")
struct ValueCodingTests {
    private func check<V: DefaultsValue & Equatable>(
        _ value: V, _ expected: Value, sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let encoded = try value.encoded()
        #expect(encoded == expected, sourceLocation: sourceLocation)
        #expect(try V.decoded(from: encoded) == value, sourceLocation: sourceLocation)
        if let type = V.dbusTypeOfDefaults { #expect(encoded.type == type, sourceLocation: sourceLocation) }
    }

    @Test("Each type has its native D-Bus type, and comes back the same")
    func types() throws {
        try check(true, .boolean(true))
        try check(-5, .int64(-5))
        try check(UInt.max, .uint64(.max))
        try check(Int8(-5), .int16(-5))
        try check(Int16.min, .int16(.min))
        try check(Int32.min, .int32(.min))
        try check(UInt8(7), .byte(7))
        try check(UInt16.max, .uint16(.max))
        try check(UInt32.max, .uint32(.max))
        try check(-0.0, .double(-0.0))
        try check(Float(0.5), .double(0.5))
        try check("é 🇺🇦", .string("é 🇺🇦"))
        try check(Data([1, 2]), .bytes([1, 2]))
        try check([UInt8](), .bytes([]))
        try check(Date(timeIntervalSince1970: 1.5), .int64(1_500_000))
        let url = try #require(URL(string: "https://example.org/a%20b"))
        try check(url, .string("https://example.org/a%20b"))
        let uuid = UUID()
        try check(uuid, .string(uuid.uuidString))
        try check(Theme.dark, .string("dark"))
        try check(Level.high, .int32(2))
        try check([Theme.dark, .light], .array(["dark", "light"]))
        try check([Int](), .array([Int64]()))
        try check([[1], []], .array([[Int64(1)], []]))
        try check(["b": 1, "a": 2], ["a": Int64(2), "b": 1].dbusValue)
        try check([String: Int32](), [String: Int32]().dbusValue)
        try check(Int?.some(3), .int64(3))
        try check(Value.objectPath("/a"), .objectPath("/a"))
    }

    @Test("A NaN keeps its payload")
    func nan() throws {
        let nan = Double(bitPattern: 0x7FF8_0000_0000_1234)
        #expect(try Double.decoded(from: nan.encoded()).bitPattern == nan.bitPattern)
    }

    @Test("A Codable type is an a{sv} of native values, entries of nil left out, and comes back the same")
    func codable() throws {
        let window = Window(
            title: "One", size: Size(width: 3, height: 4), level: .low, icon: Data([9]), opened: Date(timeIntervalSince1970: 2),
            others: [Size(width: 1, height: 2)], marks: [1: "a"], shape: .round(radius: 0.5))
        let encoded = try window.encoded()
        #expect(try Window.decoded(from: encoded) == window)
        let entries = try #require(encoded.dictionary)
        #expect(encoded.type.text == "a{sv}")
        #expect(entries["title"] == .string("One") && entries["note"] == nil)
        #expect(entries["size"] == .vardict([("width", .int64(3)), ("height", .int32(4))]))
        #expect(entries["level"] == .int32(1) && entries["icon"] == .bytes([9]) && entries["opened"] == .int64(2_000_000))
        #expect(entries["tags"] == .array([String]()), "typed, though empty")
        #expect(entries["others"]?.type.text == "av", "what a Codable element's type is depends on the element")
        #expect(entries["marks"]?.type.text == "a{xs}")
        #expect(entries["shape"] == .vardict([("round", .vardict([("radius", .double(0.5))]))]))
    }

    @Test("A dictionary has the same order of entries in every process")
    func order() throws {
        let numbers = Dictionary(uniqueKeysWithValues: (0..<50).map { ($0, "\($0)") })
        let keys = try #require(try numbers.encoded().dictionary?.entries.map(\.key))
        #expect(keys == (0..<50).map { .int64($0) })
    }

    @Test("What D-Bus has no type for is refused when encoding, and the error names the place")
    func unencodable() throws {
        struct Deep: Codable, DefaultsValue {
            struct Inner: Codable { var numbers: [Int?]; var wide: Int128? }
            var list: [Inner]
        }
        func failure(_ value: some DefaultsValue) -> ValueCodingError? {
            #expect(throws: ValueCodingError.self) { try value.encoded() }
        }
        let missing = try #require(failure(Deep(list: [.init(numbers: [1, nil])])))
        #expect(missing.kind == .unencodable && missing.path == "list[0].numbers[1]", "\(missing)")
        let wide = try #require(failure(Deep(list: [.init(numbers: [], wide: 1)])))
        #expect(wide.kind == .unencodable && wide.path == "list[0].wide", "\(wide)")
        #expect(failure("a\u{0}b")?.kind == .unencodable)
        #expect(failure(["a": ["\u{0}"]])?.path == "a[0]")
        #expect(failure([Size(width: 1, height: 1): 1])?.message.contains("Size") == true, "no basic type for a key")
        #expect(failure(Date(timeIntervalSince1970: 1e300))?.kind == .unencodable)
        #expect(failure(Int?.none)?.kind == .unencodable)
    }

    @Test("P14: another type is wrongType; the right type with a meaningless value is undecodable; nothing is guessed")
    func undecodable() throws {
        func kind<V: DefaultsValue>(_ type: V.Type, _ value: Value) -> ValueCodingError.Kind? {
            do throws(ValueCodingError) {
                _ = try V.decoded(from: value)
                return nil
            } catch {
                return error.kind
            }
        }
        #expect(kind(Int.self, .string("3")) == .wrongType && kind(Bool.self, .int64(1)) == .wrongType)
        #expect(kind(String.self, .int64(3)) == .wrongType && kind(Double.self, .boolean(true)) == .wrongType)
        #expect(kind(Int.self, .double(3)) == .wrongType && kind(Data.self, .array(["a"])) == .wrongType)
        #expect(kind(Int.self, .uint64(.max)) == .undecodable && kind(UInt8.self, .int64(256)) == .undecodable)
        #expect(try Int.decoded(from: .byte(3)) == 3, "an integer of another width whose number fits")
        #expect(try Double.decoded(from: .int32(3)) == 3 && Float.decoded(from: .uint64(1 << 63)) == 0x1p63, "held exactly")
        #expect(kind(Double.self, .uint64(.max)) == .undecodable && kind(Float.self, .string("1")) == .wrongType)
        #expect(kind(Theme.self, .string("pink")) == .undecodable && kind(Theme.self, .int64(1)) == .wrongType)
        #expect(kind(Level.self, .int32(9)) == .undecodable)
        #expect(kind(UUID.self, .string("no")) == .undecodable && kind(Float.self, .double(1e300)) == .undecodable)
        #expect(kind(Size.self, .vardict([("width", .int64(1))])) == .undecodable, "a missing entry")
        #expect(kind(Size.self, .string("1x2")) == .wrongType)
        #expect(kind(Int?.self, .string("x")) == .wrongType, "which is not nil")
    }

    @Test("The error of a value inside another names its place")
    func decodingPaths() throws {
        let window = Value.vardict([
            ("list", .array(ArrayValue(unchecked: [.variant(.vardict([("width", .string("x"))]))], of: .variant)))
        ])
        struct List: Codable, DefaultsValue { var list: [Size] }
        do throws(ValueCodingError) {
            _ = try List.decoded(from: window)
            Issue.record("a text is no width")
        } catch {
            #expect(error.kind == .wrongType && error.path == "list[0].width", "\(error)")
        }
    }

    @Test("Subclasses and nested containers come back the same")
    func superclass() throws {
        final class Dog: Codable, DefaultsValue, Equatable {
            let age: Int
            init(age: Int) { self.age = age }
            static func == (left: Dog, right: Dog) -> Bool { left.age == right.age }
            enum Keys: CodingKey { case age, parts, more }
            init(from decoder: any Decoder) throws {
                let container = try decoder.container(keyedBy: Keys.self)
                age = try container.decode(Int.self, forKey: .age)
                var parts = try container.nestedUnkeyedContainer(forKey: .parts)
                #expect(try parts.decode(String.self) == "leg" && parts.decode(Double.self) == 0.5 && parts.isAtEnd)
                let more = try container.nestedContainer(keyedBy: Keys.self, forKey: .more)
                #expect(try more.decode(Bool.self, forKey: .age))
                #expect(try Animal(from: container.superDecoder()).name == "Rex")
            }
            func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: Keys.self)
                try container.encode(age, forKey: .age)
                var parts = container.nestedUnkeyedContainer(forKey: .parts)
                try parts.encode("leg")
                try parts.encode(0.5)
                var more = container.nestedContainer(keyedBy: Keys.self, forKey: .more)
                try more.encode(true, forKey: .age)
                try Animal(name: "Rex").encode(to: container.superEncoder())
            }
        }
        let encoded = try Dog(age: 3).encoded()
        #expect(try Dog.decoded(from: encoded) == Dog(age: 3))
        #expect(encoded.dictionary?["super"] == .vardict([("name", .string("Rex"))]))
    }
}
