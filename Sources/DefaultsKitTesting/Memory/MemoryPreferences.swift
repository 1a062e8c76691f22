import DBusTypes
import DefaultsInterface
import DefaultsModel
import LibDBus

/// `org.defaultsd1.Preferences` of a daemon in memory.
struct MemoryPreferences: MemoryHandler {
    let core: MemoryCore

    func handle(_ call: MemoryCall, _ completion: @escaping MemoryCore.Completion) {
        do throws(ModelError) {
            if let write = try write(call) { return core.write(call.client, write, completion) }
            completion(.success(try read(call)))
        } catch {
            completion(.failure(DBusError(error)))
        }
    }

    private func read(_ call: MemoryCall) throws(ModelError) -> [Value] {
        let arguments = MemoryArguments(call)
        let view = core.ledger.committedView
        switch call.member {
        case PreferencesInterface.get:
            let (domain, key) = (try arguments.domain(), try arguments.key())
            guard let effective = view.effectiveValue(domain, key) else { throw .noSuchKey(key, domain) }
            return [.variant(effective.value)]
        case PreferencesInterface.getAll:
            let domain = try arguments.domain()
            return [view.effectiveValues(domain), .uint64(view.revision(of: domain))]
        case PreferencesInterface.listKeys: return [.array(view.effectiveKeys(try arguments.domain()).map(\.text))]
        case PreferencesInterface.listDomains: return [.array(view.domains.map(\.text))]
        case PreferencesInterface.listLocked: return [.array(view.lockedKeys(try arguments.domain()).map(\.text))]
        case PreferencesInterface.describe: return [try view.describe(try arguments.domain(), try arguments.key())]
        case PreferencesInterface.watch:
            let domain = try arguments.domain()
            core.watch(domain, by: call.client)
            return [
                view.effectiveValues(domain), .uint64(view.revision(of: domain)), .uint64(core.instance),
                .uint32(core.slot(of: domain)),
            ]
        case PreferencesInterface.unwatch:
            core.unwatch(try arguments.domain(), by: call.client)
            return []
        case PreferencesInterface.generations:
            guard let page = core.pageDescriptor else { throw ModelError(.unavailable, "There is no generation page.") }
            return [.unixFD(page)]
        case PreferencesInterface.synchronize: return []
        default: throw ModelError(.invalidArgument, "The daemon in memory has no \(call.member).")
        }
    }

    /// The write that a call asks for; nil where it asks for none.
    private func write(_ call: MemoryCall) throws(ModelError) -> Operation.Body? {
        let arguments = MemoryArguments(call)
        let (name, wall) = (call.client.name.text, core.now.wall)
        func writes() throws(ModelError) -> PreferenceWrites {
            PreferenceWrites(try arguments.domain(), writer: name, wall: wall)
        }
        switch call.member {
        case PreferencesInterface.set:
            let (writes, key, value) = (try writes(), try arguments.key(), try arguments.get(2, as: Value.self))
            return { view throws(ModelError) in try writes.set(key, to: value, in: view) }
        case PreferencesInterface.setIfAbsent:
            let (writes, key, value) = (try writes(), try arguments.key(), try arguments.get(2, as: Value.self))
            return { view throws(ModelError) in try writes.setIfAbsent(key, to: value, in: view) }
        case PreferencesInterface.compareAndSet:
            let (writes, key) = (try writes(), try arguments.key())
            let (expected, value) = (try arguments.get(2, as: Value.self), try arguments.get(3, as: Value.self))
            return { view throws(ModelError) in try writes.compareAndSet(key, expected: expected, to: value, in: view) }
        case PreferencesInterface.increment:
            let (writes, key, amount) = (try writes(), try arguments.key(), try arguments.get(2, as: Int64.self))
            return { view throws(ModelError) in try writes.increment(key, by: amount, in: view) }
        case PreferencesInterface.apply:
            let (writes, values) = (try writes(), try arguments.preferences(1))
            let (keys, expected) = (try arguments.keys(2), try arguments.get(3, as: UInt64.self))
            return { view throws(ModelError) in try writes.apply(set: values, reset: keys, expected: expected, in: view) }
        case PreferencesInterface.reset:
            let (writes, key) = (try writes(), try arguments.key())
            return { view throws(ModelError) in try writes.reset(key, in: view) }
        case PreferencesInterface.resetDomain:
            let writes = try writes()
            return { view throws(ModelError) in try writes.resetDomain(in: view) }
        case PreferencesInterface.registerDefaults:
            let (writes, values) = (try writes(), try arguments.preferences(1))
            return { view throws(ModelError) in try writes.register(values, in: view) }
        case PreferencesInterface.unregisterDefaults:
            let (writes, keys) = (try writes(), try arguments.keys(1))
            return { view throws(ModelError) in try writes.unregister(keys, in: view) }
        default: return nil
        }
    }
}
