import DBusTypes

/// What a watch knows of a domain, and which of its keys are worth telling about.
struct WatchedValues {
    /// One key that moved.
    struct Change: Equatable {
        /// The key.
        let key: String
        /// Its new value; nil where it has none any more.
        let value: Value?
    }

    /// The keys asked for, as values since those compare by their bytes; nil for all.
    private let wanted: Set<Value>?
    private var values: [Value: Value] = [:]

    init(keys: [String]) {
        wanted = keys.isEmpty ? nil : Set(keys.map { .string($0) })
    }

    /// Takes over all values, as `Watch` gives them; tells what differs from those known, sorted by key.
    mutating func replace(with all: DictionaryValue) -> [Change] {
        let old = values
        values = [:]
        for entry in all.entries where isWanted(entry.key) {
            if case .variant(let value) = entry.value { values[entry.key] = value }
        }
        let moved = values.filter { old[$0.key] != $0.value }.map { ($0.key, Optional($0.value)) }
        let gone = old.keys.filter { values[$0] == nil }.map { ($0, Value?.none) }
        return Self.sorted(moved + gone)
    }

    /// Takes in what a signal says; tells what is news, sorted by key.
    mutating func apply(changed: DictionaryValue, removed: [String]) -> [Change] {
        var moved: [(Value, Value?)] = []
        for entry in changed.entries where isWanted(entry.key) {
            guard case .variant(let value) = entry.value, values[entry.key] != value else { continue }
            values[entry.key] = value
            moved.append((entry.key, value))
        }
        for key in removed {
            guard values.removeValue(forKey: .string(key)) != nil else { continue }
            moved.append((.string(key), nil))
        }
        return Self.sorted(moved)
    }

    private func isWanted(_ key: Value) -> Bool { wanted?.contains(key) ?? true }

    private static func sorted(_ moved: [(Value, Value?)]) -> [Change] {
        moved.map { Change(key: $0.0.keyText, value: $0.1) }
            .sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
    }
}
