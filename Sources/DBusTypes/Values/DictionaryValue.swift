/// A dictionary that knows its types, also when empty, and keeps the order in which its entries were sent.
///
/// The wire allows a key twice; `duplicateKey` finds one. Entries compare as a set (P4).
public struct DictionaryValue: Sendable {
    /// One entry.
    public struct Entry: Hashable, Sendable {
        /// A value of a basic type.
        public let key: Value
        /// A value of the dictionary's value type.
        public let value: Value

        /// Pairs a key with its value.
        public init(_ key: Value, _ value: Value) {
            self.key = key
            self.value = value
        }
    }

    /// The type of every key: a basic one.
    public let keyType: DBusType
    /// The type of every value.
    public let valueType: DBusType
    /// The entries in the order sent.
    public let entries: [Entry]

    /// Makes a dictionary; nil where a key type isn't basic or an entry has another type.
    public init?(key: DBusType, value: DBusType, _ entries: [Entry]) {
        guard key.isBasic, entries.allSatisfy({ $0.key.type == key && $0.value.type == value }) else { return nil }
        self.init(unchecked: entries, key: key, value: value)
    }

    /// Makes a dictionary of entries that are known to have these types, as what was just read from the wire has.
    public init(unchecked entries: [Entry], key: DBusType, value: DBusType) {
        keyType = key
        valueType = value
        self.entries = entries
    }

    /// Makes an `a{sv}` whose values are wrapped in variants here.
    public init(_ entries: [(String, Value)]) {
        self.init(unchecked: entries.map { Entry(.string($0.0), .variant($0.1)) }, key: .string, value: .variant)
    }

    /// A key that occurs more than once; nil where there is none.
    public var duplicateKey: Value? {
        var seen = Set<Value>(minimumCapacity: entries.count)
        for entry in entries where !seen.insert(entry.key).inserted { return entry.key }
        return nil
    }

    /// The value of the first entry with the string `key`, out of its variant if it is in one; nil where there is none.
    public subscript(_ key: String) -> Value? {
        for entry in entries {
            guard case .string(let text) = entry.key, text.hasSameBytes(as: key) else { continue }
            if case .variant(let value) = entry.value { return value }
            return entry.value
        }
        return nil
    }
}

extension DictionaryValue: Hashable {
    /// The same types and the same set of entries, in whatever order.
    public static func == (left: DictionaryValue, right: DictionaryValue) -> Bool {
        guard left.keyType == right.keyType, left.valueType == right.valueType, left.entries.count == right.entries.count
        else { return false }
        if left.entries == right.entries { return true }
        return Set(left.entries) == Set(right.entries)
    }

    /// Agrees with `==`: the order of entries doesn't matter.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(keyType)
        hasher.combine(valueType)
        hasher.combine(entries.count)
        var sum = 0
        for entry in entries { sum &+= entry.hashValue }
        hasher.combine(sum)
    }
}
