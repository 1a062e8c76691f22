import DBusTypes
import DefaultsInterface

extension Defaults {
    /// Changes a preference from what it is now, as one step that no other writer comes between; returns what it became.
    ///
    /// `change` may be called again where another writer was faster. What is stored and is no `Value` stays as it is.
    ///
    ///     let recent = try await defaults.update(.recent) { Array(([url] + $0).prefix(10)) }
    ///
    /// - Throws: a ``DefaultsError``: `wrongType` and `undecodable` (nothing was changed), `unreachable`, and what the daemon refuses the
    ///   new value with; or what `change` throws.
    @discardableResult
    public func update<Value>(_ key: Key<Value>, _ change: (Value) throws -> Value) async throws -> Value {
        while true {
            let old = try await fetchValue(key.name)
            let new = try change(try Reading<Value>(RawReading(value: old)).get(key))
            if new.isAbsent {
                if try await remove(old, key.name) { return new }
            } else {
                let encoded = try encode(new, key)
                if try await replace(old, with: encoded, key.name) { return new }
            }
        }
    }

    /// Adds to an integer, as one step that no other writer comes between; returns the sum.
    ///
    /// An absent one starts at the key's default.
    ///
    /// - Throws: `outOfRange` where the sum doesn't fit (nothing was changed), else as ``update(_:_:)``.
    @discardableResult
    public func increment<Value: FixedWidthInteger>(_ key: Key<Value>, by amount: Value = 1) async throws -> Value {
        try await update(key) { old in
            let (sum, overflow) = old.addingReportingOverflow(amount)
            guard !overflow else {
                let message =
                    "Preference \"\(key.name)\": \(old) and \(amount) together are outside \(Value.min) to \(Value.max)."
                throw DefaultsError(.outOfRange, message)
            }
            return sum
        }
    }

    private func encode<Value>(_ value: Value, _ key: Key<Value>) throws(DefaultsError) -> DBusTypes.Value {
        do throws(ValueCodingError) {
            return try value.encoded()
        } catch {
            throw DefaultsError(error, key: key.name)
        }
    }

    /// Sets a key where it still has the value that was read, or none; says whether it did.
    private func replace(_ old: Value?, with new: Value, _ name: String) async throws(DefaultsError) -> Bool {
        let reply: [Value]
        if let old {
            do throws(DefaultsError) {
                reply = try await write(
                    PreferencesInterface.compareAndSet, [.string(app), .string(name), .variant(old), .variant(new)])
            } catch  where error.code == .noSuchKey {
                return false
            }
        } else {
            reply = try await write(PreferencesInterface.setIfAbsent, [.string(app), .string(name), .variant(new)])
        }
        return reply.first?.get(as: Bool.self) ?? false
    }

    /// Resets a key where it still has the value that was read; says whether it did.
    private func remove(_ old: Value?, _ name: String) async throws(DefaultsError) -> Bool {
        guard let old else { return true }
        let all = try await call(PreferencesInterface.name, PreferencesInterface.getAll, [.string(app)])
        guard all.count == 2, all[0].dictionary?[name] == old else { return false }
        do throws(DefaultsError) {
            _ = try await write(PreferencesInterface.apply, [.string(app), .vardict([]), .array([name]), all[1]])
            return true
        } catch  where error.code == .revisionMismatch {
            return false
        }
    }

    /// Writes what may not be repeated, in its turn among the other writes, and waits for the answer.
    func write(_ member: MemberName, _ arguments: [Value]) async throws(DefaultsError) -> [Value] {
        let result = await withCheckedContinuation { continuation in
            domain.write([], member, arguments, isRepeatable: false) { continuation.resume(returning: $0) }
        }
        return try result.get()
    }
}
