import DBusTypes
import Testing

@testable import DefaultsModel

@Suite("The order and the equality of keys")
struct KeyOrderTests {
    private static let texts = [
        "a", "b", "ab", "a b", "setting-1", "setting-10", "setting-2", "setting-12345678", "setting-123456780",
        "setting-12345678\u{E9}", "setting-12345678e\u{301}", "caf\u{E9}", "cafe\u{301}", "\u{10FFFF}",
        "long-key-of-more-than-sixteen-1",
        "long-key-of-more-than-sixteen-0", "long-key-of-more",
    ]

    @Test("keys are sorted by their bytes, whatever the order they came in")
    func sorted() throws {
        let keys = Self.texts.compactMap { PreferenceKey($0) }
        try #require(keys.count == Self.texts.count)
        let expected = Self.texts.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
        for _ in 0..<20 {
            #expect(keys.shuffled().sorted(byKey: { $0 }).map(\.text).elementsEqual(expected) { $0.hasSameBytes(as: $1) })
        }
    }

    @Test("P4: canonically equivalent keys are different ones, and equal keys have equal hashes")
    func equality() throws {
        let keys = Set(Self.texts.compactMap { PreferenceKey($0) })
        #expect(keys.count == Self.texts.count)
        for text in Self.texts {
            #expect(keys.contains(try #require(PreferenceKey(String(decoding: Array(text.utf8), as: UTF8.self)))))
        }
    }
}
