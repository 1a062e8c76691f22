import DBusTypes
import Testing

@Suite("Texts by their bytes")
struct ByteComparisonTests {
    /// Around the eight bytes that are compared at once, with equal beginnings, bytes above 0x7F, and equivalent texts.
    private static let texts = [
        "", "a", "b", "ab", "setting-", "setting-1", "setting-2", "setting-10", "setting-1234567", "setting-12345678",
        "setting-123456789", "setting-1234567890123456789", "setting-1234567890123456799", "\u{7F}", "\u{80}", "\u{FF}",
        "caf\u{E9}", "cafe\u{301}", "setting-\u{10FFFF}", "12345678\u{E9}", "12345678e\u{301}",
    ]

    @Test("P3: two texts are the same when their bytes are, also where Swift finds them equal")
    func equality() {
        for left in Self.texts {
            for right in Self.texts { #expect(left.hasSameBytes(as: right) == (Array(left.utf8) == Array(right.utf8))) }
        }
    }

    @Test("one text comes before another as their bytes do, compared one by one")
    func order() {
        for left in Self.texts {
            for right in Self.texts {
                #expect(
                    left.precedesByBytes(right) == left.utf8.lexicographicallyPrecedes(right.utf8), "\(left) before \(right)")
            }
        }
    }
}
