import DefaultsModel

/// The stores of all users, and the one thread that owns SQLite.
///
/// Used on the loop's thread only. Every request returns at once; its completion runs during ``deliver()``, in the order of
/// the requests.
public final class StoreService {
    private let requests = HandOver<(UInt64, StoreRequest)>()
    private let messages = HandOver<StoreMessage>()
    private let thread: StoreThread
    private var completions: [UInt64: (StoreOutcome) -> Void] = [:]
    private var stores: [StoreID: UserStore] = [:]
    private var lastNumber: UInt64 = 0
    private var isShutDown = false

    /// Starts the store thread.
    ///
    /// `wake` is called on that thread when answers wait: it asks the loop to call ``deliver()``.
    public convenience init(wake: @Sendable @escaping () -> Void) {
        self.init(pace: BackupPace(), wake: wake)
    }

    /// Starts the store thread, which makes backups at a pace.
    init(pace: BackupPace, wake: @Sendable @escaping () -> Void) {
        let (requests, messages) = (requests, messages)
        thread = StoreThread {
            StoreWorker(requests: requests, messages: messages, pace: pace, wake: wake).run()
        }
    }

    deinit {
        precondition(isShutDown, "a StoreService is shut down before its last reference goes")
    }

    /// Opens the store in `directory`, making it where there is none.
    ///
    /// `holder` is what another process that finds the store locked is told. A directory that can't be written is no error:
    /// the store is then `readOnly` (P11). Errors: `inUse`, `notADirectory`, `failed`, and `damaged` where the damaged files
    /// can't be moved aside (P9).
    public func open(
        directory: String, holder: StoreHolder, completion: @escaping (Result<OpenedStore, StoreError>) -> Void
    ) {
        lastNumber += 1
        let id = lastNumber
        submit(.open(id, directory: directory, holder)) { [unowned self] outcome in
            guard case .opened(let result) = outcome else { preconditionFailure("an open is answered with a report") }
            completion(
                result.map { report in
                    let store = UserStore(id: id, service: self, state: report.state)
                    self.stores[id] = store
                    return OpenedStore(
                        store: store, summary: report.summary, state: report.state, path: report.path, reason: report.reason)
                })
        }
    }

    /// Runs the completions of all requests that are done, in order; called on the loop's thread after `wake`.
    public func deliver() {
        deliver(messages.takeAll())
    }

    /// Finishes all accepted work, also what its completions ask for, brings every store into its database file, closes it
    /// and ends the thread.
    ///
    /// Completions run before this returns. No request may follow.
    public func shutdown() {
        guard !isShutDown else { return }
        while !completions.isEmpty {
            guard case .items(let received) = messages.receive() else { break }
            deliver(received)
        }
        isShutDown = true
        requests.close()
        thread.join()
        deliver()
        stores = [:]
    }

    func submit(_ request: StoreRequest, completion: @escaping (StoreOutcome) -> Void) {
        precondition(!isShutDown, "no request follows the shutdown of the StoreService")
        lastNumber += 1
        completions[lastNumber] = completion
        requests.append((lastNumber, request))
        if case .close(let id) = request { stores[id] = nil }
    }

    private func deliver(_ received: [StoreMessage]) {
        for message in received {
            switch message {
            case .answer(let number, let outcome):
                guard let completion = completions.removeValue(forKey: number) else {
                    preconditionFailure("every request is answered once")
                }
                completion(outcome)
            case .event(let id, let event): stores[id]?.receive(event)
            }
        }
    }
}
