import DBusTypes
import DefaultsModel

extension UserSession {
    /// Computes what may be answered before it is on disk, and answers it at once unless something else is on its way there.
    func writeLazily(
        for caller: Caller, _ body: @escaping Operation.Body, completion: @escaping (Result<[Value], ModelError>) -> Void
    ) {
        guard let ledger else { return completion(.failure(Self.closed)) }
        ledger.submitLazily(
            Operation(caller: caller.id, writer: caller.name.text, body: body) { [self] result, announcements in
                completion(result)
                for announcement in announcements { announce?(self, announcement) }
            })
        if ledger.hasLazyRows { onLazyRows?(self) }
        scheduleCommit()
    }

    /// Has what counts in memory only written; `completion` is called when it is on disk, with all that was accepted before.
    func writeLazyRows(
        for caller: Caller? = nil, completion: @escaping (Result<[Value], ModelError>) -> Void
    ) {
        guard let ledger else { return completion(.failure(Self.closed)) }
        ledger.writeLazyRows(for: caller?.id ?? .daemon, writer: caller?.name.text ?? "") { result, _ in completion(result) }
        scheduleCommit()
    }

    /// Whether times of an application's tips lie in the future: what rests on them is taken as if they were now, and must not be so forever (I3).
    func hasFutureTipTimes(of app: DomainName, at now: Instant) -> Bool {
        ledger?.committedView.clampingTipTimes(of: app, at: now).isEmpty == false
    }

    /// Has such times count from now on.
    func clampTipTimes(of app: DomainName, at now: Instant) {
        guard hasFutureTipTimes(of: app, at: now) else { return }
        // Computed on what is on its way to the disk: what was clamped a moment ago must not begin anew.
        writeOrGoOn { view in Outcome(changes: view.clampingTipTimes(of: app, at: now)) }
    }
}
