import DBusTypes

/// The conversions of the untyped reads: explicit, lossless, and nil for everything else (P14).
///
/// Absent is not false, and neither is 0: each of them is nil where the value says something else.
extension Value {
    /// A `b`; the integers 0 and 1; the texts true, yes, 1 and false, no, 0 in any case.
    var convertedToBool: Bool? {
        switch self {
        case .boolean(let value): return value
        case .string(let text):
            switch text.lowercased() {
            case "true", "yes", "1": return true
            case "false", "no", "0": return false
            default: return nil
            }
        default:
            guard let number = integer(as: Int.self), number == 0 || number == 1 else { return nil }
            return number == 1
        }
    }

    /// An integer whose number fits; a `d` that is whole and fits; a text that is an integer in decimal; a `b` as 1 or 0.
    var convertedToInt: Int? {
        switch self {
        case .boolean(let value): value ? 1 : 0
        case .double(let number): Int(exactly: number)
        case .string(let text): Int(text)
        default: integer(as: Int.self)
        }
    }

    /// A `d`; an integer that a Double holds exactly; a text that is a number.
    var convertedToDouble: Double? {
        switch self {
        case .double(let number): return number
        case .string(let text): return Double(text)
        default:
            if let number = integer(as: Int64.self) { return Double(exactly: number) }
            return integer(as: UInt64.self).flatMap { Double(exactly: $0) }
        }
    }

    /// An `s`; a number as Swift writes it.
    var convertedToString: String? {
        switch self {
        case .string(let text): return text
        case .double(let number): return "\(number)"
        default:
            if let number = integer(as: Int64.self) { return "\(number)" }
            return integer(as: UInt64.self).map { "\($0)" }
        }
    }

    /// The elements of an array, out of their variants.
    var convertedToArray: [Value]? {
        guard case .array(let array) = self else { return nil }
        return array.values.map(\.unwrapped)
    }

    /// The entries of a dictionary with texts for keys, out of their variants.
    var convertedToDictionary: [String: Value]? {
        guard case .dictionary(let dictionary) = self, dictionary.keyType == .string else { return nil }
        var result: [String: Value] = [:]
        for entry in dictionary.entries {
            if case .string(let key) = entry.key { result[key] = entry.value.unwrapped }
        }
        return result
    }
}
