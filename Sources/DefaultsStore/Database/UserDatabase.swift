import CSQLite
import DBusTypes
import DefaultsModel

/// The database of one user, checked and open; the store thread's alone.
///
/// The domains' rows are kept in memory, their contents are not.
final class UserDatabase {
    /// The row of the table `user`, as committed.
    private(set) var head: Head
    /// The rows of the table `domains`, as committed.
    private(set) var domains: [DomainName: DomainRow] = [:]
    /// The highest number that was given to a domain.
    private(set) var lastDomain: Int64 = 0
    /// Why nothing may be written although the file is fine: a newer schema; nil otherwise.
    let restriction: StoreError?
    let connection: Connection

    /// The pages in the -wal that a checkpoint has still to bring into the database.
    private var walPages: Int32 = 0

    /// The path of the file.
    var path: String { connection.path }

    /// Opens the database at `path` and checks all but the contents of domains.
    ///
    /// Errors: `damaged`; `newerSchema` where it was asked for to be written (P10); what SQLite reports.
    init(_ path: String, _ mode: Connection.Mode) throws(StoreError) {
        connection = try Connection(path, mode)
        // Until the file is known to be ours, closing it must not change it.
        connection.keepWAL(true)
        try connection.execute(Self.settings, .open)
        restriction = try Self.checkFormat(of: connection, mode)
        head = try Self.readHead(connection)
        guard mode == .readWrite else {
            try readDomains()
            _ = try readCountdowns()
            return
        }
        try connection.execute(Self.writerSettings, .open)
        guard try connection.prepare("PRAGMA journal_mode = WAL").text(.open) == "wal" else {
            throw StoreError(.failed, "The store \(path) can't be used with a write-ahead log.")
        }
        // A file that SQLite can't open for writing, the -wal too, it opens for reading, and says so with the first write.
        try connection.execute("BEGIN IMMEDIATE; ROLLBACK", .write)
        try readDomains()
        _ = try readCountdowns()
        connection.keepWAL(false)
        sqlite3_wal_hook(
            connection.raw,
            { context, _, _, pages in
                guard let context else { return SQLITE_OK }
                Unmanaged<UserDatabase>.fromOpaque(context).takeUnretainedValue().walPages = pages
                return SQLITE_OK
            }, Unmanaged.passUnretained(self).toOpaque())
    }

    /// Exclusive locking comes before anything is read: the WAL index is then in memory, and there is no -shm.
    ///
    /// The cache is small, for stores are many and idle. A large transaction may outgrow it up to 16 MiB, since spilled pages
    /// would be written to the -wal again and again.
    static let settings = """
        PRAGMA locking_mode = EXCLUSIVE; PRAGMA busy_timeout = 250; PRAGMA temp_store = MEMORY; PRAGMA cache_size = -512; PRAGMA cache_spill = 4096;
        PRAGMA mmap_size = 0; PRAGMA trusted_schema = OFF
        """

    /// Checkpoints are the store thread's business; a -wal that grew beyond 4 MiB shrinks when it begins anew.
    private static let writerSettings = """
        PRAGMA synchronous = FULL; PRAGMA wal_autocheckpoint = 0; PRAGMA journal_size_limit = 4194304
        """

    private static func checkFormat(of connection: Connection, _ mode: Connection.Mode) throws(StoreError) -> StoreError? {
        let application = try connection.prepare("PRAGMA application_id").integer(.open)
        guard application == Schema.applicationID else { throw connection.damage("it is no store of preferences") }
        guard let version = try connection.prepare("PRAGMA user_version").integer(.open), version >= 1 else {
            throw connection.damage("it has no version")
        }
        guard version <= Schema.version else {
            let error = StoreError(
                .newerSchema,
                "The store \(connection.path) has version \(version), which is newer than \(Schema.version), "
                    + "the newest that this program writes: it is only read.")
            if mode == .readWrite { throw error }
            return error
        }
        var found: [String: String] = [:]
        try connection.prepare("SELECT name, sql FROM sqlite_schema").forEachRow(.read) { (row) throws(StoreError) in
            found[try row.repairedText(0)] = try row.repairedText(1)
        }
        guard found == Dictionary(uniqueKeysWithValues: Schema.tables.map { ($0.name, $0.sql) }) else {
            throw connection.damage("its tables are not those of version \(version)")
        }
        return nil
    }

    /// The revision, the domains, and the countdowns as they are on disk now.
    func summary() throws(StoreError) -> StoreSummary {
        StoreSummary(
            revision: head.revision,
            domains: domains.mapValues { DomainSummary(revision: $0.revision, keys: Int($0.keys), bytes: Int($0.bytes)) },
            countdowns: try readCountdowns())
    }

    private func readDomains() throws(StoreError) {
        domains = try readDomainRows()
        lastDomain = domains.values.lazy.map(\.id).max() ?? 0
    }

    /// Installs what a transaction has committed.
    func install(_ head: Head, _ changed: [DomainName: DomainRow], lastDomain: Int64) {
        self.head = head
        self.lastDomain = lastDomain
        domains.merge(changed) { _, new in new }
    }

    // MARK: The write-ahead log

    /// How far a checkpoint goes.
    enum Checkpoint {
        /// All pages into the database; the -wal is then overwritten from its start.
        case passive
        /// The same, and an error where a page stays behind: nothing in the -wal is needed then.
        case complete
        /// Also makes the -wal empty.
        case truncating

        fileprivate var mode: Int32 {
            switch self {
            case .passive: SQLITE_CHECKPOINT_PASSIVE
            case .complete: SQLITE_CHECKPOINT_RESTART
            case .truncating: SQLITE_CHECKPOINT_TRUNCATE
            }
        }
    }

    /// The bytes in the -wal that a checkpoint would bring into the database.
    var walSize: Int64 { Int64(walPages) * 4096 }

    /// The size of the database, in bytes, once the -wal is in it.
    var size: Int64 {
        get throws(StoreError) { try (connection.statement(.countPages).integer(.read) ?? 0) * 4096 }
    }

    /// Brings the -wal into the database.
    func checkpoint(_ extent: Checkpoint) throws(StoreError) {
        let result = connection.call { sqlite3_wal_checkpoint_v2(connection.raw, nil, extent.mode, nil, nil) }
        guard result == SQLITE_OK else { throw connection.error(.write, result) }
        walPages = 0
    }

    /// Leaves the files as they are when this object goes: nothing is checkpointed, no file removed.
    func abandon() {
        connection.keepWAL(true)
    }
}
