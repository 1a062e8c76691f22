import DBusTypes

/// Numbers as they are typed and printed: decimal, exact, the same in every locale.
enum NumberText {
    /// Why a text is no number of the type asked for.
    enum Problem: Error, Equatable {
        /// It is no number.
        case malformed
        /// It is a number that the type can't hold.
        case outOfRange
    }

    /// Reads an integer: a sign if need be, then decimal digits, or `0x` and hexadecimal ones.
    static func integer<T: FixedWidthInteger>(_ text: String, as type: T.Type = T.self) throws(Problem) -> T {
        var digits = text[...]
        var sign = ""
        if let first = digits.first, first == "-" || first == "+" {
            sign = String(first)
            digits = digits.dropFirst()
        }
        let isHexadecimal = digits.hasPrefix("0x") || digits.hasPrefix("0X")
        if isHexadecimal { digits = digits.dropFirst(2) }
        guard !digits.isEmpty, digits.utf8.allSatisfy({ isHexadecimal ? $0.hexadecimalDigit != nil : $0.isDigit }) else {
            throw .malformed
        }
        guard let value = T(sign + digits, radix: isHexadecimal ? 16 : 10) else { throw .outOfRange }
        return value
    }

    /// Reads a double: decimal, `inf`, `-inf`, `nan`, or `nan:` and the 64 bits of a NaN in hexadecimal.
    static func double(_ text: String) throws(Problem) -> Double {
        switch text {
        case "inf", "+inf": return .infinity
        case "-inf": return -.infinity
        case "nan": return .nan
        default: break
        }
        if text.hasPrefix("nan:") {
            guard let bits = UInt64(text.dropFirst(4), radix: 16), text.utf8.count <= 20,
                text.utf8.dropFirst(4).first != UInt8(ascii: "+")
            else { throw .malformed }
            guard Double(bitPattern: bits).isNaN else { throw .outOfRange }
            return Double(bitPattern: bits)
        }
        // Swift's own reading also takes hexadecimal fractions and several spellings of infinity, which nobody else would read.
        let isPlain = text.utf8.allSatisfy { $0.isDigit || "+-.eE".utf8.contains($0) }
        guard isPlain, let value = Double(text) else { throw .malformed }
        guard value.isFinite else { throw .outOfRange }
        return value
    }

    /// The shortest text that reads back as the same bits; `nan` for the usual NaN, `nan:` and all 64 bits for any other.
    static func text(_ value: Double) -> String {
        guard value.isNaN else { return value.description }
        return value.bitPattern == Double.nan.bitPattern ? "nan" : "nan:" + String(value.bitPattern, radix: 16)
    }
}

extension UInt8 {
    /// Whether the byte is an ASCII digit.
    var isDigit: Bool { self >= UInt8(ascii: "0") && self <= UInt8(ascii: "9") }

    /// The value of a hexadecimal ASCII digit; nil for any other byte.
    var hexadecimalDigit: UInt8? {
        switch self {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): self - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): self - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): self - UInt8(ascii: "A") + 10
        default: nil
        }
    }
}
