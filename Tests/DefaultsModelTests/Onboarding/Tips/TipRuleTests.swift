import DBusTypes
import Testing

@testable import DefaultsModel

@Suite("Rules of tips")
struct TipRuleTests {
    private typealias Operator = TipRule.Operator

    /// The operators of those that order which hold, in the order of their definition.
    private func holding(_ left: Value?, _ right: Value) -> [Operator] {
        Operator.allCases.filter { $0 != .among && $0.holds(left, right) }
    }

    private static let same: [Operator] = [.equal, .atMost, .atLeast]
    private static let lower: [Operator] = [.different, .less, .atMost]
    private static let higher: [Operator] = [.different, .greater, .atLeast]

    @Test("Integers compare by number across widths")
    func integers() {
        let threes: [Value] = [.byte(3), .int16(3), .uint16(3), .int32(3), .uint32(3), .int64(3), .uint64(3)]
        for left in threes { for right in threes { #expect(holding(left, right) == Self.same, "\(left) \(right)") } }
        #expect(holding(.int16(-1), .uint64(.max)) == Self.lower)
        #expect(holding(.uint64(.max), .int64(.min)) == Self.higher)
        #expect(holding(.uint64(.max), .int64(-1)) == Self.higher)
    }

    @Test("Doubles and integers compare as numbers, exactly; NaN is nothing's equal")
    func doubles() {
        #expect(holding(.double(0.5), .double(0.25)) == Self.higher)
        #expect(holding(.double(-0.0), .double(0)) == Self.same)
        #expect(holding(.double(3), .int32(3)) == Self.same)
        #expect(holding(.int32(3), .double(3.5)) == Self.lower)
        #expect(holding(.int32(-4), .double(-3.5)) == Self.lower)
        #expect(holding(.double(-3.5), .int32(-4)) == Self.higher)
        // 2⁵³ + 1 is no double: rounded, the two would be the same.
        #expect(holding(.int64(1 << 53 + 1), .double(0x1p53)) == Self.higher)
        #expect(holding(.uint64(.max), .double(0x1p64)) == Self.lower)
        #expect(holding(.int64(.max), .double(.infinity)) == Self.lower)
        #expect(holding(.double(-.infinity), .int64(.min)) == Self.lower)
        for other: Value in [.double(.nan), .double(1), .int32(1)] {
            #expect(holding(.double(.nan), other) == [.different])
            #expect(holding(other, .double(.nan)) == [.different])
        }
    }

    @Test("Strings compare by their bytes, booleans and all others by type and bits")
    func others() {
        #expect(holding(.string("a"), .string("a")) == Self.same)
        #expect(holding(.string("a"), .string("b")) == Self.lower)
        #expect(holding(.string("é"), .string("e\u{301}")) == Self.higher)
        #expect(Operator.equal.holds(.boolean(true), .boolean(true)))
        #expect(Operator.different.holds(.boolean(true), .boolean(false)))
        #expect(Operator.equal.holds(.array(["a"]), .array(["a"])))
        #expect(Operator.different.holds(.array(["a"]), .array(["b"])))
    }

    @Test("Values of different kinds differ and have no order")
    func kinds() {
        for (left, right): (Value, Value) in [
            (.string("3"), .int32(3)), (.boolean(true), .int32(1)), (.double(1), .boolean(true)),
            (.string(""), .array([String]())),
        ] {
            #expect(holding(left, right) == [.different])
            #expect(holding(right, left) == [.different])
        }
    }

    @Test("P14: an absent preference is different from everything, and nothing else: not false, not 0")
    func absent() {
        for value: Value in [.boolean(false), .int32(0), .string("")] {
            #expect(holding(nil, value) == [.different])
            #expect(!Operator.among.holds(nil, .array([value])))
        }
    }

    @Test("in: one of an array's elements, out of their variants, by number")
    func among() {
        #expect(Operator.among.holds(.int64(2), .array([Int32(1), 2])))
        #expect(!Operator.among.holds(.int64(3), .array([Int32(1), 2])))
        #expect(Operator.among.holds(.byte(2), .bytes([1, 2])))
        #expect(Operator.among.holds(.string("b"), .array([Value.int32(1), .string("b")])))
        #expect(!Operator.among.holds(.string("b"), .array([String]())))
    }

    @Test("A rule is on the effective value: global's where the application has none, and a lock's")
    func layers() throws {
        let desk = TipDesk()
        try desk.define("t", [TipDesk.rules([("key", .string("mode")), ("value", .string("expert"))])])
        #expect(try desk.reason("t") == "rules")
        desk.fixture.set("mode", .string("expert"), in: .global)
        desk.fixture.commitAll()
        #expect(try desk.reason("t").isEmpty)
        desk.fixture.set("mode", .string("plain"))
        desk.fixture.commitAll()
        #expect(try desk.reason("t") == "rules")
        desk.take(FileLayers(mandatory: [desk.app: [LedgerFixture.key("mode"): .string("expert")]]))
        #expect(try desk.reason("t").isEmpty)
    }

    @Test("All rules must hold")
    func allOfThem() throws {
        let desk = TipDesk()
        try desk.define(
            "t",
            [
                TipDesk.rules(
                    [("key", .string("a")), ("value", .boolean(true))],
                    [("event", .string("e")), ("operator", .string(">")), ("count", .uint32(1))])
            ])
        desk.fixture.set("a", .boolean(true))
        desk.fixture.commitAll()
        try desk.donate("e")
        #expect(try desk.reason("t") == "rules")
        try desk.donate("e")
        #expect(try desk.reason("t").isEmpty)
        desk.fixture.set("a", .boolean(false))
        desk.fixture.commitAll()
        #expect(try desk.reason("t") == "rules")
    }
}
