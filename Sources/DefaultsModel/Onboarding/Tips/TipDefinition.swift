import DBusTypes

/// A tip as an application or its manifest defines it, checked.
public struct TipDefinition: Hashable, Sendable {
    /// How many rules one tip may have: more than anyone can follow.
    public static let maximumRules = 64

    private static let known = [
        "revision", "title", "message", "image", "target", "rules", "max_display_count", "max_display_duration",
        "ignores_frequency", "group", "ordered", "attributes",
    ]

    /// The definition as given, an `a{sv}`.
    public let entries: DictionaryValue
    /// The revision of its content (G4).
    public let revision: UInt32
    /// What must hold for it to be shown: all of them.
    public let rules: [TipRule]
    /// After how many presentations it is used up; 0 for no limit (I1).
    public let maximumDisplayCount: UInt32
    /// After what time on screen in all it is used up, in milliseconds; 0 for no limit (I1).
    public let maximumDisplayDuration: UInt64
    /// Whether it is shown however short a while after another (I2).
    public let ignoresFrequency: Bool
    /// The group of which only one is shown at a time; empty for none (I4).
    public let group: String
    /// Whether it waits until all before it in its group are used up (I4).
    public let isOrdered: Bool
    /// Its place among the tips of its manifest, from 0: what comes first in a group (I4).
    public var position = 0

    /// Reads and checks an `a{sv}`.
    ///
    /// Throws `InvalidArgument` naming the entry by its path; `InvalidValue` and `LimitExceeded` for what can't be stored.
    public init(_ definition: DictionaryValue) throws(ModelError) {
        if let problem = ValueProblem(of: .dictionary(definition)) {
            throw ModelError(problem.code, "definition \(problem.reason).")
        }
        let reader = try OptionReader(definition, argument: "definition", known: Self.known)
        entries = definition
        revision = UInt32(try reader.integer("revision", in: 1...UInt64(UInt32.max), default: 1, unit: ""))
        for text in ["title", "message", "image", "target"] { _ = try reader.string(text) }
        _ = try reader.dictionary("attributes")
        maximumDisplayCount = UInt32(try reader.integer("max_display_count", in: 0...UInt64(UInt32.max), default: 0, unit: ""))
        maximumDisplayDuration = try reader.integer(
            "max_display_duration", in: 0...UInt64.max, default: 0, unit: "milliseconds")
        ignoresFrequency = try reader.boolean("ignores_frequency")
        group = try reader.string("group")
        isOrdered = try reader.boolean("ordered")
        let rules = try reader.dictionaries("rules")
        guard rules.count <= Self.maximumRules else {
            throw reader.problem("rules", "has \(rules.count) elements; it may have at most \(Self.maximumRules)")
        }
        var checked: [TipRule] = []
        for (index, rule) in rules.enumerated() { checked.append(try TipRule(rule, element: index, of: reader)) }
        self.rules = checked
    }
}
