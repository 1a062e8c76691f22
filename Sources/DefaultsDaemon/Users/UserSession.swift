import CLinux
import DBusTypes
import DefaultsModel
import DefaultsStore

/// One user's data while the daemon runs: the ledger in memory, the store on disk, and what moves between them.
final class UserSession {
    enum State {
        case closed
        /// There never was a store, and nothing was written yet: reads are answered from an empty one.
        case absent(Ledger)
        case opening
        case open(Ledger, UserStore)
        /// The store is being closed to make room; what comes waits, and opens it again.
        case closing
        case failed(ModelError)
    }

    let userID: UInt32
    /// Who gets signals of which domain.
    let watchers: Watchers
    /// How mirrors in other processes see that something changed.
    let generations: Generations
    /// The launches that connections were told, to be told again (L2).
    var sticky = StickyAnswers()
    /// When the runs of guides, tours and tips were last called about.
    var activity = RunActivity()
    /// Sends what was announced, after the reply that caused it.
    var announce: ((UserSession, Announcement) -> Void)?
    /// Called with each change after everyone who waited for it was answered.
    var onSettled: ((UserSession, Outcome) -> Void)?
    /// Called when something counts in memory only, and must be written soon.
    var onLazyRows: ((UserSession) -> Void)?
    /// Called when a domain is watched from now on, or perhaps no longer.
    var onWatchChange: ((UserSession, DomainName) -> Void)?
    /// Called when the records of a watched domain come from another store than before (P9).
    var onReplace: ((UserSession, DomainName) -> Void)?
    /// Takes up the countdowns and presentations that an earlier run has left; no request is let through before it calls back.
    var takeUp: ((UserSession, [String: Value], @escaping () -> Void) -> Void)?

    /// Called when the store was opened and requests are let through.
    var onOpen: (() -> Void)?
    /// Called when `storeState` may have changed.
    var onStoreState: (() -> Void)?
    /// Whether something outside keeps the store in use: live countdowns do.
    var isNeeded: (() -> Bool)?

    let service: StoreService
    let directory: String
    let holder: StoreHolder
    let configuration: Configuration
    /// Reads the clock.
    let now: () -> Instant
    let runBeforeWait: (@escaping () -> Void) -> Void
    /// Runs something after so many nanoseconds.
    private let runAfter: (Int64, @escaping () -> Void) -> Void
    var state = State.closed
    var waitingForOpen: [() -> Void] = []
    var waitingForDomain: [DomainName: [(Result<Void, ModelError>) -> Void]] = [:]
    /// How many requests wait for other domains before they use these.
    var held: [DomainName: Int] = [:]
    var isCommitScheduled = false
    /// Whether a batch waits for more operations to come.
    private var isWaitingForMore = false
    /// Counts the batches that were handed to the store.
    private var batchNumber: UInt64 = 0
    /// Whether an open store's requests still wait: for what `global` has, and for the countdowns in it to be taken up.
    var isStarting = false

    /// When a request last used it, in nanoseconds of CLOCK_MONOTONIC.
    var lastUse: Int64 = 0
    /// Whether a store is only made once something is written; else it is made when it is opened.
    let isMadeByWrites: Bool

    /// The store's state as `Admin` reports it; nil while it isn't open.
    var storeState: StoreState? {
        didSet { onStoreState?() }
    }
    /// The database's path; nil while it isn't open.
    var storePath: String?

    init(
        userID: UInt32, instance: UInt64, service: StoreService, directory: String, isMadeByWrites: Bool, holder: StoreHolder,
        configuration: Configuration, now: @escaping () -> Instant,
        runBeforeWait: @escaping (@escaping () -> Void) -> Void,
        runAfter: @escaping (Int64, @escaping () -> Void) -> Void
    ) {
        self.userID = userID
        watchers = Watchers(of: userID)
        generations = Generations(instance: instance)
        self.service = service
        self.directory = directory
        self.isMadeByWrites = isMadeByWrites
        self.holder = holder
        self.configuration = configuration
        self.now = now
        self.runBeforeWait = runBeforeWait
        self.runAfter = runAfter
    }

    /// The ledger, for a job that `prepare` has let through.
    var ledger: Ledger? {
        switch state {
        case .open(let ledger, _), .absent(let ledger): ledger
        case .closed, .opening, .closing, .failed: nil
        }
    }

    /// The state that a caller sees: with its own writes in flight, those count already (P6).
    func view(for caller: Caller) throws(ModelError) -> StateView {
        guard let ledger else { throw Self.closed }
        return ledger.hasUnanswered(caller.id) ? ledger.pendingView : ledger.committedView
    }

    /// Whether the store is open.
    var isOpen: Bool {
        if case .open = state { true } else { false }
    }

    /// How much must have been dropped or removed for the memory to be given back to the system, in bytes: that takes a look at all of it.
    static let worthReleasing = 1 << 20

    static let closed = ModelError(.unavailable, "The store is not open.")

    // MARK: Commits

    /// Commits what has gathered once the messages that are in already have been handled, and those that are expected: they share one flush.
    func scheduleCommit() {
        guard !isCommitScheduled else { return }
        isCommitScheduled = true
        runBeforeWait { [self] in
            isCommitScheduled = false
            if ledger?.isWorthWaiting == true { waitForMore() } else { commit() }
        }
    }

    /// Commits the next batch when nothing more has come for it in a while; it may have been committed meanwhile, being full.
    private func waitForMore(_ rounds: Int = 1) {
        guard !isWaitingForMore, let gathered = ledger?.gatheredCount else { return }
        isWaitingForMore = true
        let batch = batchNumber
        runAfter(Ledger.patience) { [self] in
            isWaitingForMore = false
            guard ledger?.isWorthWaiting == true else { return }
            let isGrowing = ledger.map { $0.gatheredCount > gathered } ?? false
            if batch != batchNumber {
                waitForMore()
            } else if isGrowing && rounds < Ledger.patienceLimit {
                waitForMore(rounds + 1)
            } else {
                commit()
            }
        }
    }

    /// Commits what has gathered without waiting for more: nothing runs before the next wait, for there will be none.
    func commitNow() {
        isCommitScheduled = false
        if let ledger, ledger.hasLazyRows { ledger.writeLazyRows { _, _ in } }
        commit()
    }

    /// Hands the next batch to the store, if none is there already.
    private func commit() {
        guard case .open(let ledger, let store) = state, let changes = ledger.takeBatch() else { return }
        batchNumber &+= 1
        store.commit(changes) { [self] result in
            switch result {
            case .success:
                let before = ledger.loadedSize
                ledger.batchCommitted()
                // Domains may have come into memory, or grown there, without any having been loaded.
                let dropped = drop(ledger, sparesLast: true)
                if max(before - ledger.loadedSize, dropped) > Self.worthReleasing { clinux_release_memory() }
            case .failure(let error): ledger.batchFailed(ModelError(error))
            }
            if ledger.unansweredCount > 0 { scheduleCommit() }
        }
    }
}
