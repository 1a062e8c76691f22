/// Bytes as hexadecimal digits, two each.
enum HexText {
    /// Reads an even number of digits, with `hex:` before them or not; nil for anything else.
    static func bytes(_ text: String) -> [UInt8]? {
        let digits = Array((text.hasPrefix("hex:") ? text.dropFirst(4) : text[...]).utf8)
        guard digits.count.isMultiple(of: 2) else { return nil }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(digits.count / 2)
        for index in stride(from: 0, to: digits.count, by: 2) {
            guard let high = digits[index].hexadecimalDigit, let low = digits[index + 1].hexadecimalDigit else { return nil }
            bytes.append(high << 4 | low)
        }
        return bytes
    }

    /// The digits, in lower case.
    static func text(_ bytes: [UInt8]) -> String {
        let digits = Array("0123456789abcdef".utf8)
        return String(unsafeUninitializedCapacity: bytes.count * 2) { buffer in
            for (index, byte) in bytes.enumerated() {
                buffer[2 * index] = digits[Int(byte >> 4)]
                buffer[2 * index + 1] = digits[Int(byte & 15)]
            }
            return bytes.count * 2
        }
    }
}
