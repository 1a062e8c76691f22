import DBusTypes

/// The flags that say of which type a value is, as on macOS.
enum ValueFlag: String, CaseIterable {
    case bool, int, uint, float, string, data, date
    case array
    case arrayAdd = "array-add"
    case dict
    case dictAdd = "dict-add"

    /// Whether the flag is followed by one word, its value, rather than by any number.
    var isScalar: Bool {
        switch self {
        case .bool, .int, .uint, .float, .string, .data, .date: true
        case .array, .arrayAdd, .dict, .dictAdd: false
        }
    }

    /// The flag as it is typed.
    var name: String { "-" + rawValue }

    init?(_ option: OptionDefinition) {
        guard option.isValueFlag else { return nil }
        self.init(rawValue: String(option.name.dropFirst()))
    }

    /// Reads the value of a scalar flag.
    func value(_ text: String) throws(Failure) -> Value {
        switch self {
        case .bool: return try BasicText.value(text, type: .boolean, place: name)
        case .int: return try BasicText.value(text, type: .int64, place: name)
        case .uint: return try BasicText.value(text, type: .uint64, place: name)
        case .float: return try BasicText.value(text, type: .double, place: name)
        case .string: return .string(text)
        case .data:
            guard let bytes = HexText.bytes(text) else {
                throw .usage("\(name) takes an even number of hexadecimal digits, not \"\(text)\"", ["write"])
            }
            return .bytes(bytes)
        case .date:
            guard let microseconds = DateText.microseconds(text) else {
                throw .usage("\(name) takes a date such as 2026-01-31 or 2026-01-31T12:00:00Z, not \"\(text)\"", ["write"])
            }
            return .int64(microseconds)
        case .array, .arrayAdd, .dict, .dictAdd: preconditionFailure("\(name) takes any number of values")
        }
    }
}
