import DBusTypes
import DefaultsInterface
import DefaultsModel
import LibDBus

/// `org.defaultsd1.Preferences`: arguments to the model and back.
final class PreferencesHandler: RequestHandler {
    /// Below a session bus's 128 MiB and the system bus's 32 MiB for a message: what `GetAll` may answer.
    private static let largestReply = 24 << 20

    let description = PreferencesInterface.description
    private let router: RequestRouter
    private let instance: UInt64

    init(router: RequestRouter, instance: UInt64) {
        self.router = router
        self.instance = instance
    }

    func route(_ call: IncomingCall) throws(ModelError) {
        switch call.member {
        case PreferencesInterface.get: try get(call)
        case PreferencesInterface.getAll: try getAll(call)
        case PreferencesInterface.set: try set(call)
        case PreferencesInterface.setIfAbsent: try setIfAbsent(call)
        case PreferencesInterface.compareAndSet: try compareAndSet(call)
        case PreferencesInterface.increment: try increment(call)
        case PreferencesInterface.apply: try apply(call)
        case PreferencesInterface.reset: try reset(call)
        case PreferencesInterface.resetDomain: try resetDomain(call)
        case PreferencesInterface.listKeys: try listKeys(call)
        case PreferencesInterface.listDomains: listDomains(call)
        case PreferencesInterface.registerDefaults: try registerDefaults(call)
        case PreferencesInterface.unregisterDefaults: try unregisterDefaults(call)
        case PreferencesInterface.describe: try describe(call)
        case PreferencesInterface.listLocked: try listLocked(call)
        case PreferencesInterface.watch: try watch(call)
        case PreferencesInterface.unwatch: try unwatch(call)
        case PreferencesInterface.generations: generations(call)
        case PreferencesInterface.synchronize: synchronize(call)
        default: preconditionFailure("\(call.member) is described and not served")
        }
    }

    // MARK: Reading

    private func get(_ call: IncomingCall) throws(ModelError) {
        let (domain, key) = try Arguments(call).preference()
        router.read(call, needs: [domain]) { view throws(ModelError) in
            guard let effective = view.effectiveValue(domain, key) else { throw .noSuchKey(key, domain) }
            return [.variant(effective.value)]
        }
    }

    private func getAll(_ call: IncomingCall) throws(ModelError) {
        let domain = try Arguments(call).domain(0)
        router.read(call, needs: [domain]) { view throws(ModelError) in
            [try Self.allValues(domain, view), .uint64(view.revision(of: domain))]
        }
    }

    private static func allValues(_ domain: DomainName, _ view: StateView) throws(ModelError) -> Value {
        let values = view.effectiveValues(domain)
        guard values.marshalledSize <= largestReply else {
            throw ModelError(
                .limitExceeded,
                "The values of \"\(domain)\" together are larger than \(largestReply) bytes, too large for one message; read them key by key."
            )
        }
        return values
    }

    private func listKeys(_ call: IncomingCall) throws(ModelError) {
        let domain = try Arguments(call).domain(0)
        router.read(call, needs: [domain]) { view in [.array(view.effectiveKeys(domain).map(\.text))] }
    }

    private func listDomains(_ call: IncomingCall) {
        router.accept(call) { request, session in
            // One in a sandbox learns of no other application, not even that it is there (P15).
            let app = request.caller.app
            session.read(for: request.caller) { view in
                [.array(view.domains.filter { app == nil || $0 == app || $0.isGlobal }.map(\.text))]
            } completion: {
                request.answer($0)
            }
        }
    }

    private func listLocked(_ call: IncomingCall) throws(ModelError) {
        let domain = try Arguments(call).domain(0)
        router.read(call, needs: [domain]) { view in [.array(view.lockedKeys(domain).map(\.text))] }
    }

    private func describe(_ call: IncomingCall) throws(ModelError) {
        let (domain, key) = try Arguments(call).preference()
        router.read(call, needs: [domain]) { view throws(ModelError) in [try view.describe(domain, key)] }
    }

    // MARK: Writing

    private func set(_ call: IncomingCall) throws(ModelError) {
        let arguments = Arguments(call)
        let (domain, key) = try arguments.preference()
        let value: Value = try arguments.get(2)
        write(call, domain) { (writes, view) throws(ModelError) in try writes.set(key, to: value, in: view) }
    }

    private func setIfAbsent(_ call: IncomingCall) throws(ModelError) {
        let arguments = Arguments(call)
        let (domain, key) = try arguments.preference()
        let value: Value = try arguments.get(2)
        write(call, domain) { (writes, view) throws(ModelError) in try writes.setIfAbsent(key, to: value, in: view) }
    }

    private func compareAndSet(_ call: IncomingCall) throws(ModelError) {
        let arguments = Arguments(call)
        let (domain, key) = try arguments.preference()
        let expected: Value = try arguments.get(2)
        let value: Value = try arguments.get(3)
        write(call, domain) { (writes, view) throws(ModelError) in
            try writes.compareAndSet(key, expected: expected, to: value, in: view)
        }
    }

    private func increment(_ call: IncomingCall) throws(ModelError) {
        let arguments = Arguments(call)
        let (domain, key) = try arguments.preference()
        let amount: Int64 = try arguments.get(2)
        write(call, domain) { (writes, view) throws(ModelError) in try writes.increment(key, by: amount, in: view) }
    }

    private func apply(_ call: IncomingCall) throws(ModelError) {
        let arguments = Arguments(call)
        let domain = try arguments.domain(0)
        let values = try arguments.preferences(1)
        let keys = try arguments.keys(2)
        let expected: UInt64 = try arguments.get(3)
        write(call, domain) { (writes, view) throws(ModelError) in
            try writes.apply(set: values, reset: keys, expected: expected, in: view)
        }
    }

    private func reset(_ call: IncomingCall) throws(ModelError) {
        let (domain, key) = try Arguments(call).preference()
        write(call, domain) { (writes, view) throws(ModelError) in try writes.reset(key, in: view) }
    }

    private func resetDomain(_ call: IncomingCall) throws(ModelError) {
        let domain = try Arguments(call).domain(0)
        write(call, domain) { (writes, view) throws(ModelError) in try writes.resetDomain(in: view) }
    }

    private func registerDefaults(_ call: IncomingCall) throws(ModelError) {
        let arguments = Arguments(call)
        let domain = try arguments.domain(0)
        let values = try arguments.preferences(1)
        write(call, domain) { (writes, view) throws(ModelError) in try writes.register(values, in: view) }
    }

    private func unregisterDefaults(_ call: IncomingCall) throws(ModelError) {
        let arguments = Arguments(call)
        let domain = try arguments.domain(0)
        let keys = try arguments.keys(1)
        write(call, domain) { (writes, view) throws(ModelError) in try writes.unregister(keys, in: view) }
    }

    private func write(
        _ call: IncomingCall, _ domain: DomainName,
        _ body: @escaping (PreferenceWrites, StateView) throws(ModelError) -> Outcome
    ) {
        router.write(call, needs: domain) { (view, now, caller) throws(ModelError) in
            try body(PreferenceWrites(domain, writer: caller.name.text, wall: now.wall), view)
        }
    }

    private func synchronize(_ call: IncomingCall) {
        router.accept(call) { [router] request, session in
            // First, whatever waits in any connection's queue for a domain to be loaded must be on its way.
            router.callers.whenDrained(session) {
                session.writeLazyRows(for: request.caller) { request.answer($0) }
            }
        }
    }

    // MARK: Watching

    private func watch(_ call: IncomingCall) throws(ModelError) {
        let domain = try Arguments(call).domain(0)
        router.accept(call, needs: [domain]) { [router, instance] request, session in
            let caller = request.caller
            router.callers.track(caller)
            session.beginWatch(domain)
            // A page tells of every domain's changes, so one in a sandbox gets none and reads by calls (P15).
            let slot = caller.app == nil ? session.generations.slot(of: domain) : 0
            session.read(
                for: caller,
                { view throws(ModelError) in
                    [
                        try Self.allValues(domain, view), .uint64(view.revision(of: domain)), .uint64(instance),
                        .uint32(slot),
                    ]
                },
                completion: { result in
                    // Only now, since earlier calls that wait with this one may have filled or lowered the count.
                    let refusal = router.refusal(toWatch: domain, of: session, caller)
                    let isNew = refusal == nil && (try? result.get()) != nil && !caller.isGone
                    session.endWatch(domain, adding: isNew ? caller : nil)
                    request.answer(refusal.map(Result.failure) ?? result)
                })
        }
    }

    private func unwatch(_ call: IncomingCall) throws(ModelError) {
        let domain = try Arguments(call).domain(0)
        router.accept(call) { request, session in
            session.write(for: request.caller, { _ in Outcome() }) { result in
                session.unwatch(domain, by: request.caller)
                request.answer(result)
            }
        }
    }

    /// Once is enough for a process; a few more are for libraries in it that don't know of each other.
    private func generations(_ call: IncomingCall) {
        router.accept(call) { [router] request, session in
            let caller = request.caller
            guard caller.pagesGiven < Callers.pageLimit else {
                return request.answer(
                    .failure(
                        ModelError(
                            .limitExceeded,
                            "\(caller.name) was given the generation page \(caller.pagesGiven) times already; one mapping serves a whole process."
                        )))
            }
            do throws(ModelError) {
                let page = try session.generations.descriptor()
                router.callers.track(caller)
                caller.pagesGiven += 1
                request.answer(.success([.unixFD(page)]))
            } catch {
                request.answer(.failure(error))
            }
        }
    }
}
