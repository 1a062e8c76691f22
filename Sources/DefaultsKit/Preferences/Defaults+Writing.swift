import DBusTypes
import DefaultsInterface

extension Defaults {
    /// Sets a preference in the user's layer and returns at once; this process's next read sees it.
    ///
    /// Writes reach the daemon in the order made, also over its restarts while this process lives. A nil `Optional` resets.
    @discardableResult
    public func set<Value>(_ value: Value, for key: Key<Value>) -> PendingWrite { set(value, named: key.name) }

    /// Takes a preference's value out of the user's layer, so that the layer below shows; returns at once.
    @discardableResult
    public func reset<Value>(_ key: Key<Value>) -> PendingWrite { reset(named: key.name) }

    func set(_ value: some DefaultsValue, named name: String) -> PendingWrite {
        if value.isAbsent { return reset(named: name) }
        do throws(ValueCodingError) {
            let encoded = try value.encoded()
            return domain.write(
                [(MirrorKey(name), .value(encoded))], PreferencesInterface.set,
                [.string(app), .string(name), .variant(encoded)])
        } catch {
            return refuse([name], DefaultsError(error, key: name))
        }
    }

    func reset(named name: String) -> PendingWrite {
        domain.write([(MirrorKey(name), .absent)], PreferencesInterface.reset, [.string(app), .string(name)])
    }

    func refuse(_ names: [String], _ error: DefaultsError) -> PendingWrite {
        let failure = WriteFailure(keys: names, error: error)
        link.runtime.run { [domain] in domain.watchers.tell(failure) }
        return PendingWrite(failure: error)
    }

    // MARK: Several at once

    /// Makes several changes as one: all of them or none, in one commit, told to readers as one.
    ///
    ///     try await defaults.transaction {
    ///         $0.set(.dark, for: .theme)
    ///         $0.reset(.accent)
    ///     }.onDisk()
    ///
    /// With `expected`, a revision from ``revision()``, it is `revisionMismatch` where anything has changed since; it is then seen by
    /// reads only once it is on disk.
    @discardableResult
    public func transaction(expecting expected: UInt64 = 0, _ body: (inout Transaction) -> Void) -> PendingWrite {
        var transaction = Transaction()
        body(&transaction)
        if let (key, error) = transaction.failure { return refuse(transaction.names, DefaultsError(error, key: key)) }
        let arguments: [DBusTypes.Value] = [
            .string(app), .vardict(transaction.values), .array(transaction.resets), .uint64(expected),
        ]
        return domain.write(
            expected == 0 ? transaction.changes : [], PreferencesInterface.apply, arguments, isRepeatable: expected == 0)
    }

    /// The domain's revision as the daemon has it: it grows with every change.
    ///
    /// - Throws: `unreachable`, and what the daemon answers.
    public func revision() async throws(DefaultsError) -> UInt64 {
        let reply = try await call(PreferencesInterface.name, PreferencesInterface.getAll, [.string(app)])
        return reply.last?.get(as: UInt64.self) ?? 0
    }
}
