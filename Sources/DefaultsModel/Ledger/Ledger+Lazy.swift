import DBusTypes

/// The rows that lazy operations have changed in memory and not yet on disk.
struct LazyRows {
    fileprivate var rows: Set<PendingChanges.RecordID> = []
    /// The operations that write them and are not answered yet, in their order.
    fileprivate var writes: [UInt64] = []
    fileprivate var lastWrite: UInt64 = 0
    /// Why they could not be written; nil once they have been, or where it was never tried.
    fileprivate var failure: ModelError?

    /// The domains that have any: their contents in memory are all that there is of them.
    var domains: Set<DomainName> { rows.isEmpty ? [] : Set(rows.map(\.domain)) }

    /// Forgets what was computed on a store that is gone.
    mutating func forgetAll() {
        rows = []
        failure = nil
    }
}

extension Ledger {
    /// Whether something waits in memory to be written with the next batch, or by ``writeLazyRows(for:writer:complete:)``.
    public var hasLazyRows: Bool { !lazyRows.rows.isEmpty }

    /// Computes an operation on records of onboarding and answers it at once, before it is on disk.
    ///
    /// What it changes counts from now on for everyone, and goes with the next batch. Where something is on its way to the disk already, or what earlier
    /// ones changed could not be written, it is an operation as any other: its caller is told how the commit went.
    public func submitLazily(_ operation: Operation) {
        guard isIdle, lazyRows.failure == nil else { return submit(operation) }
        let outcome: Outcome
        do throws(ModelError) {
            outcome = try operation.body(committedView)
        } catch {
            return operation.complete(.failure(error), [])
        }
        for change in outcome.changes {
            guard case .onboarding(let domain, let id, _) = change else {
                preconditionFailure("a lazy operation changes records of onboarding only: it has no revision")
            }
            lazyRows.rows.insert(PendingChanges.RecordID(domain: domain, id: id))
        }
        applyInMemory(outcome)
        operation.complete(.success(outcome.reply), outcome.announcements)
        if !outcome.isEmpty { onSettled?(outcome) }
    }

    /// Has what lazy operations changed written with the next batch; `complete` is called when it is on disk, as are all earlier operations.
    public func writeLazyRows(for caller: CallerID = .daemon, writer: String = "", complete: @escaping Operation.Completion) {
        submit(writingLazyRows(for: caller, writer: writer, complete: complete))
    }

    /// What joins a batch that is about to be committed; nil where there is nothing to write, or that is on its way.
    func lazyWrite() -> Operation? {
        guard !lazyRows.rows.isEmpty, lazyRows.writes.isEmpty else { return nil }
        return writingLazyRows(for: .daemon, writer: "") { _, _ in }
    }

    private func writingLazyRows(
        for caller: CallerID, writer: String, complete: @escaping Operation.Completion
    ) -> Operation {
        lazyRows.lastWrite += 1
        let number = lazyRows.lastWrite
        lazyRows.writes.append(number)
        var isWriting = false
        return Operation(
            caller: caller, writer: writer,
            body: { [unowned self] view in
                // One that is on its way brings them there; should it fail, this one is computed again.
                isWriting = lazyRows.writes.first == number
                guard isWriting else { return Outcome() }
                // As they are in the state that the batch rests on: it may have changed one, or removed it.
                return Outcome(changes: lazyRows.rows.map { .onboarding($0.domain, $0.id, view.onboarding($0.domain, $0.id)) })
            },
            complete: { [unowned self] result, announcements in
                lazyRows.writes.removeAll { $0 == number }
                switch result {
                // No row has been added meanwhile: while a write is on its way nothing is lazy.
                case .success: if isWriting { lazyRows.forgetAll() }
                case .failure(let error): lazyRows.failure = lazyRows.rows.isEmpty ? nil : error
                }
                complete(result, announcements)
            })
    }
}
