/// A hash of a name's bytes, to be computed once and kept: names are looked up many times.
///
/// A multiplication for each eight bytes, over a secret of the process: whoever chooses names can't choose where they fall. It is the same for equal bytes in
/// all of a process, and means nothing in another.
///
/// Inlined where it is used: it is most of what a look-up costs.
@frozen public struct ByteHash: Hashable, Sendable {
    @usableFromInline static let secret = UInt64.random(in: 0...UInt64.max) | 1

    /// The hash; its low bits are as good as its high ones.
    public let value: UInt64

    /// Hashes a text's bytes.
    @inlinable
    public init(_ text: String) {
        var text = text
        value = text.withUTF8 { Self.hash(UnsafeRawBufferPointer($0), Self.secret) }
    }

    /// Hashes bytes.
    @inlinable
    public init(_ bytes: UnsafeBufferPointer<UInt8>) { value = Self.hash(UnsafeRawBufferPointer(bytes), Self.secret) }

    /// The hash for a table with a seed of its own, as `Hashable`'s underscored requirement has it.
    ///
    /// No two tables may have the same order: filling one from another in its order would pile up.
    @inlinable
    public func value(seed: Int) -> Int {
        Int(truncatingIfNeeded: Self.mix(value ^ UInt64(truncatingIfNeeded: seed), Self.secret))
    }

    @inlinable
    static func hash(_ bytes: UnsafeRawBufferPointer, _ secret: UInt64) -> UInt64 {
        var hash = secret ^ UInt64(truncatingIfNeeded: bytes.count)
        var offset = 0
        while offset + 8 <= bytes.count {
            hash = mix(hash ^ bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self), secret)
            offset += 8
        }
        var rest: UInt64 = 0
        while offset < bytes.count {
            rest = rest << 8 | UInt64(bytes[offset])
            offset += 1
        }
        return mix(hash ^ rest, secret)
    }

    /// The two halves of a 128-bit product, folded: every bit of the input reaches the low bits, which choose the place in a table.
    ///
    /// The factor is 2⁶⁴ divided by the golden ratio: its product spreads every bit of the input.
    @inlinable
    static func mix(_ value: UInt64, _ secret: UInt64) -> UInt64 {
        let product = (value ^ secret).multipliedFullWidth(by: 0x9E37_79B9_7F4A_7C15)
        return product.high ^ product.low
    }
}
