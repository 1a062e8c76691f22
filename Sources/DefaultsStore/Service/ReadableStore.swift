import Glibc

/// A store that is only read: the folder or the files can't be written, or are of a newer version.
final class ReadableStore {
    let database: UserDatabase
    /// Why it can't be written.
    let reason: StoreError
    private let directory: StoreDirectory
    private var lock: StoreLock?

    /// Opens what there is without changing anything; nil where there is no store, and never was.
    ///
    /// Errors: `inUse`; `damaged`, also where a store was moved aside and its successor can't be made.
    init?(_ directory: StoreDirectory, reason: StoreError) throws(StoreError) {
        lock = try StoreLock(reading: directory)
        self.reason = reason
        self.directory = directory
        switch try directory.entry(FileName.database) {
        case .other: throw directory.notRegular(FileName.database)
        case .file(let size, _):
            guard size > 0 else {
                throw StoreError(.damaged, "The store \(directory.path(of: FileName.database)) is damaged: it is empty.")
            }
            let mode: Connection.Mode = try directory.hasWAL(FileName.database) ? .readOnly : .immutable
            database = try UserDatabase(directory.path(of: FileName.database), mode)
        case .absent:
            if case .file = try directory.entry(FileName.backup) {
                database = try UserDatabase(directory.path(of: FileName.backup), .immutable)
                return
            }
            guard try directory.lastDamagedNumber() == 0 else {
                throw StoreError(.damaged, "The store in \(directory.path) was damaged, and a new one can't be made: \(reason)")
            }
            return nil
        }
    }

    /// Whether it is worth trying to open it for writing: there may be space again, or the disk can be written again.
    var mayBecomeWritable: Bool {
        switch reason.code {
        case .full: return true
        case .readOnly:
            // Opening all anew for every write that is refused would be much work.
            guard directory.isOwn, reason.systemError != EPERM else { return false }
            do throws(StoreError) {
                _ = try directory.open(StoreLock.name, O_RDWR)
                return true
            } catch {
                return error.code != .readOnly
            }
        case .failed, .inUse, .notADirectory, .damaged, .newerSchema, .closed: return false
        }
    }

    /// Lets go of the readers' lock, to try for the writer's.
    func unlock() { lock = nil }
}
