import DefaultsModel

/// One store as the store thread has it: whichever of its forms it could be opened in.
final class StoreSession {
    private let directoryPath: String
    private let holder: StoreHolder
    private var backing: Backing
    /// What changed under the store since this was last taken; the worker sends it before the answer.
    private var events: [StoreEvent] = []
    /// How many stores have taken the place of the first.
    private var replacements = 0

    /// The forms of a store.
    private enum Backing {
        /// It can be written.
        case writable(WritableStore)
        /// It can only be read, and why.
        case readable(ReadableStore)
        /// There is none and it can't be made, and why: it reads as empty.
        case absent(StoreError)
        /// It was found damaged, and nothing could be put in its place yet: what it had is unknown, not absent (P8).
        case broken(WritableStore, damage: StoreError)
        /// Its files went from under it at this head, and nothing could be opened in their place yet.
        case gone(Head, StoreError)
    }

    /// Opens or makes the store in a folder.
    init(_ directoryPath: String, _ holder: StoreHolder) throws(StoreError) {
        self.directoryPath = directoryPath
        self.holder = holder
        backing = try Self.open(directoryPath, holder)
    }

    /// What is known of the store before any domain is loaded.
    func report() throws(StoreError) -> StoreReport {
        let path = directoryPath + (directoryPath.hasSuffix("/") ? "" : "/") + FileName.database
        switch backing {
        case .writable(let store):
            return StoreReport(
                summary: try store.database.summary(), state: store.state, path: store.database.path, reason: store.reason)
        case .readable(let store):
            return StoreReport(
                summary: try store.database.summary(), state: .readOnly, path: store.database.path, reason: store.reason)
        case .absent(let reason):
            return StoreReport(summary: StoreSummary(), state: .readOnly, path: path, reason: reason)
        case .broken(let store, let damage):
            return StoreReport(summary: StoreSummary(), state: .readOnly, path: store.database.path, reason: damage)
        case .gone(_, let reason):
            return StoreReport(summary: StoreSummary(), state: .readOnly, path: path, reason: reason)
        }
    }

    /// Reads one domain; damage met now is treated as at the start (P9).
    func load(_ domain: DomainName) throws(StoreError) -> DomainContents {
        try? checkPlace()
        switch backing {
        case .writable(let store):
            do throws(StoreError) {
                return try store.load(domain)
            } catch {
                guard error.code == .damaged else { throw error }
                return try replace(store, error).load(domain)
            }
        case .readable(let store): return try store.database.load(domain)
        case .absent: return DomainContents()
        case .broken(let store, let damage): return try replace(store, damage).load(domain)
        case .gone(let last, let reason): return try succeed(last, reason).load(domain)
        }
    }

    /// Writes the changes, all or none; none where they were computed before the last of the replacements.
    func commit(_ changes: [RecordChange], after known: Int, now: Int64) throws(StoreError) {
        try checkingPlace { () throws(StoreError) in try write(changes, after: known, now: now) }
    }

    /// Does what writes, and looks afterwards whether it was at the store's path; also where it failed, which that may be the cause of.
    private func checkingPlace(_ body: () throws(StoreError) -> Void) throws(StoreError) {
        do throws(StoreError) {
            try body()
        } catch {
            try checkPlace()
            throw error
        }
        try checkPlace()
    }

    private func write(_ changes: [RecordChange], after known: Int, now: Int64) throws(StoreError) {
        let store = try writable()
        guard known == replacements else {
            throw StoreError(.damaged, "Another store has taken the place of the one that the changes were for.")
        }
        do throws(StoreError) {
            try store.commit(changes, now: now)
        } catch {
            if error.code == .damaged { _ = try replace(store, error) }
            throw error
        }
    }

    /// Records that the user knows of the loss.
    func acknowledgeLoss(now: Int64) throws(StoreError) {
        try checkingPlace { () throws(StoreError) in try acknowledge(now: now) }
    }

    private func acknowledge(now: Int64) throws(StoreError) {
        let store = try writable()
        guard store.state != .healthy else { return }
        try store.acknowledgeLoss(now: now)
        events.append(.state(.healthy, nil))
    }

    /// The store that can be written, for what is done between requests.
    var current: WritableStore? {
        if case .writable(let store) = backing { store } else { nil }
    }

    /// Brings everything into the database file and lets go of it.
    func close() throws(StoreError) {
        // The lock goes here, before the answer: who hears that the store is closed may open it.
        defer { backing = .absent(StoreError(.closed, "The store in \(directoryPath) was closed.")) }
        guard case .writable(let store) = backing else { return }
        if store.isInPlace { try store.close() } else { store.abandon() }
    }

    /// The changes since this was last asked for.
    func takeEvents() -> [StoreEvent] {
        defer { events = [] }
        return events
    }

    private static func open(_ directoryPath: String, _ holder: StoreHolder) throws(StoreError) -> Backing {
        let directory: StoreDirectory
        do throws(StoreError) {
            directory = try StoreDirectory(directoryPath)
        } catch {
            guard error.code == .readOnly || error.code == .full else { throw error }
            return .absent(error)
        }
        do throws(StoreError) {
            return .writable(try WritableStore(directory, holder))
        } catch {
            guard error.code == .readOnly || error.code == .full || error.code == .newerSchema else { throw error }
            if let store = try ReadableStore(directory, reason: error) { return .readable(store) }
            return .absent(error)
        }
    }

    /// The store to write; where there was none, or no space, it is tried again to make it.
    private func writable() throws(StoreError) -> WritableStore {
        let reason: StoreError
        let known: StoreSummary
        var isReadable = false
        switch backing {
        case .writable(let store): return store
        case .broken(let store, let damage): return try replace(store, damage)
        case .gone(let last, let reason): return try succeed(last, reason)
        case .absent(let why):
            reason = why
            known = StoreSummary()
        case .readable(let store):
            reason = store.reason
            guard store.mayBecomeWritable else { throw reason }
            isReadable = true
            known = try store.database.summary()
            // A reader's lock would keep the writer out.
            store.unlock()
        }
        let reopened = try Self.open(directoryPath, holder)
        switch reopened {
        case .absent(let reason), .gone(_, let reason): throw reason
        case .broken(_, let damage): throw damage
        case .readable(let store):
            backing = reopened
            if !isReadable { noteReplacement(.readOnly, try store.database.summary(), store.reason) }
            throw store.reason
        case .writable(let store):
            let summary = try store.database.summary()
            backing = reopened
            // With the same revision it is what was read before, if anything was.
            if summary == known && store.state == .healthy {
                events.append(.state(.healthy, nil))
            } else {
                noteReplacement(store.state, summary, store.reason ?? reason)
            }
            return store
        }
    }

    private func replace(_ store: WritableStore, _ damage: StoreError) throws(StoreError) -> WritableStore {
        try store.requireReadable()
        do throws(StoreError) {
            try store.replaceDamaged(damage)
        } catch {
            // It is tried again by every request, for there may be space or rights by then.
            let failure = StoreError(
                .damaged, error.code == .damaged ? error.message : "\(damage) Nothing can be put in its place: \(error)",
                systemError: error.systemError, sqliteCode: error.sqliteCode)
            if case .writable = backing { events.append(.state(.readOnly, failure)) }
            backing = .broken(store, damage: damage)
            throw failure
        }
        backing = .writable(store)
        noteReplacement(store.state, try store.database.summary(), damage)
        return store
    }

    /// Whether what was written is at the store's path; where its files were removed or replaced, what is there now is opened.
    ///
    /// Errors: `failed`, for what was just written must not be acknowledged.
    private func checkPlace() throws(StoreError) {
        guard let last = leaveLostPlace() else { return }
        let reason = StoreError(
            .failed, "The files of the store in \(directoryPath) were removed, replaced or cut while it was in use.")
        // The last reference: its locks must be gone before the path is opened again.
        backing = .gone(last, reason)
        do throws(StoreError) {
            _ = try succeed(last, reason)
        } catch {
            events.append(.state(.readOnly, error))
            throw error
        }
        throw reason
    }

    /// The head of the store at hand if it has lost its place, which it then leaves as it is.
    private func leaveLostPlace() -> Head? {
        guard case .writable(let store) = backing, !store.isInPlace else { return nil }
        store.abandon()
        return store.database.head
    }

    /// Opens what is at the path once the store that was there has gone from it at `last`.
    private func succeed(_ last: Head, _ reason: StoreError) throws(StoreError) -> WritableStore {
        let opened: Backing
        do throws(StoreError) {
            opened = try Self.open(directoryPath, holder)
        } catch {
            throw StoreError(.failed, "\(reason) No other can be opened: \(error)", systemError: error.systemError)
        }
        switch opened {
        case .writable(let store):
            try store.follow(last, reason, now: monotonicNow())
            backing = opened
            noteReplacement(store.state, try store.database.summary(), reason)
            return store
        case .readable(let store): throw StoreError(store.reason.code, "\(reason) \(store.reason)")
        case .absent(let why): throw StoreError(why.code, "\(reason) \(why)")
        case .broken(_, let why), .gone(_, let why): throw why
        }
    }

    private func noteReplacement(_ state: StoreState, _ summary: StoreSummary, _ reason: StoreError) {
        replacements += 1
        events.append(.replaced(state, summary, reason))
    }
}
