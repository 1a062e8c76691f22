/// The 64-bit xxHash of a run of bytes, as its specification defines it.
///
/// Every step is a bijection of the word it takes in, so a change within one aligned word of eight bytes always changes the
/// result; it is part of the format on disk.
enum XXHash64 {
    private static let prime1: UInt64 = 0x9E37_79B1_85EB_CA87
    private static let prime2: UInt64 = 0xC2B2_AE3D_27D4_EB4F
    private static let prime3: UInt64 = 0x1656_67B1_9E37_79F9
    private static let prime4: UInt64 = 0x85EB_CA77_C2B2_AE63
    private static let prime5: UInt64 = 0x27D4_EB2F_1656_67C5

    /// Hashes `bytes`.
    static func hash(_ bytes: UnsafeRawBufferPointer, seed: UInt64 = 0) -> UInt64 {
        var position = 0
        var hash = bytes.count >= 32 ? stripes(bytes, seed: seed, position: &position) : seed &+ prime5
        hash &+= UInt64(bytes.count)
        while position + 8 <= bytes.count {
            hash ^= round(0, word(bytes, position))
            hash = rotate(hash, 27) &* prime1 &+ prime4
            position += 8
        }
        if position + 4 <= bytes.count {
            let half = UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: position, as: UInt32.self))
            hash ^= UInt64(half) &* prime1
            hash = rotate(hash, 23) &* prime2 &+ prime3
            position += 4
        }
        for byte in bytes[position...] {
            hash ^= UInt64(byte) &* prime5
            hash = rotate(hash, 11) &* prime1
        }
        hash ^= hash >> 33
        hash = hash &* prime2
        hash ^= hash >> 29
        hash = hash &* prime3
        return hash ^ (hash >> 32)
    }

    private static func stripes(_ bytes: UnsafeRawBufferPointer, seed: UInt64, position: inout Int) -> UInt64 {
        var lane1 = seed &+ prime1 &+ prime2
        var lane2 = seed &+ prime2
        var lane3 = seed
        var lane4 = seed &- prime1
        while position + 32 <= bytes.count {
            lane1 = round(lane1, word(bytes, position))
            lane2 = round(lane2, word(bytes, position + 8))
            lane3 = round(lane3, word(bytes, position + 16))
            lane4 = round(lane4, word(bytes, position + 24))
            position += 32
        }
        var hash = rotate(lane1, 1) &+ rotate(lane2, 7) &+ rotate(lane3, 12) &+ rotate(lane4, 18)
        hash = merge(hash, lane1)
        hash = merge(hash, lane2)
        hash = merge(hash, lane3)
        return merge(hash, lane4)
    }

    private static func word(_ bytes: UnsafeRawBufferPointer, _ position: Int) -> UInt64 {
        UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: position, as: UInt64.self))
    }

    private static func round(_ lane: UInt64, _ word: UInt64) -> UInt64 {
        rotate(lane &+ word &* prime2, 31) &* prime1
    }

    private static func merge(_ hash: UInt64, _ lane: UInt64) -> UInt64 {
        (hash ^ round(0, lane)) &* prime1 &+ prime4
    }

    private static func rotate(_ word: UInt64, _ bits: UInt64) -> UInt64 {
        word << bits | word >> (64 - bits)
    }
}
