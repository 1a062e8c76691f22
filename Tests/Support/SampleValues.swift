import DBusTypes

/// Values that stores and bindings have lost before: every type, every edge of it.
public enum SampleValues {
    /// Without file descriptors.
    public static let all: [Value] = numbers + texts + containers

    private static let numbers: [Value] = [
        .byte(0), .byte(.max), .boolean(true), .boolean(false), .int16(.min), .uint16(.max), .int32(.min), .uint32(.max),
        .int64(.min), .int64(.max), .uint64(.max), .double(0.1), .double(-0.0), .double(.infinity), .double(-.infinity),
        .double(.nan), .double(Double(bitPattern: 0x7FF8_0000_DEAD_BEEF)), .double(Double(bitPattern: 0xFFF0_0000_0000_0001)),
        .double(.leastNonzeroMagnitude), .double(.greatestFiniteMagnitude),
    ]

    private static let texts: [Value] = [
        .string(""), .string("a\tb\n "), .string("🇺🇦 é"), .string("\u{1}"), .string("e\u{301}"), .string("\u{FFFE}\u{10FFFF}"),
        .string(String(repeating: "x", count: 70_000)), .objectPath("/"), .objectPath("/org/example/x_1"), .signature(""),
        .signature("a{sv}(ii)"),
    ]

    private static let containers: [Value] = [
        .array([String]()), .array([Int64]()), .array([Double]()), .bytes([]), .bytes([0, 1, 255]), .vardict([]),
        .array([true, false]), .array([1.5, -0.0, .nan]), .array([Int16.min, 0, .max]), .array([UInt64.max]),
        .array([[Int32]()]), .array([[1], [2, 3]] as [[Int32]]),
        .array([Value.array([Int32(1)]), Value.array([Int32(2)])]),
        .array([ObjectPath.root]), .array(["" as Signature]),
        .array(ArrayValue(unchecked: [], of: .structure([.int32, .array(of: .structure([.string, .variant]))]))),
        .array(ArrayValue(unchecked: [], of: .dictionary(key: .string, value: .array(of: .variant)))),
        .array(
            ArrayValue(unchecked: [.vardict([]), .vardict([("k", .byte(1))])], of: .dictionary(key: .string, value: .variant))),
        .structure([.int32(1), .int32(2)]), .structure([.byte(1), .uint64(2), .string("s"), .structure([.boolean(true)])]),
        .dictionary(DictionaryValue(unchecked: [], key: .uint64, value: .structure([.string, .double]))),
        .dictionary(
            DictionaryValue(
                unchecked: [.init(.byte(1), .array([[UInt8]()])), .init(.byte(2), .array([[7] as [UInt8]]))],
                key: .byte, value: .array(of: .array(of: .byte)))),
        .vardict([
            ("k.with/slash é", .double(.nan)), ("empty", .array([String]())), ("nested", .vardict([("x", .variant(.byte(1)))])),
        ]),
        .variant(.variant(.string("v"))),
    ]

    /// A byte inside variants, `depth` of them.
    public static func variants(_ depth: Int) -> Value {
        var value = Value.byte(42)
        for _ in 0..<depth { value = .variant(value) }
        return value
    }
}
