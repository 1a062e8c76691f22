import DBusTypes

/// What an application says of one of its keys (P13).
///
/// A key without a schema takes anything.
public struct PreferenceSchema: Hashable, Sendable {
    /// The type of every value.
    public let type: DBusType
    /// The value where no layer has one; of type `type`.
    public let defaultValue: Value?
    /// The only values allowed; empty for no such limit.
    ///
    /// All of type `type`.
    public let choices: [Value]
    /// The smallest number allowed; nil for no limit.
    ///
    /// Of type `type`.
    public let minimum: Value?
    /// The largest number allowed; nil for no limit.
    ///
    /// Of type `type`.
    public let maximum: Value?
    /// What the key is for, in a few words for a person.
    public let summary: String
    /// What the key is for, in full.
    public let description: String

    /// A schema as given; use `problem(of:)` to find what is wrong with one that comes from outside.
    public init(
        type: DBusType, defaultValue: Value? = nil, choices: [Value] = [], minimum: Value? = nil, maximum: Value? = nil,
        summary: String = "", description: String = ""
    ) {
        self.type = type
        self.defaultValue = defaultValue
        self.choices = choices
        self.minimum = minimum
        self.maximum = maximum
        self.summary = summary
        self.description = description
    }

    /// Checks a value that is to be stored for `key`: TypeMismatch or OutOfRange, naming the rule.
    public func check(_ value: Value, for key: PreferenceKey) throws(ModelError) {
        guard value.type == type else {
            throw ModelError(
                .typeMismatch, "Key \"\(key)\" takes values of type \(type.text) by its schema, not \(value.type.text).")
        }
        if !choices.isEmpty && !choices.contains(value) {
            let list = choices.map(\.shortDescription).joined(separator: ", ")
            throw ModelError(
                .outOfRange, "Key \"\(key)\" takes one of \(list) by its schema, not \(value.shortDescription).")
        }
        if let minimum, !Self.isOrdered(minimum, value) {
            throw ModelError(
                .outOfRange,
                "Key \"\(key)\" takes at least \(minimum.shortDescription) by its schema, not \(value.shortDescription).")
        }
        if let maximum, !Self.isOrdered(value, maximum) {
            throw ModelError(
                .outOfRange,
                "Key \"\(key)\" takes at most \(maximum.shortDescription) by its schema, not \(value.shortDescription).")
        }
    }

    /// What is wrong with the schema of `key` itself, as the entry and a sentence without a full stop; nil where it is sound.
    public func problem(of key: PreferenceKey) -> (entry: String, reason: String)? {
        for (entry, value) in [("minimum", minimum), ("maximum", maximum)] {
            guard let value else { continue }
            if value.type != type { return (entry, "is of type \(value.type.text), the key of type \(type.text)") }
            if !value.isNumber { return (entry, "only numbers have a range, and type \(type.text) is none") }
            if case .double(let number) = value, number.isNaN { return (entry, "NaN is no limit") }
        }
        if let minimum, let maximum, !Self.isOrdered(minimum, maximum) { return ("maximum", "is below the minimum") }
        for (index, choice) in choices.enumerated() where choice.type != type {
            return ("choices[\(index)]", "is of type \(choice.type.text), the key of type \(type.text)")
        }
        if let defaultValue {
            do throws(ModelError) {
                try check(defaultValue, for: key)
            } catch {
                return ("default", String(error.message.dropLast()))
            }
        }
        return nil
    }

    /// Whether `left` ≤ `right`; two numbers of one type.
    ///
    /// NaN is outside every range.
    private static func isOrdered(_ left: Value, _ right: Value) -> Bool {
        if case .double(let left) = left, case .double(let right) = right { return left <= right }
        guard let left: Int128 = left.integer(), let right: Int128 = right.integer() else { return false }
        return left <= right
    }
}

extension Value {
    /// Whether this is an integer of any width or a double.
    var isNumber: Bool {
        if case .double = self { return true }
        return integer(as: Int128.self) != nil
    }
}
