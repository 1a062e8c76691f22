import DBusTypes

/// A key's bytes with their hash, so that a key which is kept is hashed and laid out once.
final class HashedKey: Sendable {
    let key: MirrorKey
    private let hash: UInt64
    /// The key's bytes, for as long as this object lives.
    nonisolated(unsafe) private let bytes: UnsafeBufferPointer<UInt8>

    // `bytes` is written before anyone else can see it, and never again.
    init(_ text: String) {
        key = MirrorKey(text)
        var text = text
        (bytes, hash) = text.withUTF8 { utf8 in
            let copy = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: utf8.count)
            _ = copy.initialize(from: utf8)
            return (UnsafeBufferPointer(copy), Self.hash(utf8))
        }
    }

    deinit { bytes.deallocate() }

    /// The key's value in a table.
    @inline(__always)
    func value(in table: ValueTable.View) -> Value? { table.value(of: bytes, hash: hash) }

    private static let secret = UInt64.random(in: 0...UInt64.max) | 1

    /// The hash of a key's bytes, the same in all tables of a process.
    static func hash(_ key: UnsafeBufferPointer<UInt8>) -> UInt64 {
        let key = UnsafeRawBufferPointer(key)
        var hash = secret ^ UInt64(truncatingIfNeeded: key.count)
        var offset = 0
        while offset + 8 <= key.count {
            hash = mix(hash ^ key.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
            offset += 8
        }
        var rest: UInt64 = 0
        while offset < key.count {
            rest = rest << 8 | UInt64(key[offset])
            offset += 1
        }
        return mix(hash ^ rest)
    }

    /// The two halves of a 128-bit product, folded: every bit of the input reaches the low bits, which choose the place.
    private static func mix(_ value: UInt64) -> UInt64 {
        let product = (value ^ secret).multipliedFullWidth(by: 0x9E37_79B9_7F4A_7C15)
        return product.high ^ product.low
    }
}

extension MirrorKey {
    /// Gives the key's bytes.
    @inline(__always)
    func withBytes<Result>(_ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
        var text = text
        return text.withUTF8(body)
    }
}
