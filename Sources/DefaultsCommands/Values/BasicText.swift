import DBusTypes

/// Values of basic types as they are typed.
enum BasicText {
    /// Reads `text` as a value of `type`, a basic one that can be stored; the message says what would be right.
    ///
    /// `place` is what the text was typed after, such as `-int`.
    static func value(_ text: String, type: DBusType, place: String) throws(Failure) -> Value {
        do throws(NumberText.Problem) {
            switch type {
            case .byte: return .byte(try NumberText.integer(text))
            case .int16: return .int16(try NumberText.integer(text))
            case .uint16: return .uint16(try NumberText.integer(text))
            case .int32: return .int32(try NumberText.integer(text))
            case .uint32: return .uint32(try NumberText.integer(text))
            case .int64: return .int64(try NumberText.integer(text))
            case .uint64: return .uint64(try NumberText.integer(text))
            case .double: return .double(try NumberText.double(text))
            case .boolean: if let value = boolean(text) { return .boolean(value) }
            case .string: return .string(text)
            case .objectPath: if let path = ObjectPath(text) { return .objectPath(path) }
            case .signature: if let signature = Signature(text) { return .signature(signature) }
            case .unixFD, .variant, .array, .structure, .dictionary: break
            }
        } catch {
            throw .usage("\(place) takes \(expectation(type)), not \"\(text)\"", ["write"])
        }
        throw .usage("\(place) takes \(expectation(type)), not \"\(text)\"", ["write"])
    }

    /// Reads what busctl and macOS take for yes and no, in any case.
    static func boolean(_ text: String) -> Bool? {
        switch text.lowercased() {
        case "yes", "y", "true", "t", "on", "1": true
        case "no", "n", "false", "f", "off", "0": false
        default: nil
        }
    }

    /// What would be right, for an error's sentence.
    private static func expectation(_ type: DBusType) -> String {
        switch type {
        case .byte: range(UInt8.self)
        case .int16: range(Int16.self)
        case .uint16: range(UInt16.self)
        case .int32: range(Int32.self)
        case .uint32: range(UInt32.self)
        case .int64: range(Int64.self)
        case .uint64: range(UInt64.self)
        case .double: "a number such as 0.5 or 1e-3, inf, -inf, nan or nan:HEX"
        case .boolean: "yes or no, true or false, 1 or 0"
        case .string: "a text"
        case .objectPath: "an object path such as /org/example"
        case .signature: "a D-Bus signature such as a{sv}"
        case .unixFD, .variant, .array, .structure, .dictionary: "no \(type.text)"
        }
    }

    private static func range<T: FixedWidthInteger>(_: T.Type) -> String { "a whole number from \(T.min) to \(T.max)" }
}
