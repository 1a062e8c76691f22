public import DBusTypes
public import FoundationEssentials

extension Data: DefaultsValue {
    /// Always `ay`.
    public static var dbusTypeOfDefaults: DBusType? { .array(of: .byte) }
    /// The bytes.
    public func encoded() throws(ValueCodingError) -> Value { .bytes(Array(self)) }
    /// Takes an `ay`.
    public static func decoded(from value: Value) throws(ValueCodingError) -> Data {
        guard case .array(let array) = value, let bytes = array.bytes else { throw wrongType(value) }
        return Data(bytes)
    }
}

extension Date: DefaultsValue {
    private static let microseconds = 1e6

    /// Always `x`.
    public static var dbusTypeOfDefaults: DBusType? { .int64 }
    /// Microseconds since the Unix epoch, rounded; a date 290,000 years away is `unencodable`.
    public func encoded() throws(ValueCodingError) -> Value {
        guard let value = Int64(exactly: (timeIntervalSince1970 * Self.microseconds).rounded()) else {
            throw ValueCodingError(.unencodable, "the date is too far away for 64 bits of microseconds since 1970")
        }
        return .int64(value)
    }
    /// Takes an `x`.
    public static func decoded(from value: Value) throws(ValueCodingError) -> Date {
        guard case .int64(let number) = value else { throw wrongType(value) }
        return Date(timeIntervalSince1970: Double(number) / microseconds)
    }
}

extension URL: DefaultsValue {
    /// Always `s`.
    public static var dbusTypeOfDefaults: DBusType? { .string }
    /// The URL in full.
    public func encoded() throws(ValueCodingError) -> Value { try absoluteString.encoded() }
    /// Takes an `s`; one that is no URL is `undecodable`.
    public static func decoded(from value: Value) throws(ValueCodingError) -> URL {
        guard case .string(let text) = value else { throw wrongType(value) }
        guard let url = URL(string: text) else { throw ValueCodingError(.undecodable, "the text is no URL") }
        return url
    }
}

extension UUID: DefaultsValue {
    /// Always `s`.
    public static var dbusTypeOfDefaults: DBusType? { .string }
    /// The usual form with hyphens.
    public func encoded() throws(ValueCodingError) -> Value { .string(uuidString) }
    /// Takes an `s`; one that is no UUID is `undecodable`.
    public static func decoded(from value: Value) throws(ValueCodingError) -> UUID {
        guard case .string(let text) = value else { throw wrongType(value) }
        guard let result = UUID(uuidString: text) else { throw ValueCodingError(.undecodable, "the text is no UUID") }
        return result
    }
}
