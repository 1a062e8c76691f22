import DefaultsModel
import Glibc

extension StoreDirectory {
    /// Opens the store's database, made where there was none, replaced by the best there is where it is damaged (P9).
    ///
    /// The second is the damage that was met. `commits` is the number of the last commit known. Errors: `readOnly`; `full`;
    /// `newerSchema`; `failed`; `damaged` where the damaged files can't be moved aside.
    func openDatabase(commits: UInt64) throws(StoreError) -> (UserDatabase, StoreError?) {
        let path = path(of: FileName.database)
        let hasWAL = try hasWAL(FileName.database)
        switch try entry(FileName.database) {
        case .other: throw notRegular(FileName.database)
        case .file(_, let owner) where owner != geteuid():
            throw StoreError(.readOnly, "\(path) belongs to another user, so it is only read.", systemError: EPERM)
        case .file(let size, _):
            let damage: StoreError
            do throws(StoreError) {
                guard size > 0 else { throw StoreError(.damaged, "The store \(path) is damaged: it is empty.") }
                return (try Self.twice { () throws(StoreError) in try UserDatabase(path, .readWrite) }, nil)
            } catch {
                // SQLite made an empty one to look at the database; a store that is only read stays as it was.
                if error.code == .newerSchema, !hasWAL { try? remove(FileName.database + FileName.wal) }
                guard error.code == .damaged else { throw error }
                try requireReadable()
                damage = error
            }
            return (try replaceDatabase(damage, commits: commits), damage)
        case .absent:
            let damage = StoreError(.damaged, "The store \(path) is missing, but traces of it are there.")
            if hasWAL { return (try replaceDatabase(damage, commits: commits), damage) }
            let number = try lastDamagedNumber()
            if case .absent = try entry(FileName.backup), number == 0 {
                try makeDatabase(Head(commits: commits))
                return (try UserDatabase(path, .readWrite), nil)
            }
            return (try putInPlace(number, commits: commits), damage)
        }
    }

    /// Moves the damaged database aside and opens the best there is in its place.
    ///
    /// `damaged` where it can't be moved aside: then nothing was overwritten.
    func replaceDatabase(_ damage: StoreError, commits: UInt64) throws(StoreError) -> UserDatabase {
        let number: UInt64
        do throws(StoreError) {
            // A database that is gone was moved aside before, when nothing could be put in its place.
            if case .absent = try entry(FileName.database), try !hasWAL(FileName.database) {
                number = try lastDamagedNumber()
            } else {
                number = try quarantine()
            }
        } catch {
            throw StoreError(.damaged, "\(damage) It can't be moved aside: \(error)", systemError: error.systemError)
        }
        return try putInPlace(number, commits: commits)
    }

    /// Throws where the files of the database can't be read at all: what is in them is then unknown, not damaged (P8).
    func requireReadable() throws(StoreError) {
        for name in [FileName.database, FileName.database + FileName.wal] { try requireReadable(name) }
    }

    /// Puts the backup in the place of a store that is gone, or a new store where there is no good backup.
    private func putInPlace(_ number: UInt64, commits: UInt64) throws(StoreError) -> UserDatabase {
        do throws(StoreError) {
            guard case .file = try entry(FileName.backup) else { throw StoreError(.damaged, "There is no backup.") }
            try Self.twice { () throws(StoreError) in try restoreBackup(commits: commits) }
        } catch {
            guard error.code == .damaged else { throw error }
            try requireReadable(FileName.backup)
            // A backup that is no good is evidence, and not to be overwritten by the next.
            var number = number
            if case .file = try entry(FileName.backup) {
                if number == 0 { number = try quarantine() }
                try rename(FileName.backup, to: "\(FileName.damagedPrefix)\(number)/\(FileName.backup)")
            }
            var head = Head(commits: commits, loss: .lost)
            head.revision = number * Loss.revisionStep
            try makeDatabase(head)
        }
        return try UserDatabase(path(of: FileName.database), .readWrite)
    }

    /// Does something once more where it meets damage: SQLite takes a read that failed for damage too.
    private static func twice<Answer>(_ body: () throws(StoreError) -> Answer) throws(StoreError) -> Answer {
        do throws(StoreError) {
            return try body()
        } catch {
            guard error.code == .damaged else { throw error }
            return try body()
        }
    }
}
