import DBusTypes

/// The writes of `org.defaultsd1.Preferences`, each computed on the pending state and without effects.
///
/// Every one of them changes all it says or, where it throws, nothing.
public struct PreferenceWrites {
    let domain: DomainName
    let writer: String
    /// Microseconds since the Unix epoch.
    let wall: Int64

    /// Writes to `domain` by the connection `writer` at the time `wall`, in microseconds since the Unix epoch.
    public init(_ domain: DomainName, writer: String, wall: Int64) {
        self.domain = domain
        self.writer = writer
        self.wall = wall
    }

    /// Sets a key in the user layer; replies with the domain's revision.
    public func set(_ key: PreferenceKey, to value: Value, in view: StateView) throws(ModelError) -> Outcome {
        try commit([(key, value)], in: view) { [.uint64($0)] }
    }

    /// Sets a key where the user layer has none; replies whether it did, and the value now effective.
    public func setIfAbsent(_ key: PreferenceKey, to value: Value, in view: StateView) throws(ModelError) -> Outcome {
        try check(value, for: key, in: view)
        if view.preference(domain, .user, key) != nil, let effective = view.effectiveValue(domain, key) {
            return Outcome(reply: [.boolean(false), .variant(effective.value)])
        }
        return try commit([(key, value)], in: view) { _ in [.boolean(true), .variant(value)] }
    }

    /// Sets a key where its effective value has the type and bits of `expected`; replies whether it did, and the value now
    /// effective.
    public func compareAndSet(
        _ key: PreferenceKey, expected: Value, to value: Value, in view: StateView
    ) throws(ModelError) -> Outcome {
        try check(value, for: key, in: view)
        guard let effective = view.effectiveValue(domain, key) else { throw .noSuchKey(key, domain) }
        guard effective.value == expected else { return Outcome(reply: [.boolean(false), .variant(effective.value)]) }
        return try commit([(key, value)], in: view) { _ in [.boolean(true), .variant(value)] }
    }

    /// Adds to the effective value in its own integer type; an absent one starts as the int64 0.
    ///
    /// Replies with the result.
    public func increment(_ key: PreferenceKey, by amount: Int64, in view: StateView) throws(ModelError) -> Outcome {
        let old = view.effectiveValue(domain, key)?.value ?? .int64(0)
        let (new, result) = try Self.sum(old, amount, key)
        return try commit([(key, new)], in: view) { _ in [.int64(result)] }
    }

    /// Sets and resets keys, all or none; replies with the domain's revision.
    ///
    /// `expected` 0 is any revision.
    public func apply(
        set values: [(key: PreferenceKey, value: Value)], reset keys: [PreferenceKey], expected: UInt64, in view: StateView
    ) throws(ModelError) -> Outcome {
        let revision = view.revision(of: domain)
        guard expected == 0 || expected == revision else {
            throw ModelError(
                .revisionMismatch, "Domain \"\(domain)\" is at revision \(revision), not at the expected \(expected).")
        }
        var wishes: [(PreferenceKey, Value?)] = []
        wishes.reserveCapacity(values.count + keys.count)
        var seen = Set<PreferenceKey>(minimumCapacity: values.count + keys.count)
        for (key, value) in values {
            guard seen.insert(key).inserted else { throw Self.twice(key) }
            wishes.append((key, value))
        }
        let valued = seen
        for key in keys {
            guard !valued.contains(key) else { throw Self.twice(key) }
            if seen.insert(key).inserted { wishes.append((key, nil)) }
        }
        return try commit(wishes, in: view) { [.uint64($0)] }
    }

    private static func twice(_ key: PreferenceKey) -> ModelError {
        ModelError(.invalidArgument, "Key \"\(key)\" stands twice in the call; each key may be set once, or reset.")
    }

    /// Removes a key from the user layer; replies with the domain's revision.
    ///
    /// An absent one is no error.
    public func reset(_ key: PreferenceKey, in view: StateView) throws(ModelError) -> Outcome {
        try commit([(key, nil)], in: view) { [.uint64($0)] }
    }

    /// Removes all keys from the user layer; replies with the domain's revision.
    public func resetDomain(in view: StateView) throws(ModelError) -> Outcome {
        try commit(view.keys(domain, .user).sorted().map { ($0, nil) }, in: view) { [.uint64($0)] }
    }

    /// Merges values into the layer of the application's own defaults; replies with the domain's revision.
    ///
    /// A locked key is no obstacle: what an application registers contests no one's value.
    public func register(
        _ values: [(key: PreferenceKey, value: Value)], in view: StateView
    ) throws(ModelError) -> Outcome {
        var seen = Set<PreferenceKey>(minimumCapacity: values.count)
        for (key, _) in values { guard seen.insert(key).inserted else { throw Self.twice(key) } }
        return try commit(values.map { ($0.key, $0.value) }, .registered, in: view) { [.uint64($0)] }
    }

    /// Removes keys from the layer of the application's own defaults; replies with the domain's revision.
    public func unregister(_ keys: [PreferenceKey], in view: StateView) throws(ModelError) -> Outcome {
        try commit(Set(keys).sorted().map { ($0, nil) }, .registered, in: view) { [.uint64($0)] }
    }

    /// Checks what a user's value must pass before anything else is looked at: limits, lock (P2), schema (P13).
    private func check(_ value: Value, for key: PreferenceKey, in view: StateView) throws(ModelError) {
        try PreferenceLimits.check(value, for: key)
        if view.files.locks(domain, key) {
            throw ModelError(
                .locked, "Key \"\(key)\" of \"\(domain)\" is locked by the administrator; its value can't be changed.")
        }
        try view.files.schemas[domain]?[key]?.check(value, for: key)
    }

    /// Turns wished-for contents of a layer, nil for none, into a write with a revision of its own.
    private func commit(
        _ wishes: [(PreferenceKey, Value?)], _ layer: StoredLayer = .user, in view: StateView, reply: (UInt64) -> [Value]
    ) throws(ModelError) -> Outcome {
        var (changes, growth) = try rows(wishes, layer, in: view)
        guard !changes.isEmpty else { return Outcome(reply: reply(view.revision(of: domain))) }
        try PreferenceLimits.checkUser(growth, in: view)
        if growth.keys > 0 { try view.checkRoom(for: domain) }
        let revision = view.revision + 1
        changes.append(.domain(domain, revision: revision))
        changes.append(.revision(revision))
        return Outcome(reply: reply(revision), changes: changes)
    }

    /// The rows that wished-for contents of a layer come to, and how the domain grows by them: only what differs in type or
    /// bits is written (P4).
    func rows(
        _ wishes: [(PreferenceKey, Value?)], _ layer: StoredLayer = .user, in view: StateView
    ) throws(ModelError) -> (changes: [RecordChange], growth: SizeChange) {
        var changes: [RecordChange] = []
        changes.reserveCapacity(wishes.count + 2)
        var growth = SizeChange()
        for (key, value) in wishes {
            if let value {
                switch layer {
                case .user: try check(value, for: key, in: view)
                case .registered:
                    try PreferenceLimits.check(value, for: key)
                    try view.files.schemas[domain]?[key]?.check(value, for: key)
                }
            }
            let old = view.preference(domain, layer, key)
            let new = value.map { StoredValue($0) }
            if old?.stored == new { continue }
            let record = new.map { PreferenceRecord($0, modified: wall, writer: writer) }
            growth.add(SizeChange(key: key, from: old, to: record))
            changes.append(.preference(domain, layer, key, record))
        }
        try PreferenceLimits.check(domain, growth, in: view)
        return (changes, growth)
    }
}

extension PreferenceLimits {
    /// Checks that a domain may grow so.
    static func check(_ domain: DomainName, _ growth: SizeChange, in view: StateView) throws(ModelError) {
        if growth.keys > 0 {
            let keys = view.keyCount(domain) + growth.keys
            guard keys <= domainKeys else {
                throw ModelError(
                    .limitExceeded, "Domain \"\(domain)\" would hold \(keys) keys; at most \(domainKeys) are allowed.")
            }
        }
        if growth.bytes > 0 {
            let bytes = view.bytes(domain) + growth.bytes
            guard bytes <= domainBytes else {
                throw ModelError(
                    .limitExceeded, "Domain \"\(domain)\" would take \(bytes) bytes; at most \(domainBytes) bytes are allowed.")
            }
        }
    }

    /// Checks that all domains of a user together may grow so.
    static func checkUser(_ growth: SizeChange, in view: StateView) throws(ModelError) {
        guard growth.bytes > 0 || growth.keys > 0 else { return }
        var total = view.totalSize
        total.add(growth)
        guard growth.keys <= 0 || total.keys <= userKeys else {
            throw ModelError(
                .limitExceeded, "All domains of this user would hold \(total.keys) keys; at most \(userKeys) are allowed.")
        }
        guard growth.bytes <= 0 || total.bytes <= userBytes else {
            throw ModelError(
                .limitExceeded,
                "All domains of this user would take \(total.bytes) bytes; at most \(userBytes) bytes are allowed.")
        }
    }
}

extension ModelError {
    /// The error for a key that no layer has a value for.
    public static func noSuchKey(_ key: PreferenceKey, _ domain: DomainName) -> ModelError {
        ModelError(.noSuchKey, "Domain \"\(domain)\" has no key \"\(key)\".")
    }
}
