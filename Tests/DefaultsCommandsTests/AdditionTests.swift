import DBusTypes
import Testing

@testable import DefaultsCommands

@Suite("Adding to arrays and dictionaries")
struct AdditionTests {
    @Test("an absent array begins, a present one grows in its own type")
    func arrays() throws {
        #expect(try Value.array(nil, appending: [.string("a")]) == .array(["a"]))
        #expect(try Value.array(.array(["a"]), appending: [.string("b")]) == .array(["a", "b"]))
        #expect(try Value.array(.array([UInt32(1)]), appending: [.int64(2)]) == .array([UInt32(1), 2]))
        #expect(try Value.array(.bytes([1]), appending: [.int64(255)]) == .bytes([1, 255]))
        #expect(try Value.array(.array([Value.string("a")]), appending: [.int64(2)]) == .array([Value.string("a"), .int64(2)]))
        #expect(try Value.array(.array([String]()), appending: [.int64(2)]) == .array([Int64(2)]))
    }

    @Test("an absent dictionary begins, a present one keeps its type and the order of its entries")
    func dictionaries() throws {
        #expect(try Value.dictionary(nil, adding: [("a", .int64(1))]) == .vardict([("a", .int64(1))]))
        let both = try Value.dictionary(
            .vardict([("a", .int64(1)), ("b", .int64(2))]), adding: [("a", .string("x")), ("c", .int64(3))])
        #expect(both.dictionary?.entries.map(\.key) == [.string("a"), .string("b"), .string("c")])
        #expect(both == .vardict([("a", .string("x")), ("b", .int64(2)), ("c", .int64(3))]))
        let typed = try SignatureWords.value(signature: "a{sq}", words: ["1", "a", "1"])
        #expect(
            try Value.dictionary(typed, adding: [("b", .int64(2))])
                == SignatureWords.value(signature: "a{sq}", words: ["2", "a", "1", "b", "2"]))
    }

    @Test("P3: what does not fit the type that is there is refused and named")
    func misfits() throws {
        let misfit = try #require(throws: Failure.self) { try Value.array(.array([Int64(1)]), appending: [.string("2")]) }
        #expect(misfit.status == .invalid)
        #expect(misfit.message == "-array-add can't put 2, of type s, into a value of type ax: that holds x")
        let tooBig = try #require(throws: Failure.self) { try Value.array(.bytes([1]), appending: [.int64(256)]) }
        #expect(tooBig.message == "-array-add can't put 256, of type x, into a value of type ay: that holds y")
        let scalar = try #require(throws: Failure.self) { try Value.array(.string("a"), appending: [.string("b")]) }
        #expect(scalar.message == "-array-add needs an array, and the value is of type s")
        let wrongKeys = try #require(throws: Failure.self) {
            try Value.dictionary(SignatureWords.value(signature: "a{is}", words: ["0"]), adding: [("a", .string("b"))])
        }
        #expect(wrongKeys.message == "-dict-add needs a dictionary whose keys are texts, and the value is of type a{is}")
    }
}
