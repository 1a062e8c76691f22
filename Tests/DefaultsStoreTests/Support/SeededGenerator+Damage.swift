import Support

extension SeededGenerator {
    /// Cuts the bytes off somewhere, or flips one of their bits; returns where that is, nil for a cut.
    @discardableResult
    mutating func damage(_ bytes: inout [UInt8], cutting: Bool) -> Int? {
        if cutting {
            bytes.removeLast(Int.random(in: 1...bytes.count, using: &self))
            return nil
        }
        let position = Int.random(in: 0..<bytes.count, using: &self)
        bytes[position] ^= 1 << UInt8.random(in: 0..<8, using: &self)
        return position
    }
}
