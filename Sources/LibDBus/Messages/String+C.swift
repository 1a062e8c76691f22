import Glibc

extension String {
    /// Whether the bytes are those of a C string.
    ///
    /// Handing a string to a function of C copies it first where it is short, and looks for zeroes in it; this does neither.
    func isEqual(to other: UnsafePointer<CChar>) -> Bool {
        var text = self
        return text.withUTF8 { bytes in
            // A zero among the bytes differs from whatever is there in the other, or ends it.
            guard let base = bytes.baseAddress else { return other.pointee == 0 }
            return base.withMemoryRebound(to: CChar.self, capacity: bytes.count) { strncmp($0, other, bytes.count) } == 0
                && strnlen(other, bytes.count + 1) == bytes.count
        }
    }
}
