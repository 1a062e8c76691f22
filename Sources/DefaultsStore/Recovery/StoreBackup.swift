import CSQLite
import DefaultsModel

/// A backup being made: copied, checked and put in place in small steps, between which requests are served.
final class StoreBackup {
    /// The store whose backup this is.
    let id: StoreID
    /// The database that is copied; the copy is void once the store has another one.
    let source: UserDatabase

    private let directory: StoreDirectory
    private var stage: Stage
    private var unflushedSteps = 0

    private enum Stage {
        case copying(Connection, OpaquePointer)
        /// The domains with a number below `next` are good.
        case checking(UserDatabase, [DomainName], next: Int)
        case done
    }

    /// A step is short against a commit: a quarter of a MiB.
    private static let pagesPerStep: Int32 = 64
    /// A flush of a MiB delays a request little; one of the whole file, at the end, would.
    private static let stepsPerFlush = 4

    /// Begins the backup of a store; nil where the backup in place has all commits.
    init?(_ id: StoreID, _ store: WritableStore) throws(StoreError) {
        self.id = id
        source = store.database
        directory = store.directory
        guard !Self.isCurrent(directory, source.head) else { return nil }
        stage = .done
        do throws(StoreError) {
            stage = try Self.begin(directory, source)
        } catch {
            try? directory.removeDatabase(FileName.newBackup)
            throw error
        }
    }

    private static func begin(_ directory: StoreDirectory, _ source: UserDatabase) throws(StoreError) -> Stage {
        try directory.removeDatabase(FileName.newBackup)
        try directory.makeFile(FileName.newBackup)
        let target = try Connection(directory.path(of: FileName.newBackup), .readWrite)
        // The file is scrap until it has its name: no journal, and flushes of our own.
        try target.execute(UserDatabase.settings + "; PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF", .write)
        guard let backup = sqlite3_backup_init(target.raw, "main", source.connection.raw, "main") else {
            throw target.error(.write, sqlite3_errcode(target.raw))
        }
        return .copying(target, backup)
    }

    deinit {
        switch stage {
        case .copying(_, let backup):
            sqlite3_backup_finish(backup)
            try? directory.removeDatabase(FileName.newBackup)
        case .checking: try? directory.removeDatabase(FileName.newBackup)
        case .done: break
        }
    }

    /// Goes one step further; returns whether the backup is in place.
    ///
    /// After an error the backup before is still in place, and dropping this object removes what was begun.
    func step() throws(StoreError) -> Bool {
        switch stage {
        case .copying(let target, let backup): try copy(target, backup)
        case .checking(let copy, let domains, let next):
            if next < domains.count {
                _ = try copy.load(domains[next])
                stage = .checking(copy, domains, next: next + 1)
            } else {
                _ = try copy.readCountdowns()
                try directory.put(FileName.newBackup, inPlaceAs: FileName.backup)
                stage = .done
            }
        case .done: break
        }
        if case .done = stage { return true }
        return false
    }

    private func copy(_ target: Connection, _ backup: OpaquePointer) throws(StoreError) {
        let result = target.call { sqlite3_backup_step(backup, Self.pagesPerStep) }
        switch result {
        case SQLITE_OK:
            unflushedSteps += 1
            guard unflushedSteps == Self.stepsPerFlush else { return }
            unflushedSteps = 0
            try directory.flush(FileName.newBackup)
        case SQLITE_DONE: try endCopy(backup)
        default: throw target.error(.write, result)
        }
    }

    private func endCopy(_ backup: OpaquePointer) throws(StoreError) {
        sqlite3_backup_finish(backup)
        stage = .done
        do throws(StoreError) {
            // A backup must be good, or the one before, which was, has to stay.
            let copy = try UserDatabase(directory.path(of: FileName.newBackup), .immutable)
            stage = .checking(copy, Array(copy.domains.keys), next: 0)
        } catch {
            try? directory.removeDatabase(FileName.newBackup)
            throw error
        }
    }

    private static func isCurrent(_ directory: StoreDirectory, _ head: Head) -> Bool {
        guard case .file? = try? directory.entry(FileName.backup),
            let backup = try? UserDatabase(directory.path(of: FileName.backup), .immutable)
        else { return false }
        return backup.head == head
    }
}
