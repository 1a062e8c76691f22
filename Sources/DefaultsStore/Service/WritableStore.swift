import DefaultsModel
import Glibc

/// A store that this process holds and may write.
final class WritableStore {
    /// The database; another one after damage was met.
    private(set) var database: UserDatabase
    /// Why the state isn't healthy; nil where it is, or where the loss was met by an earlier process.
    private(set) var reason: StoreError?
    /// When the last change was committed that no backup was begun for; nanoseconds of CLOCK_MONOTONIC.
    ///
    /// Opening counts as one, since the process before may have ended before its backup.
    private var lastChange: Int64? = monotonicNow()
    /// Before this no backup begins; nanoseconds of CLOCK_MONOTONIC.
    private var backupRest: Int64 = 0
    let directory: StoreDirectory

    /// Whether a commit failed whose flush did: a whole transaction can then be in the -wal, which a later start would take
    /// for committed.
    private var logIsUnsettled = false
    /// Whether something was committed that ``followUp()`` wasn't called for yet.
    private var isFollowUpDue = false
    private let lock: StoreLock
    private let commitFile: CommitFile?
    private var place: DatabasePlace
    private var reserve: SpaceReserve
    /// The size of the -wal when it was last looked at how much the database grows by it.
    private var lastLook: Int64 = 0

    /// The -wal is brought into the database when nothing waits and it has grown to this: seldom enough to cost a commit
    /// next to nothing, since that takes two flushes; and a start after a crash reads it within milliseconds.
    private static let idleCheckpointSize: Int64 = 2 << 20
    /// The -wal is brought into the database at this size even when requests wait.
    private static let forcedCheckpointSize: Int64 = 16 << 20
    /// By how much the database may wait to grow when nothing else waits.
    private static let unhurriedGrowth = SpaceReserve.size / 4
    /// No changes are looked at whether there is room for them where the disk has as much as this: twice what a user may store.
    private static let ampleRoom = Int64(2 * PreferenceLimits.userBytes)
    /// How many times the size of the -wal stays free of the disk: enough for the database to grow by it, and for a backup.
    private static let roomPerLog: Int64 = 3

    /// Takes the lock and opens the store, making or restoring it where it is missing or damaged (P9).
    ///
    /// Errors: `inUse`; `readOnly` and `full` where nothing can be written; `newerSchema`; `failed`; `damaged` where the
    /// damaged files can't be moved aside.
    init(_ directory: StoreDirectory, _ holder: StoreHolder) throws(StoreError) {
        guard directory.isOwn else {
            throw StoreError(
                .readOnly, "\(directory.path) belongs to another user, so the store in it is only read.", systemError: EPERM)
        }
        self.directory = directory
        lock = try StoreLock(directory, holder)
        // Without the side file a lost tail isn't noticed; nothing else depends on it.
        commitFile = try? CommitFile(directory)
        directory.removeUnfinished()
        (database, reason) = try directory.openDatabase(commits: commitFile?.number ?? 0)
        place = DatabasePlace(database.path)
        reserve = SpaceReserve(directory)
        try noticeLostTail()
        reserve.take()
    }

    /// Whether what is written here is what the next process will find.
    var isInPlace: Bool { place.isHeld }

    /// Leaves everything at the path of the store as it is when this object goes: it is no longer this one's.
    func abandon() { database.abandon() }

    /// Takes the place of a store whose files went from under it at `last`: what it had is lost, or older in this one (P9).
    func follow(_ last: Head, _ reason: StoreError, now: Int64) throws(StoreError) {
        let isNew = database.domains.isEmpty && database.head.revision == Head.firstRevision
        let loss: Loss = isNew || database.head.loss == .lost ? .lost : .restored
        try write(now: now) { (database) throws(StoreError) in
            try database.record(
                loss, revisionsBy: Loss.revisionStep, atLeast: last.revision &+ Loss.revisionStep, commits: last.commits)
        }
        self.reason = reason
    }

    /// How the store stands.
    var state: StoreState { database.head.loss.state }

    /// Reads one domain, and once more where that meets damage: SQLite takes a read that failed for damage too.
    func load(_ domain: DomainName) throws(StoreError) -> DomainContents {
        do throws(StoreError) {
            return try database.load(domain)
        } catch {
            guard error.code == .damaged else { throw error }
            database.connection.forgetCache()
            return try database.load(domain)
        }
    }

    /// Writes the changes, all or none; where the disk is full, once more after the -wal has been emptied, and what only frees also in the reserve.
    func commit(_ changes: [RecordChange], now: Int64) throws(StoreError) {
        try requireRoom(for: changes)
        do throws(StoreError) {
            try write(now: now) { (database) throws(StoreError) in try database.commit(changes) }
        } catch {
            guard error.code == .full, database.onlyFrees(changes), reserve.giveUp() else { throw error }
            // What the database grew by comes first: then the -wal can be overwritten, which takes no room.
            settleLog()
            // The -wal gives back what it took, or the next one would find no reserve.
            defer {
                settleLog()
                reserve.take(isScarce: true)
            }
            try write(now: now) { (database) throws(StoreError) in
                try database.keepingFreedPages { () throws(StoreError) in try database.commit(changes) }
            }
        }
    }

    /// Throws where the disk has no room for what the changes may add to the database.
    ///
    /// The -wal could take them in place, but not be brought into the database: its room would be used up, also for what only frees.
    private func requireRoom(for changes: [RecordChange]) throws(StoreError) {
        guard let free = directory.freeSpace, free < Self.ampleRoom, free < UserDatabase.growth(by: changes),
            !database.onlyFrees(changes)
        else { return }
        throw StoreError(
            .full, "The store \(database.path) can't be written: \(free) bytes are left of the disk, which may not be enough.",
            systemError: ENOSPC)
    }

    /// Records that the user knows of the loss.
    func acknowledgeLoss(now: Int64) throws(StoreError) {
        try write(now: now) { (database) throws(StoreError) in try database.acknowledgeLoss() }
        reason = nil
    }

    /// Brings the -wal into the database where that is worth its flushes; called when no request waits.
    func tidy() {
        // A failure leaves the -wal as it is: the next commit is as durable, and this is tried again after it.
        if logIsUnsettled {
            settleLog()
        } else if database.walSize >= Self.idleCheckpointSize || hasGrown() {
            try? database.checkpoint(.passive)
        }
        reserve.take()
    }

    /// Whether the database will grow, when the -wal is brought into it, by so much that the reserve might not be enough for that and for a change that
    /// frees; asked now and then, as the -wal grows.
    private func hasGrown() -> Bool {
        if database.walSize < lastLook { lastLook = 0 }
        guard database.walSize - lastLook >= Self.unhurriedGrowth else { return false }
        lastLook = database.walSize
        guard let size = try? database.size, case .file(let onDisk, _)? = try? directory.entry(FileName.database) else {
            return false
        }
        return size - onDisk >= Self.unhurriedGrowth
    }

    /// Whether the -wal takes so much of what is left of the disk that it could soon not be brought into the database, which
    /// grows by that: then nothing could be written until someone else made room.
    private var crowdsDisk: Bool {
        guard let free = directory.freeSpace else { return false }
        return database.walSize > free / Self.roomPerLog
    }

    /// Empties the -wal, which keeps its room, after a commit that failed.
    private func settleLog() {
        do throws(StoreError) {
            try database.checkpoint(.complete)
            try LogFile(directory).clear()
            logIsUnsettled = false
        } catch {
            // The next commit overwrites what is there; until then it is tried again whenever nothing waits.
        }
    }

    /// When the next backup is to begin; nil where nothing has changed since the last one.
    func backupTime(_ pace: BackupPace) -> Int64? {
        lastChange.map { max($0 + pace.delay, backupRest) }
    }

    /// Forgets the change that waited for a backup: the next change begins the next one, when this one has paid off.
    func backupBegins(_ pace: BackupPace, now: Int64) {
        lastChange = nil
        guard case .file(let size, _)? = try? directory.entry(FileName.database) else { return }
        backupRest = now + pace.rest(after: size)
    }

    /// Brings everything into the database file; the lock goes with this object.
    func close() throws(StoreError) {
        try database.checkpoint(.truncating)
    }

    /// Throws where the files can't be read at all: what is in them is then unknown, not damaged (P8).
    func requireReadable() throws(StoreError) { try directory.requireReadable() }

    /// Moves the damaged database aside and puts the best there is in its place.
    ///
    /// `damaged` where it can't be moved aside: then nothing was overwritten.
    func replaceDamaged(_ damage: StoreError) throws(StoreError) {
        database.abandon()
        let replaced = try directory.replaceDatabase(damage, commits: max(commitFile?.number ?? 0, database.head.commits))
        database = replaced
        place = DatabasePlace(database.path)
        reserve = SpaceReserve(directory)
        logIsUnsettled = false
        reason = damage
        commitFile?.write(database.head.commits)
    }

    private func write(now: Int64, _ body: (UserDatabase) throws(StoreError) -> Void) throws(StoreError) {
        let before = database.head.commits
        do throws(StoreError) {
            try body(database)
        } catch {
            if error.code == .damaged {
                database.connection.forgetCache()
                try body(database)
                return didWrite(since: before, now: now)
            }
            logIsUnsettled = true
            settleLog()
            if logIsUnsettled { throw error }
            guard error.code == .full else { throw error }
            try body(database)
        }
        didWrite(since: before, now: now)
    }

    private func didWrite(since before: UInt64, now: Int64) {
        guard database.head.commits != before else { return }
        logIsUnsettled = false
        commitFile?.write(database.head.commits)
        lastChange = now
        isFollowUpDue = true
    }

    /// Does what follows a commit and need not be waited for: called once whoever asked for it was answered.
    func followUp() {
        guard isFollowUpDue else { return }
        isFollowUpDue = false
        if database.walSize >= Self.forcedCheckpointSize || crowdsDisk { try? database.checkpoint(.passive) }
    }

    private func noticeLostTail() throws(StoreError) {
        guard let commitFile else { return }
        let known = commitFile.number
        if known > database.head.commits {
            reason = StoreError(
                .damaged,
                "The store \(database.path) has lost its last commits: it ends at \(database.head.commits) of \(known).")
            let loss: Loss = database.head.loss == .lost ? .lost : .restored
            try database.record(loss, revisionsBy: Loss.revisionStep, commits: known)
        }
        if known != database.head.commits { commitFile.write(database.head.commits) }
    }
}
