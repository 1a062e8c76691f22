import DBusTypes

/// One condition of a tip: on a preference of the application, or on how often an event was donated.
public struct TipRule: Hashable, Sendable {
    /// How two are compared; the raw value is the word in a definition.
    public enum Operator: String, Hashable, Sendable, CaseIterable {
        /// The same.
        case equal = "=="
        /// Not the same, or nothing there.
        case different = "!="
        /// Lower.
        case less = "<"
        /// Lower or the same.
        case atMost = "<="
        /// Higher.
        case greater = ">"
        /// Higher or the same.
        case atLeast = ">="
        /// One of several.
        case among = "in"
    }

    /// What the rule is on, and what that is compared with.
    public enum Subject: Hashable, Sendable {
        /// The effective value of a preference, and a value of any type.
        case preference(PreferenceKey, Value)
        /// How often an event was donated, and a number; where `window` is there only what is younger counts, in milliseconds.
        case event(Identifier, count: UInt64, window: UInt64?)
    }

    /// The highest count of a rule with a window: the times of so many donations are kept.
    public static let maximumWindowedCount = EventRecord.keptCount - 1

    private static let known = ["key", "operator", "value", "event", "count", "window"]

    /// What it is on.
    public let subject: Subject
    /// How that is compared.
    public let comparison: Operator

    /// Reads the element `index` of a definition's rules.
    ///
    /// Throws `InvalidArgument` naming the entry by its path.
    init(_ rule: DictionaryValue, element index: Int, of definition: OptionReader) throws(ModelError) {
        let reader = try definition.nested(rule, "rules", element: index, known: Self.known)
        comparison = try reader.choice("operator", default: Operator.equal)
        switch (reader.value(of: "key"), reader.value(of: "event")) {
        case (.some, nil):
            subject = try Self.preference(reader, comparison)
        case (nil, .some):
            subject = try Self.event(reader, comparison)
        case (nil, nil), (.some, .some):
            throw definition.problem(
                "rules", element: index,
                "must have either key, for a rule on a preference, or event, for one on how often an event was donated")
        }
    }

    private static func preference(_ reader: OptionReader, _ comparison: Operator) throws(ModelError) -> Subject {
        let text = try reader.string("key")
        guard let key = PreferenceKey(text) else {
            throw reader.problem("key", "is no key; a key has 1 to 255 bytes of UTF-8 without control characters")
        }
        for name in ["count", "window"] where reader.value(of: name) != nil {
            throw reader.problem(name, "is only for a rule on an event; a rule on a preference has key, operator and value")
        }
        guard let value = reader.value(of: "value") else {
            throw reader.problem("value", "is missing; it is what the preference is compared with")
        }
        switch comparison {
        case .equal, .different: break
        case .less, .atMost, .greater, .atLeast:
            guard value.isOrdered else {
                throw reader.problem(
                    "value",
                    "is of type \(value.type.text); with the operator \(comparison.rawValue) it must be a number or a string")
            }
        case .among:
            guard case .array = value else {
                throw reader.problem("value", "is of type \(value.type.text); with the operator in it must be an array")
            }
        }
        return .preference(key, value)
    }

    private static func event(_ reader: OptionReader, _ comparison: Operator) throws(ModelError) -> Subject {
        let text = try reader.string("event")
        guard let event = Identifier(text) else {
            throw reader.problem("event", "is no event; it must have 1 to 64 bytes of UTF-8 without control characters")
        }
        guard reader.value(of: "value") == nil else {
            throw reader.problem(
                "value", "is only for a rule on a preference; a rule on an event has event, operator, count and window")
        }
        guard comparison != .among else {
            throw reader.problem("operator", "is \"in\", which is only for a rule on a preference")
        }
        let window = try reader.integer("window", in: 0...UInt64.max, default: 0, unit: "milliseconds")
        let highest = window > 0 ? maximumWindowedCount : UInt64(UInt32.max)
        let count = try reader.integer("count", in: 0...highest, default: 0, unit: window > 0 ? "in a rule with a window" : "")
        return .event(event, count: count, window: window > 0 ? window : nil)
    }
}

extension Value {
    /// Whether the value has an order: a number or a string.
    fileprivate var isOrdered: Bool {
        switch self {
        case .byte, .int16, .uint16, .int32, .uint32, .int64, .uint64, .double, .string: true
        case .boolean, .objectPath, .signature, .unixFD, .array, .structure, .dictionary, .variant: false
        }
    }
}
