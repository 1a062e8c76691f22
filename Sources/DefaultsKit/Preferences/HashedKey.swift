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
            return (UnsafeBufferPointer(copy), ByteHash(utf8).value)
        }
    }

    deinit { bytes.deallocate() }

    /// The key's value in a table.
    @inline(__always)
    func value(in table: ValueTable.View) -> Value? { table.value(of: bytes, hash: hash) }
}

extension MirrorKey {
    /// Gives the key's bytes.
    @inline(__always)
    func withBytes<Result>(_ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
        var text = text
        return text.withUTF8(body)
    }
}
