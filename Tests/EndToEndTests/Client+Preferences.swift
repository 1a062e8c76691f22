import DBusTypes
import DefaultsInterface
import LibDBus

/// A `Changed` signal, taken apart.
struct Change: Hashable {
    let domain: String
    /// New effective values by key.
    let changed: [String: Value]
    let removed: [String]
    let revision: UInt64
    let writer: String

    /// Nil where the signal is another one, or its arguments aren't those of `Changed`.
    init?(_ signal: Client.Signal) {
        guard signal.member == PreferencesInterface.changed, signal.path == WellKnown.rootPath, signal.arguments.count == 5,
            let domain = signal.arguments[0].get(as: String.self), let changed = signal.arguments[1].dictionary,
            let removed = signal.arguments[2].get(as: [String].self), let revision = signal.arguments[3].get(as: UInt64.self),
            let writer = signal.arguments[4].get(as: String.self)
        else { return nil }
        self.init(domain, changed.byKey, removed: removed, revision, by: writer)
    }

    init(_ domain: String, _ changed: [String: Value] = [:], removed: [String] = [], _ revision: UInt64, by writer: String) {
        self.domain = domain
        self.changed = changed
        self.removed = removed
        self.revision = revision
        self.writer = writer
    }
}

extension DictionaryValue {
    /// The entries of an `a{sv}` by key, out of their variants.
    var byKey: [String: Value] {
        var values: [String: Value] = [:]
        for entry in entries {
            if case .string(let key) = entry.key, case .variant(let value) = entry.value { values[key] = value }
        }
        return values
    }
}

/// What `Watch` answers.
struct Watched {
    let values: [String: Value]
    let revision: UInt64
    let instance: UInt64
    let slot: UInt32

    /// Nil where the values are of other types.
    init?(_ reply: [Value]) {
        guard reply.count == 4, let values = reply[0].dictionary, let revision = reply[1].get(as: UInt64.self),
            let instance = reply[2].get(as: UInt64.self), let slot = reply[3].get(as: UInt32.self)
        else { return nil }
        self.values = values.byKey
        self.revision = revision
        self.instance = instance
        self.slot = slot
    }
}

extension Client {
    /// The connection's unique name.
    var name: String { connection.uniqueName.text }

    /// The `Changed` signals received so far.
    var changes: [Change] { signals.compactMap(Change.init) }

    @discardableResult
    func watch(_ domain: String) throws -> Watched? {
        Watched(try preferences(PreferencesInterface.watch, .string(domain)))
    }

    func unwatch(_ domain: String) throws { try preferences(PreferencesInterface.unwatch, .string(domain)) }

    /// All effective values of a domain.
    func getAll(_ domain: String) throws -> [String: Value]? {
        try preferences(PreferencesInterface.getAll, .string(domain)).first?.dictionary?.byKey
    }

    /// The revision of a domain.
    func revision(_ domain: String) throws -> UInt64? {
        try preferences(PreferencesInterface.getAll, .string(domain)).last?.get()
    }

    /// Resets a key; returns the domain's revision.
    @discardableResult
    func reset(_ domain: String, _ key: String) throws -> UInt64? {
        try preferences(PreferencesInterface.reset, .string(domain), .string(key)).first?.get()
    }

    /// Adds to a key; returns the sum.
    @discardableResult
    func increment(_ domain: String, _ key: String, by amount: Int64 = 1) throws -> Int64? {
        try preferences(PreferencesInterface.increment, .string(domain), .string(key), .int64(amount)).first?.get()
    }

    /// Sets and resets several keys; returns the domain's revision.
    @discardableResult
    func apply(
        _ domain: String, _ set: [(String, Value)] = [], reset: [String] = [], expected: UInt64 = 0
    ) throws -> UInt64? {
        try preferences(PreferencesInterface.apply, .string(domain), .vardict(set), .array(reset), .uint64(expected))
            .first?.get()
    }

    func listKeys(_ domain: String) throws -> [String]? {
        try preferences(PreferencesInterface.listKeys, .string(domain)).first?.get()
    }

    func listDomains() throws -> [String]? { try preferences(PreferencesInterface.listDomains).first?.get() }

    /// Calls a method of `org.freedesktop.DBus.Properties`.
    func properties(_ member: MemberName, _ arguments: Value..., at path: ObjectPath = WellKnown.rootPath) throws -> [Value] {
        try connection.call(
            WellKnown.busName, path, "org.freedesktop.DBus.Properties", member, arguments, timeout: 10_000)
    }

    /// A property of `Admin`.
    func admin<T: ValueConvertible>(_ property: MemberName, as type: T.Type = T.self) throws -> T? {
        let reply = try properties("Get", .string(AdminInterface.name.text), .string(property.text))
        guard case .variant(let value)? = reply.first else { return nil }
        return value.get()
    }

    /// The `StoreState` of `Admin`.
    func storeState() throws -> String? { try admin(AdminInterface.storeState) }
}
