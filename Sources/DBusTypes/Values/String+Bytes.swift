extension String {
    /// Equality of the bytes; `==` also finds canonically equivalent texts equal, which are other bytes on the wire.
    public func hasSameBytes(as other: String) -> Bool {
        guard utf8.count == other.utf8.count else { return false }
        if hasSameStorage(as: other) { return true }
        return withBytes(and: other) { left, right in
            var offset = 0
            // A word at a time: names and keys are compared at every look-up.
            while offset + 8 <= left.count {
                guard left.word(at: offset) == right.word(at: offset) else { return false }
                offset += 8
            }
            while offset < left.count {
                guard left[offset] == right[offset] else { return false }
                offset += 1
            }
            return true
        }
    }

    /// Whether the bytes come before those of another text, compared one by one.
    public func precedesByBytes(_ other: String) -> Bool {
        withBytes(and: other) { left, right in
            let shared = min(left.count, right.count)
            var offset = 0
            while offset + 8 <= shared {
                let (one, two) = (left.word(at: offset), right.word(at: offset))
                if one != two { return UInt64(bigEndian: one) < UInt64(bigEndian: two) }
                offset += 8
            }
            while offset < shared {
                if left[offset] != right[offset] { return left[offset] < right[offset] }
                offset += 1
            }
            return left.count < right.count
        }
    }

    /// Whether both are the same words in memory: copies of one string, or equal short ones.
    ///
    /// Others can have the same bytes too.
    private func hasSameStorage(as other: String) -> Bool {
        unsafeBitCast(self, to: (UInt64, UInt64).self) == unsafeBitCast(other, to: (UInt64, UInt64).self)
    }

    private func withBytes<Result>(
        and other: String, _ body: (UnsafeRawBufferPointer, UnsafeRawBufferPointer) -> Result
    ) -> Result {
        let result = utf8.withContiguousStorageIfAvailable { left in
            other.utf8.withContiguousStorageIfAvailable { right in
                body(UnsafeRawBufferPointer(left), UnsafeRawBufferPointer(right))
            }
        }
        if let result = result ?? nil { return result }
        // A string that isn't Swift's own is made so first.
        var (left, right) = (self, other)
        return left.withUTF8 { left in
            right.withUTF8 { right in body(UnsafeRawBufferPointer(left), UnsafeRawBufferPointer(right)) }
        }
    }
}

extension UnsafeRawBufferPointer {
    fileprivate func word(at offset: Int) -> UInt64 { loadUnaligned(fromByteOffset: offset, as: UInt64.self) }
}
