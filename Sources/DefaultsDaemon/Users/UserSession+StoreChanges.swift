import DefaultsModel
import DefaultsStore

extension UserSession {
    /// Has the configuration files as they are now take effect, in one change; `completion` is called when they have.
    ///
    /// A store that isn't open takes them when it is. One that can't be written has them in memory (P11).
    func takeFiles(completion: @escaping () -> Void) {
        guard let ledger, ledger.isLoaded(.global) else {
            // No one watches a store that isn't open, but a reader may still go by the page.
            generations.advanceAll()
            return completion()
        }
        let files = configuration.layers
        if case .absent = state {
            let announcements = ledger.takeFilesInMemory(files)
            completion()
            for announcement in announcements { announce?(self, announcement) }
            return
        }
        // What is presented may have to end, and the records of it must be there.
        prepareAtStart(Set(ledger.pendingView.liveRuns.map(\.app)).sorted()) { [self] result in
            if case .failure(let error) = result {
                Log.write(.warning, "Presentations go on under the new files: \(error.message)")
            }
            let now = now()
            ledger.submit(
                Operation(
                    caller: .daemon, writer: "", body: { view throws(ModelError) in Ledger.taking(files, in: view, at: now) },
                    complete: { [self] result, announcements in
                        var announcements = announcements
                        if case .failure = result { announcements = ledger.takeFilesInMemory(files) }
                        completion()
                        for announcement in announcements { announce?(self, announcement) }
                    }))
            scheduleCommit()
        }
    }

    /// Takes note of what the store found out by itself.
    func handle(_ event: StoreEvent) {
        switch event {
        case .state(let new, let error):
            storeState = new
            if let error { log(.warning, "is \(new.rawValue)", new, error) }
        case .replaced(let new, let summary, let error):
            storeState = new
            log(.error, "was replaced and is \(new.rawValue)", new, error)
            replace(with: summary)
        }
    }

    /// Says in the log how the store is, and why.
    func log(_ priority: Log.Priority, _ what: String, _ state: StoreState, _ reason: StoreError) {
        let event: Log.Event? =
            switch state {
            case .healthy: nil
            case .restored: .storeRestored
            case .lost: .storeLost
            case .readOnly: .storeReadOnly
            }
        Log.write(
            priority, "The store of user \(userID) \(what): \(reason.message)", event,
            [.user: String(userID), .state: state.rawValue, .store: storePath ?? directory])
    }

    /// Starts over from another store; watchers get what changed for them as soon as it has been read (P9).
    func replace(with summary: StoreSummary) {
        guard let ledger else { return }
        let seen = watchers.domains.filter(ledger.isLoaded).map { ($0, ledger.effectiveValues($0)) }
        ledger.replace(
            with: summary, error: ModelError(.unavailable, "The store was found damaged and another is in its place; ask again."))
        for (domain, old) in seen {
            prepare([domain]) { [self] result in
                guard case .success = result else { return }
                if let change = ledger.change(of: domain, since: old) { announce?(self, .preferencesChanged(change)) }
                onReplace?(self, domain)
            }
        }
    }
}
