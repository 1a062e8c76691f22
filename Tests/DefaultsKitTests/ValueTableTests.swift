import DBusTypes
import Testing

@testable import DefaultsKit

@Suite("The table behind a mirror's reads")
struct ValueTableTests {
    @Test("It holds what a dictionary holds, whatever is set, replaced and removed", arguments: 1...20 as ClosedRange<UInt64>)
    func likeADictionary(seed: UInt64) {
        var state = seed
        func random(_ bound: Int) -> Int {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int(state >> 33) % bound
        }
        var table = ValueTable()
        var expected: [MirrorKey: Value] = [:]
        for step in 0..<2_000 {
            let number = random(400)
            let key = MirrorKey(String(repeating: "é.k", count: number % 9) + "\(number)")
            let value: Value? = random(3) == 0 ? nil : step.isMultiple(of: 2) ? .int64(Int64(step)) : .string("\(step)")
            table[key] = value
            expected[key] = value
            let other = MirrorKey("\(random(400))")
            #expect(table[other] == expected[other])
        }
        #expect(table.dictionary == expected)
        #expect(Set(table.keys) == Set(expected.keys) && table.keys.count == expected.count)
    }

    @Test("Every length of key is told from its neighbours, up to the longest")
    func lengths() {
        var table = ValueTable()
        let keys = (0...255).map { MirrorKey(String(repeating: "a", count: $0)) }
        for (number, key) in keys.enumerated() { table[key] = .int64(Int64(number)) }
        for (number, key) in keys.enumerated() { #expect(table[key] == .int64(Int64(number))) }
        #expect(table[MirrorKey(String(repeating: "a", count: 256))] == nil)
        for last in ["b", "é", "\u{0}"] { #expect(table[MirrorKey(String(repeating: "a", count: 7) + last)] == nil) }
    }

    @Test("Copies are values: a change of one leaves the other")
    func copies() {
        var table = ValueTable()
        table["n"] = .int64(1)
        let copy = table
        table["n"] = .int64(2)
        table["m"] = .int64(3)
        #expect(copy["n"] == .int64(1) && copy["m"] == nil)
    }
}
