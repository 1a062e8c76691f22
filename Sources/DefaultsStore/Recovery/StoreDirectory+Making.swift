import Glibc

extension StoreDirectory {
    /// Makes a store with nothing in it but `head`, and puts it in place in one step; nothing is left after an error.
    func makeDatabase(_ head: Head) throws(StoreError) {
        do throws(StoreError) {
            try makeFile(FileName.newDatabase)
            try Self.writeTables(path(of: FileName.newDatabase), head)
            try put(FileName.newDatabase, inPlaceAs: FileName.database)
        } catch {
            removeUnfinished()
            throw error
        }
    }

    /// Puts a copy of the backup in place, its revisions far above all that were given since it was made.
    ///
    /// `damaged` where the backup itself is; nothing is left after an error. `commits` is the number of the last commit known.
    func restoreBackup(commits: UInt64) throws(StoreError) {
        do throws(StoreError) {
            try makeFile(FileName.newDatabase)
            try copy(FileName.backup, to: FileName.newDatabase)
            try Self.prepareRestored(path(of: FileName.newDatabase), commits: commits)
            try put(FileName.newDatabase, inPlaceAs: FileName.database)
        } catch {
            removeUnfinished()
            throw error
        }
    }

    private static func writeTables(_ path: String, _ head: Head) throws(StoreError) {
        let connection = try Connection(path, .readWrite)
        // The file is scrap until it has its name: no journal, and one flush at the end.
        try connection.execute(UserDatabase.settings + "; PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF", .write)
        let tables = Schema.tables.map(\.sql).joined(separator: "; ")
        try connection.execute(
            """
            BEGIN; PRAGMA application_id = \(Schema.applicationID); PRAGMA user_version = \(Schema.version); \(tables)
            """, .write)
        try UserDatabase.write(head, to: connection)
        try connection.execute("COMMIT; PRAGMA journal_mode = WAL", .write)
    }

    private static func prepareRestored(_ path: String, commits: UInt64) throws(StoreError) {
        let database = try UserDatabase(path, .readWrite)
        for domain in database.domains.keys { _ = try database.load(domain) }
        _ = try database.readCountdowns()
        try database.record(.restored, revisionsBy: Loss.revisionStep, commits: commits)
        try database.checkpoint(.truncating)
    }

    private func copy(_ source: String, to target: String) throws(StoreError) {
        let input = try open(source, O_RDONLY)
        let output = try open(target, O_WRONLY)
        var remaining = Int(try input.status(path(of: source)).st_size)
        while remaining > 0 {
            switch retryingInterrupts({ sendfile(output.number, input.number, nil, remaining) }) {
            case .success(0): throw StoreError(.damaged, "The backup \(path(of: source)) ends early.")
            case .success(let count): remaining -= count
            case .failure(let failure): throw StoreError("copied", path(of: source), systemError: failure.number)
            }
        }
    }
}
