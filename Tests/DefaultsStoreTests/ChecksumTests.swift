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

    private static let head = Head(
        revision: 2, commits: 3, loss: .restored, domains: Tally(count: 4, sum: 5), countdowns: Tally(count: 6, sum: 7))
    private static let domain = DomainRow(id: 2, revision: 3, keys: 4, bytes: 5, rows: Tally(count: 6, sum: 7))

    @Test("P10: each table's columns go into the checksum in the order of the format on disk")
    func order() {
        // Computed by another implementation, from the format's description.
        var checksum = RowChecksum()
        #expect(checksum.user(Self.head) == 0x5D4D_5E12_76AB_53C1)
        #expect(checksum.domain("org.example.App", Self.domain) == 0x64BB_5F66_5178_B886)
        let value: [UInt8] = [9]
        #expect(
            checksum.preference(domain: 1, layer: 0, key: "key", type: "y", value: value, modified: -2, writer: ":1.7")
                == 0xB8E2_9E25_E078_5AB7)
        #expect(
            checksum.onboarding(domain: 1, kind: "flag", id: "id", type: "y", value: value) == 0xFF6F_93B9_42F1_0635)
        #expect(checksum.countdown(token: "token", type: "y", value: value) == 0x763D_362C_FDD9_5928)
    }

    @Test("What is about to be written and what SQLite has read give the same")
    func places() {
        let (key, type, value, writer) = ("Grüße", "ay", [UInt8](0...255), "")
        let written = checksum(key, type, value, writer)
        let columns = [Array(key.utf8), Array(type.utf8), value, Array(writer.utf8)].map { bytes in
            let copy = UnsafeMutableRawBufferPointer.allocate(byteCount: bytes.count, alignment: 1)
            copy.copyBytes(from: bytes)
            return copy
        }
        defer { for column in columns { column.deallocate() } }
        let read = columns.map { UnsafeRawBufferPointer($0) }
        #expect(checksum(read[0], read[1], read[2], read[3]) == written)
        #expect(checksum(Array(key.utf8), Array(type.utf8), value, [UInt8]()) == written)
    }

    private func checksum(
        _ key: some BytesColumn, _ type: some BytesColumn, _ value: some BytesColumn, _ writer: some BytesColumn
    ) -> UInt64 {
        var checksum = RowChecksum()
        return checksum.preference(domain: 1, layer: 1, key: key, type: type, value: value, modified: 1, writer: writer)
    }

    @Test("A row's checksum has nothing of the row before, however long the two are")
    func memoryUsedAgain() {
        var used = RowChecksum()
        for length in [0, 1, 300, 7, 255, 256, 257, 5_000, 0, 5_001, 3] {
            let value = [UInt8](repeating: 0xA5, count: length)
            var fresh = RowChecksum()
            var expected: [UInt8] = []
            for column in [Array("token".utf8), Array("ay".utf8), value] {
                expected += withUnsafeBytes(of: UInt64(column.count).littleEndian, Array.init) + column
            }
            let hash = expected.withUnsafeBytes { XXHash64.hash($0, seed: RowChecksum.Table.countdowns.rawValue) }
            #expect(used.countdown(token: "token", type: "ay", value: value) == hash, "\(length)")
            #expect(fresh.countdown(token: "token", type: "ay", value: value) == hash, "\(length)")
        }
    }

    @Test("Columns don't run into each other")
    func columns() {
        let left = checksum(of: "ab", "c", in: .onboarding)
        #expect(left != checksum(of: "a", "bc", in: .onboarding))
        #expect(left != checksum(of: "ab", "c", in: .preferences))
    }

    private func checksum(of first: String, _ second: String, in table: RowChecksum.Table) -> UInt64 {
        var checksum = RowChecksum()
        checksum.begin(table)
        checksum.add(first)
        checksum.add(second)
        return checksum.value
    }
}
