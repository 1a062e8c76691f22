import DBusTypes
import DefaultsModel
import DefaultsStore

extension UserSession {
    func read(
        for caller: Caller, _ body: @escaping (StateView) throws(ModelError) -> [Value],
        completion: @escaping (Result<[Value], ModelError>) -> Void
    ) {
        guard let ledger else { return completion(.failure(Self.closed)) }
        if ledger.hasUnanswered(caller.id) {
            write(for: caller, { view throws(ModelError) in Outcome(reply: try body(view)) }, completion: completion)
            return
        }
        do throws(ModelError) {
            completion(.success(try body(ledger.committedView)))
        } catch {
            completion(.failure(error))
        }
    }

    func write(
        for caller: Caller, _ body: @escaping Operation.Body, completion: @escaping (Result<[Value], ModelError>) -> Void
    ) {
        submit(
            Operation(caller: caller.id, writer: caller.name.text, body: body) { [self] result, announcements in
                completion(result)
                for announcement in announcements { announce?(self, announcement) }
            })
    }

    private func submit(_ operation: Operation) {
        switch state {
        case .open(let ledger, _):
            ledger.submit(operation)
            scheduleCommit()
        case .absent(let ledger):
            if ledger.answerWithoutStore(operation) { return }
            // The first write: now there has to be a store. The caller's later requests wait until it is open.
            open()
            waitingForOpen.append { [self] in submit(operation) }
        case .opening, .closing: waitingForOpen.append { [self] in submit(operation) }
        case .failed(let error): operation.fail(error)
        case .closed: operation.fail(Self.closed)
        }
    }

    /// Begins a subscription: from now on changes of `global` are looked at for `domain` too, so that none is missed.
    ///
    /// ``endWatch(_:adding:)`` must follow.
    func beginWatch(_ domain: DomainName) {
        watchers.expect(domain)
        ledger?.watchedDomains.insert(domain)
    }

    /// Ends what ``beginWatch(_:)`` began, with a new watcher or, where it came to nothing, without.
    func endWatch(_ domain: DomainName, adding caller: Caller?) {
        if let caller { watchers.add(caller, to: domain) }
        watchers.settle(domain)
        if !watchers.isWatched(domain) { ledger?.watchedDomains.remove(domain) }
        onWatchChange?(self, domain)
    }

    /// Ends a caller's subscription, if it has one.
    func unwatch(_ domain: DomainName, by caller: Caller) {
        watchers.remove(caller, from: domain)
        if !watchers.isWatched(domain) { ledger?.watchedDomains.remove(domain) }
        onWatchChange?(self, domain)
    }

    /// The domains that may have something to export, a caller's own writes included.
    func transferableDomains(for caller: Caller) -> [DomainName] {
        guard let ledger else { return [] }
        return (ledger.hasUnanswered(caller.id) ? ledger.pendingView : ledger.committedView).transferableDomains
    }

    /// Takes note, on disk, that the user knows of the loss (P9).
    func acknowledgeLoss(completion: @escaping (Result<Void, ModelError>) -> Void) {
        if case .absent = state { return completion(.success(())) }
        guard case .open(_, let store) = state else { return completion(.failure(Self.closed)) }
        store.acknowledgeLoss { result in completion(result.mapError { ModelError($0) }) }
    }

    /// Writes rows that no caller waits for.
    func writeForDaemon(_ changes: [RecordChange], completion: @escaping (Result<[Value], ModelError>) -> Void = { _ in }) {
        submit(
            Operation(caller: .daemon, writer: "", body: { _ in Outcome(changes: changes) }) { result, _ in
                completion(result)
            })
    }

    /// Computes and writes what a presentation does, and announces it; where the disk refuses, it is done in memory (P11).
    ///
    /// Without a caller it is the daemon's own. A caller that would end a run is told that it can't be stored.
    func writeOrGoOn(
        for caller: Caller? = nil, _ body: @escaping Operation.Body,
        completion: @escaping (Result<[Value], ModelError>) -> Void = { _ in }
    ) {
        let writer = caller?.name.text ?? ""
        submit(
            Operation(caller: caller?.id ?? .daemon, writer: writer, body: body) { [self] result, announcements in
                var (result, announcements) = (result, announcements)
                if case .failure(let error) = result, error.code.isOfStorage, let ledger {
                    do throws(ModelError) {
                        if let (reply, found) = try ledger.takeInMemory(body, writer: writer, endsRuns: caller == nil) {
                            (result, announcements) = (.success(reply), found)
                        }
                    } catch {
                        result = .failure(error)
                    }
                }
                completion(result)
                for announcement in announcements { announce?(self, announcement) }
            })
    }

    /// Whether what was stored before may be lost: no record is then no proof of a first time (P9).
    var storeLostData: Bool { storeState == .restored || storeState == .lost }

    /// How the user stretches countdowns, as set in `global` (C10), a caller's own setting counting before it is on disk (P6).
    ///
    /// The start of a countdown can't wait for that: its time runs from now on, and the caller's next call may be about it.
    func countdownScale(for caller: Caller) -> CountdownScale {
        guard let view = try? view(for: caller), let key = PreferenceKey(CountdownScale.key) else { return .standard }
        return CountdownScale(view.effectiveValue(.global, key)?.value)
    }
}
