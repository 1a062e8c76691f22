/// A hash of a name's bytes, computed once when the name is made: names are looked up many times on their way through the daemon.
///
/// A multiplication for each eight bytes, over a secret of the process: whoever chooses names can't choose where they fall.
struct ByteHash: Sendable {
    private static let secret = UInt64.random(in: 0...UInt64.max) | 1
    /// 2⁶⁴ divided by the golden ratio: its product spreads every bit of the input.
    private static let factor: UInt64 = 0x9E37_79B9_7F4A_7C15

    let value: UInt64

    init(_ text: String) {
        var text = text
        value = text.withUTF8 { Self.hash(UnsafeRawBufferPointer($0)) }
    }

    private static func hash(_ bytes: UnsafeRawBufferPointer) -> UInt64 {
        var hash = secret ^ UInt64(truncatingIfNeeded: bytes.count)
        var offset = 0
        while offset + 8 <= bytes.count {
            hash = mix(hash ^ bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
            offset += 8
        }
        var rest: UInt64 = 0
        while offset < bytes.count {
            rest = rest << 8 | UInt64(bytes[offset])
            offset += 1
        }
        return mix(hash ^ rest)
    }

    /// The two halves of a 128-bit product, folded: every bit of the input reaches the low bits.
    private static func mix(_ value: UInt64) -> UInt64 {
        let product = (value ^ secret).multipliedFullWidth(by: factor)
        return product.high ^ product.low
    }
}
