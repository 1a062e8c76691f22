import DBusTypes
import DefaultsInterface

/// What must hold for a tip to be shown: a comparison of a preference, or of how often an event was donated.
///
///     TipDefinition(title: "Filter photos", rules: [.event("opened", .greaterOrEqual, 3), .preference("expert", .equal, false)])
public struct TipRule: Hashable, Sendable {
    /// How the two sides compare.
    public enum Comparison: String, Hashable, Sendable, CaseIterable {
        case equal = "=="
        /// Holds also where the preference is absent.
        case notEqual = "!="
        case less = "<"
        case lessOrEqual = "<="
        case greater = ">"
        case greaterOrEqual = ">="
    }

    private(set) var builder = EntryBuilder()

    /// Compares a preference of the application; numbers by number, whatever their type.
    public static func preference(_ key: String, _ comparison: Comparison = .equal, _ value: any DefaultsValue) -> TipRule {
        TipRule(key, comparison.rawValue, Attributes(dictionaryLiteral: (TipRuleEntries.value.name, value)))
    }

    /// Holds where a preference of the application is one of several values.
    public static func preference<Content: DefaultsValue>(_ key: String, in values: [Content]) -> TipRule {
        TipRule(key, "in", Attributes(dictionaryLiteral: (TipRuleEntries.value.name, values)))
    }

    private init(_ key: String, _ comparison: String, _ value: Attributes) {
        builder.add(TipRuleEntries.key.name, .string(key), unless: false)
        builder.add(TipRuleEntries.operator.name, comparison)
        builder.addAll(value)
    }

    /// Compares how often an event was donated: in all, or in the last `window`.
    public static func event(
        _ event: String, _ comparison: Comparison, _ count: UInt32, within window: Duration = .zero
    ) -> TipRule {
        var rule = TipRule()
        rule.builder.add(TipRuleEntries.event.name, .string(event), unless: false)
        rule.builder.add(TipRuleEntries.operator.name, comparison.rawValue)
        rule.builder.add(TipRuleEntries.count.name, .uint32(count), unless: false)
        rule.builder.add(TipRuleEntries.window.name, window, unless: .zero)
        return rule
    }

    private init() {}

    /// The same rule.
    public static func == (left: TipRule, right: TipRule) -> Bool {
        Value.vardict(left.builder.entries) == .vardict(right.builder.entries) && left.builder.problem == right.builder.problem
    }

    /// Agrees with `==`.
    public func hash(into hasher: inout Hasher) { hasher.combine(Value.vardict(builder.entries)) }
}
