import DBusTypes

/// One user's state and what is on its way to the disk: group commit as a pure state machine (P6, P7).
///
/// Operations are computed on the pending state as they come and gathered in a batch. `takeBatch` hands a batch out to be
/// committed in one transaction while the next one gathers; `batchCommitted` and `batchFailed` say how it went. A failed
/// batch is computed and committed again change by change, later ones on what was really stored. No clock, no file, no bus;
/// used from one thread.
public final class Ledger {
    struct Entry {
        let operation: Operation
        let result: Result<Outcome, ModelError>

        var changes: [RecordChange] {
            switch result {
            case .success(let outcome): outcome.changes
            case .failure: []
            }
        }
    }

    /// Operations computed together, with the sum of their changes.
    struct Batch {
        var entries: [Entry] = []
        var pending = PendingChanges()
        var isEmpty: Bool { entries.isEmpty }
    }

    /// What is on disk; changed by batches, and here and there by what counts in memory only.
    var committed: CommittedState
    private(set) var inFlight = Batch()
    private(set) var gathering = Batch()
    /// What a failed batch held, each to be committed alone; while there are any, nothing gathers.
    private(set) var retrying: [Operation] = []
    /// What came after the operations that are tried again, and is computed after them.
    private(set) var waiting: [Operation] = []
    private(set) var pace = BatchPace()
    private var unanswered: [CallerID: Int] = [:]
    /// What the batch in flight is answered with where it was computed on a store that has been replaced since.
    private var voidInFlight: ModelError?

    /// Which domains were used when.
    var uses = DomainUse()
    /// What lazy operations have changed in memory and not yet on disk.
    var lazyRows = LazyRows()
    let memoryLimit: Int
    /// Up to this size, in bytes, what is in memory has been found to be in use; 0 where that may have ended since.
    var crowdedSize = 0

    /// Domains whose readers are told of changes that reach them through `global`.
    public var watchedDomains: Set<DomainName> = [] {
        didSet { releasedDomains() }
    }
    /// Called when the state has advanced and before anyone is answered or told, so that no reader can miss it (P6).
    public var onAdvance: ((Advance) -> Void)?
    /// Called with each change after everyone who waited for it was answered.
    public var onSettled: ((Outcome) -> Void)?

    /// Starts from what the store knows; `memoryLimit` is what of the domains' contents stays in memory, in bytes.
    public init(_ summary: StoreSummary, memoryLimit: Int = Ledger.standardMemoryLimit) {
        committed = CommittedState(summary)
        self.memoryLimit = memoryLimit
    }

    // MARK: Loading

    /// Whether the contents of a domain are in memory; one that the store has no row for is, being empty.
    public func isLoaded(_ domain: DomainName) -> Bool {
        committed.isLoaded(domain)
    }

    /// Takes the contents of a domain that the store has read.
    public func load(_ contents: DomainContents, as domain: DomainName) { committed.load(contents, as: domain) }

    /// About what the contents in memory take, in bytes.
    public var loadedSize: Int { committed.loadedSize }

    /// Whether a domain takes memory.
    func hasContents(_ domain: DomainName) -> Bool { committed.loaded[domain] != nil }

    /// The domains in memory that may be read from the store again, and that no one watches.
    var droppable: [DomainName] {
        let lazy = lazyRows.domains
        return committed.loaded.keys.filter {
            !$0.isGlobal && !watchedDomains.contains($0) && committed.summaries[$0] != nil && !lazy.contains($0)
        }
    }

    /// Drops the contents of a domain.
    func drop(_ domain: DomainName) { committed.drop(domain) }

    /// The turn in which the oldest of the operations that are not answered was submitted.
    var oldestTurn: UInt64? {
        [inFlight.entries.first?.operation, gathering.entries.first?.operation, retrying.first, waiting.first]
            .compactMap { $0?.turn }.min()
    }

    /// Starts over from another store, which took the place of a damaged one: nothing in memory is true any more (P9).
    ///
    /// What was computed on the old one is answered with `error`: at once, or where it is in flight when that has failed.
    public func replace(with summary: StoreSummary, error: ModelError) {
        let old = committed
        committed = CommittedState(summary)
        uses.forgetAll()
        releasedDomains()
        lazyRows.forgetAll()
        // The files are as they were, whatever happened to the store.
        committed.take(old.files, at: old.filesRevision)
        onAdvance?(.everything)
        if !inFlight.isEmpty { voidInFlight = error }
        let void = gathering.entries.map(\.operation) + retrying + waiting
        gathering = Batch()
        retrying = []
        waiting = []
        for operation in void { answer(operation, .failure(error), []) }
    }

    /// Takes the place of a ledger of nothing, which readers were answered from while there was no store: revisions only grow.
    ///
    /// Call it before anything is loaded.
    public func follow(_ other: Ledger) {
        // The files are in effect for readers already, and not to be announced again.
        committed.take(other.committed.files, at: max(other.committed.filesRevision, other.committed.revision))
        watchedDomains = other.watchedDomains
    }

    // MARK: Requests

    /// What is on disk: the state that a read sees when its caller has nothing in flight.
    public var committedView: StateView { StateView(committed: committed, pending: []) }

    /// What will be on disk if all that is computed so far succeeds: for a caller whose own writes are among that (P6).
    public var pendingView: StateView {
        StateView(committed: committed, pending: [inFlight, gathering].filter { !$0.isEmpty }.map(\.pending))
    }

    /// Whether a caller waits for answers that rest on the pending state; its reads then go through `submit` too (P6).
    public func hasUnanswered(_ caller: CallerID) -> Bool { unanswered[caller] != nil }

    /// How many operations are not answered yet, over all callers.
    public var unansweredCount: Int { inFlight.entries.count + gathering.entries.count + retrying.count + waiting.count }

    /// Whether nothing is on its way to the disk: what is in memory is all that there is.
    var isIdle: Bool { inFlight.isEmpty && gathering.isEmpty && retrying.isEmpty && waiting.isEmpty }

    /// Computes an operation on the pending state and answers it with its batch, or at once where nothing is pending.
    public func submit(_ operation: Operation) {
        unanswered[operation.caller, default: 0] += 1
        var operation = operation
        operation.turn = uses.turn
        if retrying.isEmpty && waiting.isEmpty { gather(operation) } else { waiting.append(operation) }
    }

    /// Answers an operation at once where it changes nothing, for which no store is needed; false, and nothing done, where it changes something.
    public func answerWithoutStore(_ operation: Operation) -> Bool {
        let (entry, _) = compute(operation)
        guard entry.changes.isEmpty else { return false }
        operation.complete(entry.result.map(\.reply), (try? entry.result.get().announcements) ?? [])
        return true
    }

    private func gather(_ operation: Operation) {
        let (entry, growth) = compute(operation)
        if entry.changes.isEmpty && inFlight.isEmpty && gathering.isEmpty {
            finish([entry])
            return
        }
        gathering.entries.append(entry)
        for (change, growth) in zip(entry.changes, growth) { gathering.pending.apply(change, growth: growth) }
        if case .success(let outcome) = entry.result, let files = outcome.files {
            gathering.pending.take(files, at: outcome.filesRevision)
        }
    }

    /// Computes an operation on all that is pending, and how each of its changes makes its domain grow.
    private func compute(_ operation: Operation) -> (Entry, [SizeChange]) {
        let view = pendingView
        do throws(ModelError) {
            let outcome = try operation.body(view)
            return (Entry(operation: operation, result: .success(outcome)), outcome.changes.map(view.growth))
        } catch {
            return (Entry(operation: operation, result: .failure(error)), [])
        }
    }

    // MARK: Batches

    /// The next batch, to be committed in one transaction; nil while one is in flight and where there is nothing to write.
    ///
    /// Answers what was gathered without a change on the way.
    public func takeBatch() -> [RecordChange]? {
        while inFlight.isEmpty {
            let isRetrying = !retrying.isEmpty
            if isRetrying {
                gather(retrying.removeFirst())
            } else {
                computeWaiting()
            }
            guard !gathering.isEmpty else {
                if retrying.isEmpty && waiting.isEmpty { return nil }
                continue
            }
            // What is tried again is tried alone.
            if !isRetrying, gathering.entries.contains(where: { !$0.changes.isEmpty }), let lazy = lazyWrite() {
                unanswered[lazy.caller, default: 0] += 1
                gather(lazy)
            }
            inFlight = gathering
            gathering = Batch()
            if retrying.isEmpty { computeWaiting() }
            let changes = inFlight.entries.flatMap(\.changes)
            if !changes.isEmpty { return inFlight.entries.count == 1 ? changes : changes.lastOfEachRow }
            batchCommitted()
        }
        return nil
    }

    /// Says that the batch in flight is on disk: the state advances, then each is answered and announced, in order.
    public func batchCommitted() {
        precondition(voidInFlight == nil, "a store refuses what was computed on the one before it")
        let entries = inFlight.entries
        inFlight = Batch()
        pace.answered(entries.count, gathered: gatheredCount)
        finish(entries)
    }

    /// Says that nothing of the batch in flight is on disk.
    ///
    /// With one operation in it, its caller gets `error`; with several, each is tried again alone, in order. What had
    /// gathered meanwhile is computed again.
    public func batchFailed(_ error: ModelError) {
        let failed = inFlight.entries.map(\.operation)
        waiting = gathering.entries.map(\.operation) + waiting
        inFlight = Batch()
        gathering = Batch()
        if let void = voidInFlight {
            // Computed again, these would take for absent what the new store has not been asked for yet.
            voidInFlight = nil
            for operation in failed { answer(operation, .failure(void), []) }
        } else if failed.count == 1 {
            answer(failed[0], .failure(error), [])
        } else {
            retrying = failed + retrying
        }
    }

    private func computeWaiting() {
        let operations = waiting
        waiting = []
        for operation in operations { gather(operation) }
    }

    private func finish(_ entries: [Entry]) {
        var announcements: [[Announcement]] = []
        announcements.reserveCapacity(entries.count)
        for entry in entries {
            guard case .success(let outcome) = entry.result else {
                announcements.append([])
                continue
            }
            let found = committed.advance(by: outcome, watched: watchedDomains, writer: entry.operation.writer)
            announcements.append(found + outcome.announcements)
            if let advance = Advance(outcome) { onAdvance?(advance) }
        }
        for (entry, found) in zip(entries, announcements) {
            answer(entry.operation, entry.result.map(\.reply), found)
        }
        guard let onSettled else { return }
        for case .success(let outcome) in entries.map(\.result) where !outcome.isEmpty { onSettled(outcome) }
    }

    private func answer(_ operation: Operation, _ result: Result<[Value], ModelError>, _ announcements: [Announcement]) {
        let left = (unanswered[operation.caller] ?? 1) - 1
        unanswered[operation.caller] = left > 0 ? left : nil
        operation.complete(result, announcements)
    }
}
