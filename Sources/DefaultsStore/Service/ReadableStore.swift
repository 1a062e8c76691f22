/// A store that is only read: the folder or the files can't be written, or are of a newer version.
final class ReadableStore {
    let database: UserDatabase
    /// Why it can't be written.
    let reason: StoreError
    private var lock: StoreLock?

    /// Opens what there is without changing anything; nil where there is no store, and never was.
    ///
    /// Errors: `inUse`; `damaged`, also where a store was moved aside and its successor can't be made.
    init?(_ directory: StoreDirectory, reason: StoreError) throws(StoreError) {
        lock = try StoreLock(reading: directory)
        self.reason = reason
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

    /// Lets go of the readers' lock, to try for the writer's.
    func unlock() { lock = nil }
}
