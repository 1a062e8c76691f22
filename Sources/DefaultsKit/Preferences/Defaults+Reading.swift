public import DBusTypes
import DefaultsInterface

extension Defaults {
    /// A preference's value; the key's default where it is absent, or nothing that the key's type can be.
    ///
    /// Reading takes no call and no lock that others wait for while the mirror is current, which it nearly always is; 500 ms at most.
    /// Setting is ``set(_:for:)``; setting an `Optional` to nil resets.
    public subscript<Value>(_ key: Key<Value>) -> Value {
        get { get(key) }
        nonmutating set { set(newValue, for: key) }
    }

    /// A preference's value; the key's default where it is absent, or nothing that the key's type can be.
    ///
    /// What is stored is never changed by reading it. To tell these apart, see ``reading(_:)``.
    public func get<Value>(_ key: Key<Value>) -> Value {
        guard let value = domain.read(key.hashed).value else { return key.defaultValue }
        do throws(ValueCodingError) {
            return try Value.decoded(from: value)
        } catch {
            return key.defaultValue
        }
    }

    /// What is known of a preference, with all that may be wrong with it told apart.
    public func reading<Value>(_ key: Key<Value>) -> Reading<Value> { Reading(domain.read(key.hashed)) }

    /// A preference's value as the daemon has it at the time of the call, and the key's default where it is absent.
    ///
    /// What this process has written before is seen.
    ///
    /// - Throws: `wrongType`, `undecodable`, `unreachable`, and what the daemon answers (`unavailable`, `invalidName`).
    public func fetch<Value>(_ key: Key<Value>) async throws(DefaultsError) -> Value {
        guard let value = try await fetchValue(key.name) else { return key.defaultValue }
        do throws(ValueCodingError) {
            return try Value.decoded(from: value)
        } catch {
            throw DefaultsError(error, key: key.name)
        }
    }

    /// The stored value as it is; nil where it is absent.
    func fetchValue(_ name: String) async throws(DefaultsError) -> Value? {
        do throws(DefaultsError) {
            let reply = try await call(PreferencesInterface.name, PreferencesInterface.get, [.string(app), .string(name)])
            return reply.first?.get(as: Value.self)
        } catch  where error.code == .noSuchKey {
            return nil
        }
    }

    /// All effective values by key, as the mirror has them; empty where nothing is known.
    ///
    /// Takes 500 ms at most.
    public func dictionaryRepresentation() -> [String: Value] {
        var result: [String: Value] = [:]
        for (key, value) in domain.readAll()?.values ?? [:] { result[key.text] = value }
        return result
    }

    /// A preference's value now, and then each that it changes to.
    ///
    /// The first element comes at once, or within 500 ms where the daemon is away. Each loop over the sequence has a buffer of its own for the
    /// newest value: one that is slow misses values in between, never the last. Absent, and what is no `Value`, is the key's default.
    ///
    ///     for await theme in defaults.watch(.theme) { apply(theme) }
    public func watch<Value>(_ key: Key<Value>) -> Watch<Value, Value> {
        let fallback = key.defaultValue
        return Watch(self, key, tellsUnknown: false) { raw in Reading<Value>(raw).value ?? fallback }
    }

    /// As ``watch(_:)``, with all that may be wrong with a value told apart.
    public func watchReadings<Value>(_ key: Key<Value>) -> Watch<Value, Reading<Value>> {
        Watch(self, key, tellsUnknown: true) { Reading($0) }
    }

    /// Calls the daemon, and answers within 500 ms.
    func call(
        _ interface: InterfaceName, _ member: MemberName, _ arguments: [Value], at path: ObjectPath = WellKnown.rootPath
    ) async throws(DefaultsError) -> [Value] {
        let link = link
        let result: Result<[DBusTypes.Value], DefaultsError> = await withCheckedContinuation { continuation in
            link.runtime.run {
                link.writes.afterWrites { isTurn in
                    guard isTurn else { return continuation.resume(returning: .failure(.unreachable)) }
                    link.call(interface, member, arguments, at: path) { continuation.resume(returning: $0) }
                }
            }
        }
        return try result.get()
    }
}
