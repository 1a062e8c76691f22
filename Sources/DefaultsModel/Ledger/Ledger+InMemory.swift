import DBusTypes

/// What takes effect without being on disk.
extension Ledger {
    func takeFiles(_ files: FileLayers, at revision: UInt64) { committed.take(files, at: revision) }

    /// Has other configuration files take effect although the store can't be written; call it where nothing is pending.
    ///
    /// Returns what to announce. The next start will find the store as it was and count again.
    public func takeFilesInMemory(_ files: FileLayers) -> [Announcement] {
        var outcome = Outcome(changes: [.revision(committed.revision + 1)])
        outcome.files = files
        let found = committed.advance(by: outcome, watched: watchedDomains, writer: "")
        onAdvance?(.everything)
        onSettled?(outcome)
        return found
    }

    /// Has an operation take effect in memory although the store can't be written: presentations go on (P11).
    ///
    /// For records of presentations only, which the next write of the same record puts on disk, and those of their countdowns, which no one
    /// reads before the next start. Returns the reply and what to announce; nil, and nothing has changed, where it would end a run and
    /// `endsRuns` says that it must not: whoever ended it would take it for stored.
    public func takeInMemory(
        _ body: Operation.Body, writer: String, endsRuns: Bool
    ) throws(ModelError) -> ([Value], [Announcement])? {
        let outcome = try body(committedView)
        if !endsRuns, outcome.changes.contains(where: \.isEndOfRun) { return nil }
        let isOnboarding = outcome.changes.allSatisfy { change in
            switch change {
            case .onboarding, .countdown: true
            case .revision, .domain, .preference: false
            }
        }
        precondition(isOnboarding, "a value that isn't on disk must not be seen")
        let announcements = committed.advance(by: outcome, watched: [], writer: writer) + outcome.announcements
        if !outcome.isEmpty { onSettled?(outcome) }
        return (outcome.reply, announcements)
    }

    /// Has a change count in memory before it is on disk.
    func applyInMemory(_ outcome: Outcome) {
        for change in outcome.changes { committed.apply(change) }
    }
}
