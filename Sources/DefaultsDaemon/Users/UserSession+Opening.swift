import CLinux
import DBusTypes
import DefaultsModel
import DefaultsStore
import EventLoop

extension UserSession {
    /// Opens the store; `completion` gets the store's own error, for the log and the exit status.
    func open(completion: @escaping (Result<OpenedStore, StoreError>) -> Void = { _ in }) {
        let before = ledger
        state = .opening
        service.open(directory: directory, holder: holder) { [self] result in
            switch result {
            case .success(let opened):
                let ledger = makeLedger(opened.summary)
                if let before { ledger.follow(before) }
                state = .open(ledger, opened.store)
                isStarting = true
                storeState = opened.state
                storePath = opened.path
                if let reason = opened.reason {
                    log(.error, "is \(opened.state.rawValue)", opened.state, reason)
                }
                opened.store.onEvent = { [unowned self] event in handle(event) }
                // Every application's look-up needs `global`, and so does every countdown; what can't be read is tried again.
                load(.global, ledger, opened.store) { [self] _ in
                    completion(result)
                    takeUp(opened.summary.countdowns)
                    onOpen?()
                }
            case .failure(let error):
                state = .failed(ModelError(.unavailable, "The store can't be read: \(error.message)"))
                completion(result)
                letThrough()
                // The disk may be back by the next request: it tries again.
                state = .closed
            }
        }
    }

    private func makeLedger(_ summary: StoreSummary) -> Ledger {
        let ledger = Ledger(summary)
        ledger.onAdvance = { [generations] advance in
            switch advance {
            case .domains(let domains): generations.advance(domains)
            case .everything: generations.advanceAll()
            }
        }
        ledger.onSettled = { [unowned self] outcome in onSettled?(self, outcome) }
        return ledger
    }

    /// What readers find where there never was a store: what the configuration files say.
    private func makeLedgerOfNothing() -> Ledger {
        let ledger = makeLedger(StoreSummary())
        if !ledger.start(with: configuration.layers) { _ = ledger.takeFilesInMemory(configuration.layers) }
        storeState = .healthy
        return ledger
    }

    /// Has what an earlier run has left go on before any request can meet it.
    private func takeUp(_ countdowns: [String: Value]) {
        let view = ledger?.committedView
        guard let takeUp, !countdowns.isEmpty || view?.runs.isEmpty == false || view?.inhibitors.isEmpty == false else {
            return letThrough()
        }
        takeUp(self, countdowns) { [self] in letThrough() }
    }

    /// Answers what has waited for the store, and from now on nothing waits for it.
    private func letThrough() {
        isStarting = false
        let waiting = waitingForOpen
        waitingForOpen = []
        for continuation in waiting { continuation() }
    }

    /// Whether domains, and `global` with them, are in memory; if so, they count as used now.
    func has(_ domains: [DomainName]) -> Bool {
        guard case .open(let ledger, _) = state, !isStarting else { return false }
        lastUse = SystemTime.monotonic
        // What is never dropped needs no mark.
        return domains.isEmpty || (ledger.isLoaded(.global) && ledger.use(domains) == nil)
    }

    /// Brings domains, and `global` with them, into memory; calls back at once where they are.
    func prepare(_ domains: [DomainName], completion: @escaping (Result<Void, ModelError>) -> Void) {
        lastUse = SystemTime.monotonic
        switch state {
        case .closed where isMadeByWrites && UserFolders.isUnused(directory):
            state = .absent(makeLedgerOfNothing())
            completion(.success(()))
        case .absent where UserFolders.isUnused(directory): completion(.success(()))
        case .closed, .absent:
            open()
            waitingForOpen.append { [self] in prepare(domains, completion: completion) }
        case .opening, .closing:
            waitingForOpen.append { [self] in prepare(domains, completion: completion) }
        case .open where isStarting:
            waitingForOpen.append { [self] in prepare(domains, completion: completion) }
        case .failed(let error):
            completion(.failure(error))
        case .open:
            prepareAtStart(domains, completion: completion)
        }
    }

    /// Brings domains into memory as `prepare` does, also while requests still wait for the start to be over.
    func prepareAtStart(_ domains: [DomainName], completion: @escaping (Result<Void, ModelError>) -> Void) {
        guard case .open(let ledger, let store) = state else { return completion(.failure(Self.closed)) }
        let needed = domains.isEmpty ? [] : domains + [.global]
        guard ledger.use(needed) != nil else { return completion(.success(())) }
        hold(needed)
        loadMissing(needed[...], ledger, store) { [self] result in
            release(needed)
            switch result {
            // Another store may have taken the place of this one meanwhile, and then they are missing again.
            case .success: prepareAtStart(domains, completion: completion)
            case .failure: completion(result)
            }
            // What many domains take is given back once the request has used them, not when another happens to come.
            guard domains.count > 1 else { return }
            ledger.releasedDomains()
            dropUnused(ledger)
        }
    }

    /// Loads those of the domains that are not in memory, one after the other: requests that need but one are served in between.
    private func loadMissing(
        _ domains: ArraySlice<DomainName>, _ ledger: Ledger, _ store: UserStore,
        completion: @escaping (Result<Void, ModelError>) -> Void
    ) {
        guard let index = domains.firstIndex(where: { !ledger.isLoaded($0) }) else { return completion(.success(())) }
        load(domains[index], ledger, store) { [self] result in
            switch result {
            case .success: loadMissing(domains[(index + 1)...], ledger, store, completion: completion)
            case .failure: completion(result)
            }
        }
    }

    /// Drops what is in memory beyond the limit and neither held nor waited for, and gives the memory back.
    private func dropUnused(_ ledger: Ledger) {
        if drop(ledger) > Self.worthReleasing { clinux_release_memory() }
    }

    /// Drops what is in memory beyond the limit and neither held nor waited for; returns about how many bytes that was.
    func drop(_ ledger: Ledger, sparesLast: Bool = false) -> Int {
        ledger.dropUnused(sparesLast: sparesLast) { held[$0] != nil || waitingForDomain[$0] != nil }
    }

    // MARK: Closing

    /// Whether the store may be closed to make room: nothing waits for it, no one is told of its changes, and
    /// neither a countdown nor a presentation is under way.
    var isIdle: Bool {
        guard case .open(let ledger, _) = state, !isStarting else { return false }
        let view = ledger.committedView
        guard view.liveRuns.isEmpty, view.inhibitors.isEmpty else { return false }
        return ledger.unansweredCount == 0 && !isCommitScheduled && waitingForDomain.isEmpty && held.isEmpty && watchers.isUnused
            && !(isNeeded?() ?? false)
    }

    /// Closes the store of a session that is idle; the next request opens it again.
    func close() {
        guard isIdle, case .open(_, let store) = state else { return }
        state = .closing
        store.close { [self] _ in
            // What a failed checkpoint leaves in the log is read at the next opening.
            state = .closed
            letThrough()
        }
    }

    private func load(
        _ domain: DomainName, _ ledger: Ledger, _ store: UserStore, completion: @escaping (Result<Void, ModelError>) -> Void
    ) {
        waitingForDomain[domain, default: []].append(completion)
        guard waitingForDomain[domain]?.count == 1 else { return }
        store.load(domain) { [self] result in
            let outcome: Result<Void, ModelError>
            switch result {
            case .success(let contents):
                ledger.load(contents, as: domain)
                dropUnused(ledger)
                outcome = .success(())
                // The store knows which files were in effect; what differs takes effect before anyone is served.
                if domain.isGlobal, !ledger.start(with: configuration.layers) {
                    return takeFiles { [self] in finishLoading(domain, outcome) }
                }
            case .failure(let error):
                outcome = .failure(
                    ModelError(.unavailable, "The data of \"\(domain)\" can't be read now: \(error.message)"))
            }
            finishLoading(domain, outcome)
        }
    }

    /// Keeps domains in memory while others are loaded for the same request.
    private func hold(_ domains: [DomainName]) {
        for domain in domains { held[domain, default: 0] += 1 }
    }

    private func release(_ domains: [DomainName]) {
        for domain in domains {
            let left = (held[domain] ?? 0) - 1
            held[domain] = left > 0 ? left : nil
        }
    }

    private func finishLoading(_ domain: DomainName, _ outcome: Result<Void, ModelError>) {
        for continuation in waitingForDomain.removeValue(forKey: domain) ?? [] { continuation(outcome) }
    }
}
