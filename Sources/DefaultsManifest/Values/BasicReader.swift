import DBusTypes

/// Texts and numbers to values of a basic type that is known; nil for what is none.
enum BasicReader {
    /// Reads a number: as one, or as a string, in which 64-bit integers keep their digits and doubles may be inf, -inf or NaN.
    static func number(_ node: JSONNode, _ type: DBusType) -> Value? {
        switch node {
        case .number(let text): number(text, type)
        case .string(let text): type == .double ? special(text).map { .double($0) } : number(text, type)
        case .null, .boolean, .array, .object: nil
        }
    }

    /// Reads a value of a basic type from a text, as the names of a dictionary's entries have it.
    static func value(_ text: String, _ type: DBusType) -> Value? {
        switch type {
        case .string: .string(text)
        case .objectPath: ObjectPath(text).map { .objectPath($0) }
        case .signature: Signature(text).map { .signature($0) }
        case .boolean: text == "true" ? .boolean(true) : text == "false" ? .boolean(false) : nil
        case .double: special(text).map { .double($0) } ?? number(text, type)
        case .byte, .int16, .uint16, .int32, .uint32, .int64, .uint64: number(text, type)
        case .unixFD, .variant, .array, .structure, .dictionary: nil
        }
    }

    private static func number(_ text: String, _ type: DBusType) -> Value? {
        let bytes = text.utf8
        guard let first = bytes.first, first != UInt8(ascii: "+") else { return nil }
        if type == .double {
            guard bytes.allSatisfy({ isDigit($0) || "+-.eE".utf8.contains($0) }), let number = Double(text), number.isFinite
            else { return nil }
            return .double(number)
        }
        return switch type {
        case .byte: UInt8(text).map { .byte($0) }
        case .int16: Int16(text).map { .int16($0) }
        case .uint16: UInt16(text).map { .uint16($0) }
        case .int32: Int32(text).map { .int32($0) }
        case .uint32: UInt32(text).map { .uint32($0) }
        case .int64: Int64(text).map { .int64($0) }
        case .uint64: UInt64(text).map { .uint64($0) }
        case .boolean, .double, .string, .objectPath, .signature, .unixFD, .variant, .array, .structure, .dictionary: nil
        }
    }

    private static func special(_ text: String) -> Double? {
        switch text {
        case "inf": return .infinity
        case "-inf": return -.infinity
        default:
            guard text.utf8.starts(with: "nan:".utf8) else { return nil }
            let digits = text.utf8.dropFirst(4)
            guard (1...16).contains(digits.count), digits.allSatisfy({ hexadecimalDigit($0) != nil }) else { return nil }
            let bits = digits.reduce(UInt64(0)) { $0 << 4 | UInt64(hexadecimalDigit($1) ?? 0) }
            let number = Double(bitPattern: bits)
            return number.isNaN ? number : nil
        }
    }

    /// Reads `hex:` and two digits a byte.
    static func bytes(_ text: String) -> [UInt8]? {
        guard text.utf8.starts(with: "hex:".utf8) else { return nil }
        let digits = Array(text.utf8.dropFirst(4))
        guard digits.count.isMultiple(of: 2) else { return nil }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(digits.count / 2)
        for index in stride(from: 0, to: digits.count, by: 2) {
            guard let high = hexadecimalDigit(digits[index]), let low = hexadecimalDigit(digits[index + 1]) else { return nil }
            bytes.append(high << 4 | low)
        }
        return bytes
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }

    private static func hexadecimalDigit(_ byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
        default: nil
        }
    }
}
