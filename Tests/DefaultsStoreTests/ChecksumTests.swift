import Testing

@testable import DefaultsStore

@Suite struct ChecksumTests {
    /// Values of the reference implementation.
    private static let vectors: [(String, seed: UInt64, UInt64)] = [
        ("", 0, 0xEF46_DB37_51D8_E999), ("a", 0, 0xD24E_C4F1_A98C_6E5B), ("abc", 0, 0x44BC_2CF5_AD77_0999),
        ("Nobody inspects the spammish repetition", 0, 0xFBCE_A83C_8A37_8BF1), ("xxhash", 20_141_025, 0xB559_B98D_844E_0635),
    ]

    @Test("The checksum is the xxHash of the specification", arguments: vectors)
    func reference(text: String, seed: UInt64, expected: UInt64) {
        #expect(Array(text.utf8).withUnsafeBytes { XXHash64.hash($0, seed: seed) } == expected)
    }

    @Test("Any single flipped bit changes the checksum, at every length")
    func flippedBits() {
        for length in 1...80 {
            var bytes = (0..<UInt8(length)).map { $0 &* 37 }
            let whole = bytes.withUnsafeBytes { XXHash64.hash($0) }
            for position in bytes.indices {
                for bit in 0..<8 {
                    bytes[position] ^= 1 << bit
                    #expect(bytes.withUnsafeBytes { XXHash64.hash($0) } != whole)
                    bytes[position] ^= 1 << bit
                }
            }
        }
    }

    @Test("Columns don't run into each other")
    func columns() {
        var left = RowChecksum(.onboarding)
        left.add("ab")
        left.add("c")
        var right = RowChecksum(.onboarding)
        right.add("a")
        right.add("bc")
        #expect(left.value != right.value)
        var otherTable = RowChecksum(.preferences)
        otherTable.add("a")
        otherTable.add("bc")
        #expect(otherTable.value != right.value)
    }
}
