public import DBusTypes

/// Whatever a presenter needs beside what the daemon knows: indicator colours, a button's image, the next screen.
///
///     GuideDefinition(pages: pages, attributes: ["indicator-color": "#3584e4", "spacing": 12])
///     let color = state.attributes["indicator-color", as: String.self]
///
/// Each is one native D-Bus value, by the mapping of ``DefaultsValue``.
public struct Attributes: Hashable, Sendable, ExpressibleByDictionaryLiteral {
    private(set) var entries: [(name: String, value: Value)] = []
    /// The first that D-Bus has no value for.
    private(set) var problem: DefaultsError?

    /// No attributes.
    public init() {}

    /// Attributes in their order; one that D-Bus has no value for is refused when the definition is.
    public init(dictionaryLiteral attributes: (String, any DefaultsValue)...) {
        for (name, value) in attributes { set(name, to: value) }
    }

    init(_ dictionary: DictionaryValue, without known: Set<String> = []) {
        for entry in dictionary.entries {
            guard case .string(let name) = entry.key, !known.contains(name) else { continue }
            if case .variant(let value) = entry.value { entries.append((name, value)) }
        }
    }

    /// Adds one, or replaces it.
    public mutating func set(_ name: String, to value: any DefaultsValue) {
        do throws(ValueCodingError) {
            let value = try value.encoded()
            entries.removeAll { $0.name == name }
            entries.append((name, value))
        } catch {
            problem = problem ?? DefaultsError(.unencodable, "Attribute \"\(name)\": \(error)")
        }
    }

    /// One as a value of a type; nil where it is absent or means nothing to the type.
    public subscript<Content: DefaultsValue>(_ name: String, as type: Content.Type = Content.self) -> Content? {
        guard let value = self[name] else { return nil }
        do throws(ValueCodingError) {
            return try Content.decoded(from: value)
        } catch {
            return nil
        }
    }

    /// One as D-Bus has it; nil where it is absent.
    public subscript(_ name: String) -> Value? { entries.first { $0.name == name }?.value }

    /// The names in their order.
    public var names: [String] { entries.map(\.name) }

    /// Whether there are none.
    public var isEmpty: Bool { entries.isEmpty }

    var dictionary: Value { .vardict(entries.map { ($0.name, $0.value) }) }

    /// The same attributes in whatever order.
    public static func == (left: Attributes, right: Attributes) -> Bool {
        left.dictionary == right.dictionary && left.problem == right.problem
    }

    /// Agrees with `==`.
    public func hash(into hasher: inout Hasher) { hasher.combine(dictionary) }
}

/// Builds an `a{sv}` that leaves out what is as by default.
struct EntryBuilder {
    private(set) var entries: [(String, Value)] = []
    private(set) var problem: DefaultsError?

    mutating func add(_ name: String, _ text: String) { if !text.isEmpty { entries.append((name, .string(text))) } }

    mutating func add(_ name: String, _ value: Value, unless isDefault: Bool) {
        if !isDefault { entries.append((name, value)) }
    }

    mutating func add(_ name: String, _ duration: Duration, unless usual: Duration) {
        // Less than nothing is sent as it is, for the daemon to refuse.
        if duration != usual { entries.append((name, .int64(duration.inMilliseconds))) }
    }

    mutating func add(_ name: String, _ attributes: Attributes) {
        problem = problem ?? attributes.problem
        if !attributes.isEmpty { entries.append((name, attributes.dictionary)) }
    }

    /// Adds entries of the program's own beside those with a meaning.
    mutating func addAll(_ attributes: Attributes) {
        problem = problem ?? attributes.problem
        entries += attributes.entries.map { ($0.name, $0.value) }
    }

    mutating func add(_ name: String, each builders: [EntryBuilder]) {
        for builder in builders { problem = problem ?? builder.problem }
        let element = DBusType.dictionary(key: .string, value: .variant)
        entries.append((name, .array(ArrayValue(unchecked: builders.map { .vardict($0.entries) }, of: element))))
    }

    /// The dictionary; throws `unencodable` for an attribute that D-Bus has no value for.
    func finish() throws(DefaultsError) -> Value {
        if let problem { throw problem }
        return .vardict(entries)
    }
}

extension DictionaryValue {
    func flag(_ name: String) -> Bool { self[name]?.get(as: Bool.self) ?? false }
    func number(_ name: String) -> Int { self[name]?.integer() ?? 0 }
    func string(_ name: String) -> String { self[name]?.get(as: String.self) ?? "" }
    func attributes(_ name: String) -> Attributes { self[name]?.dictionary.map { Attributes($0) } ?? Attributes() }
}
