import DBusTypes
import DefaultsModel
import DefaultsStore

/// One user's data while the daemon runs: the ledger in memory, the store on disk, and what moves between them.
final class UserSession {
    private enum State {
        case closed
        case opening
        case open(Ledger, UserStore)
        case failed(ModelError)
    }

    let userID: UInt32
    /// Who gets signals of which domain.
    let watchers = Watchers()
    /// How mirrors in other processes see that something changed.
    let generations: Generations
    /// The launches that connections were told, to be told again (L2).
    var sticky = StickyAnswers()
    /// Sends what was announced, after the reply that caused it.
    var announce: ((UserSession, Announcement) -> Void)?
    /// Takes up the countdowns that an earlier run has left; no request is let through before it calls back.
    var takeUp: ((UserSession, [String: Value], @escaping () -> Void) -> Void)?

    private let service: StoreService
    private let directory: String
    private let holder: StoreHolder
    private let configuration: Configuration
    private let runBeforeWait: (@escaping () -> Void) -> Void
    private var state = State.closed
    private var waitingForOpen: [() -> Void] = []
    private var waitingForDomain: [DomainName: [(Result<Void, ModelError>) -> Void]] = [:]
    /// How many requests wait for other domains before they use these.
    private var held: [DomainName: Int] = [:]
    private var isCommitScheduled = false
    /// Whether an open store's requests still wait: for what `global` has, and for the countdowns in it to be taken up.
    private var isStarting = false

    /// The store's state as `Admin` reports it; nil while it isn't open.
    private(set) var storeState: StoreState?
    /// The database's path; nil while it isn't open.
    private(set) var storePath: String?

    init(
        userID: UInt32, instance: UInt64, service: StoreService, directory: String, holder: StoreHolder,
        configuration: Configuration,
        runBeforeWait: @escaping (@escaping () -> Void) -> Void
    ) {
        self.userID = userID
        generations = Generations(instance: instance)
        self.service = service
        self.directory = directory
        self.holder = holder
        self.configuration = configuration
        self.runBeforeWait = runBeforeWait
    }

    // MARK: Opening and loading

    /// Opens the store; `completion` gets the store's own error, for the log and the exit status.
    func open(completion: @escaping (Result<OpenedStore, StoreError>) -> Void = { _ in }) {
        state = .opening
        service.open(directory: directory, holder: holder) { [self] result in
            switch result {
            case .success(let opened):
                let ledger = Ledger(opened.summary)
                ledger.onAdvance = { [generations] advance in
                    switch advance {
                    case .domains(let domains): generations.advance(domains)
                    case .everything: generations.advanceAll()
                    }
                }
                state = .open(ledger, opened.store)
                isStarting = true
                storeState = opened.state
                storePath = opened.path
                if let reason = opened.reason {
                    Log.write(.error, "The store of user \(userID) is \(opened.state.rawValue): \(reason.message)")
                }
                opened.store.onEvent = { [unowned self] event in handle(event) }
                // Every application's look-up needs `global`, and so does every countdown; what can't be read is tried again.
                load(.global, ledger, opened.store) { [self] _ in
                    completion(result)
                    takeUp(opened.summary.countdowns)
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

    /// Has what an earlier run has left go on before any request can meet it.
    private func takeUp(_ countdowns: [String: Value]) {
        guard let takeUp, !countdowns.isEmpty else { return letThrough() }
        takeUp(self, countdowns) { [self] in letThrough() }
    }

    /// Answers what has waited for the store, and from now on nothing waits for it.
    private func letThrough() {
        isStarting = false
        let waiting = waitingForOpen
        waitingForOpen = []
        for continuation in waiting { continuation() }
    }

    /// Brings domains, and `global` with them, into memory; calls back at once where they are.
    func prepare(_ domains: [DomainName], completion: @escaping (Result<Void, ModelError>) -> Void) {
        switch state {
        case .closed:
            open()
            waitingForOpen.append { [self] in prepare(domains, completion: completion) }
        case .opening:
            waitingForOpen.append { [self] in prepare(domains, completion: completion) }
        case .open where isStarting:
            waitingForOpen.append { [self] in prepare(domains, completion: completion) }
        case .failed(let error):
            completion(.failure(error))
        case .open(let ledger, let store):
            let needed = domains.isEmpty ? [] : domains + [.global]
            guard let missing = ledger.use(needed) else {
                completion(.success(()))
                return
            }
            hold(needed)
            load(missing, ledger, store) { [self] result in
                release(needed)
                switch result {
                case .success: prepare(domains, completion: completion)
                case .failure: completion(result)
                }
            }
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
                ledger.dropUnused(except: Set(held.keys).union(waitingForDomain.keys))
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

    /// Has the configuration files as they are now take effect, in one change; `completion` is called when they have.
    ///
    /// A store that isn't open takes them when it is. One that can't be written has them in memory (P11).
    func takeFiles(completion: @escaping () -> Void) {
        guard let ledger, ledger.isLoaded(.global) else { return completion() }
        let files = configuration.layers
        ledger.submit(
            Operation(
                caller: .daemon, writer: "", body: { view throws(ModelError) in Ledger.taking(files, in: view) },
                complete: { [self] result, announcements in
                    var announcements = announcements
                    if case .failure = result { announcements = ledger.takeFilesInMemory(files) }
                    completion()
                    for announcement in announcements { announce?(self, announcement) }
                }))
        scheduleCommit()
    }

    /// Takes note of what the store found out by itself.
    private func handle(_ event: StoreEvent) {
        switch event {
        case .state(let new, let error):
            storeState = new
            if let error { Log.write(.warning, "The store of user \(userID) is \(new.rawValue): \(error.message)") }
        case .replaced(let new, let summary, let error):
            storeState = new
            Log.write(.error, "The store of user \(userID) was replaced and is \(new.rawValue): \(error.message)")
            replace(with: summary)
        }
    }

    /// Starts over from another store; watchers get what changed for them as soon as it has been read (P9).
    private func replace(with summary: StoreSummary) {
        guard let ledger else { return }
        let seen = watchers.domains.filter(ledger.isLoaded).map { ($0, ledger.effectiveValues($0)) }
        ledger.replace(
            with: summary, error: ModelError(.unavailable, "The store was found damaged and another is in its place; ask again."))
        for (domain, old) in seen {
            prepare([domain]) { [self] result in
                guard case .success = result, let change = ledger.change(of: domain, since: old) else { return }
                announce?(self, .preferencesChanged(change))
            }
        }
    }

    // MARK: Requests

    /// The ledger, for a job that `prepare` has let through.
    private var ledger: Ledger? {
        if case .open(let ledger, _) = state { ledger } else { nil }
    }

    private static let closed = ModelError(.unavailable, "The store is not open.")

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
        guard let ledger else { return completion(.failure(Self.closed)) }
        ledger.submit(
            Operation(caller: caller.id, writer: caller.name.text, body: body) { [self] result, announcements in
                completion(result)
                for announcement in announcements { announce?(self, announcement) }
            })
        scheduleCommit()
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
    }

    /// Ends a caller's subscription, if it has one.
    func unwatch(_ domain: DomainName, by caller: Caller) {
        watchers.remove(caller, from: domain)
        if !watchers.isWatched(domain) { ledger?.watchedDomains.remove(domain) }
    }

    /// The domains that may have something to export, a caller's own writes included.
    func transferableDomains(for caller: Caller) -> [DomainName] {
        guard let ledger else { return [] }
        return (ledger.hasUnanswered(caller.id) ? ledger.pendingView : ledger.committedView).transferableDomains
    }

    /// Takes note, on disk, that the user knows of the loss (P9).
    func acknowledgeLoss(completion: @escaping (Result<Void, ModelError>) -> Void) {
        guard case .open(_, let store) = state else { return completion(.failure(Self.closed)) }
        store.acknowledgeLoss { result in completion(result.mapError { ModelError($0) }) }
    }

    /// Writes rows that no caller waits for.
    func writeForDaemon(_ changes: [RecordChange], completion: @escaping (Result<[Value], ModelError>) -> Void = { _ in }) {
        guard let ledger else { return completion(.failure(Self.closed)) }
        ledger.submit(
            Operation(caller: .daemon, writer: "", body: { _ in Outcome(changes: changes) }) { result, _ in
                completion(result)
            })
        scheduleCommit()
    }

    /// Whether what was stored before may be lost: no record is then no proof of a first time (P9).
    var storeLostData: Bool { storeState == .restored || storeState == .lost }

    /// How the user stretches countdowns, as set in `global` (C10), a caller's own setting counting before it is on disk (P6).
    ///
    /// The start of a countdown can't wait for that: its time runs from now on, and the caller's next call may be about it.
    func countdownScale(for caller: Caller) -> CountdownScale {
        guard let ledger, let key = PreferenceKey(CountdownScale.key) else { return .standard }
        let view = ledger.hasUnanswered(caller.id) ? ledger.pendingView : ledger.committedView
        return CountdownScale(view.effectiveValue(.global, key)?.value)
    }

    // MARK: Commits

    /// Commits what has gathered once the messages that are in already have been handled: they share one flush.
    private func scheduleCommit() {
        guard !isCommitScheduled else { return }
        isCommitScheduled = true
        runBeforeWait { [self] in
            isCommitScheduled = false
            commit()
        }
    }

    /// Commits what has gathered without waiting for more: nothing runs before the next wait, for there will be none.
    func commitNow() {
        isCommitScheduled = false
        commit()
    }

    /// Hands the next batch to the store, if none is there already.
    private func commit() {
        guard case .open(let ledger, let store) = state, let changes = ledger.takeBatch() else { return }
        store.commit(changes) { [self] result in
            switch result {
            case .success: ledger.batchCommitted()
            case .failure(let error): ledger.batchFailed(ModelError(error))
            }
            scheduleCommit()
        }
    }
}

extension ModelError {
    /// The error for a caller whose write the store refused.
    init(_ error: StoreError) {
        let code: Code =
            switch error.code {
            case .full: .storageFull
            case .readOnly, .newerSchema: .storageReadOnly
            case .failed, .inUse, .notADirectory, .damaged, .closed: .storageFailed
            }
        self.init(code, error.message)
    }
}
