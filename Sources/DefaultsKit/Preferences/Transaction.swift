import DBusTypes

/// Changes that are made together or not at all; see ``Defaults/transaction(expecting:_:)``.
public struct Transaction {
    private(set) var values: [(String, Value)] = []
    private(set) var resets: [String] = []
    private(set) var failure: (key: String, error: ValueCodingError)?

    /// Sets a preference; a nil `Optional` resets it.
    ///
    /// Of two changes of one key the later counts.
    public mutating func set<Value>(_ value: Value, for key: Key<Value>) { set(value, forKey: key.name) }

    /// Sets a preference by name.
    public mutating func set(_ value: some DefaultsValue, forKey name: String) {
        guard !value.isAbsent else { return reset(forKey: name) }
        do throws(ValueCodingError) {
            let encoded = try value.encoded()
            forget(name)
            values.append((name, encoded))
        } catch {
            failure = failure ?? (name, error)
        }
    }

    /// Takes a preference's value out of the user's layer.
    public mutating func reset<Value>(_ key: Key<Value>) { reset(forKey: key.name) }

    /// Takes a preference's value out of the user's layer, by name.
    public mutating func reset(forKey name: String) {
        forget(name)
        resets.append(name)
    }

    private mutating func forget(_ name: String) {
        let key = MirrorKey(name)
        values.removeAll { MirrorKey($0.0) == key }
        resets.removeAll { MirrorKey($0) == key }
    }

    var names: [String] { values.map(\.0) + resets }

    var changes: [(MirrorKey, Overlay.Change)] {
        values.map { (MirrorKey($0.0), .value($0.1)) } + resets.map { (MirrorKey($0), .absent) }
    }
}
