import CSQLite
import Glibc

/// What is being done with a database: it completes "can't be …" in messages.
enum Purpose: String {
    case open = "opened"
    case read = "read"
    case write = "written"
}

/// One SQLite connection; the store thread's alone.
final class Connection {
    /// The path of the database.
    let path: String
    private let handle: OpaquePointer
    private var statements = [Statement?](repeating: nil, count: Query.allCases.count)
    private var systemError: Int32 = 0

    /// How a connection is opened.
    enum Mode {
        /// To read and write a database that exists.
        case readWrite
        /// To read a database that nobody writes; a -wal beside it is read too.
        case readOnly
        /// To read a database that nobody writes and that has no -wal.
        case immutable
    }

    /// Opens the database at `path`, which has no symbolic link in any part.
    init(_ path: String, _ mode: Mode) throws(StoreError) {
        var flags = SQLITE_OPEN_NOFOLLOW | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE
        var name = path
        switch mode {
        case .readWrite: flags |= SQLITE_OPEN_READWRITE
        case .readOnly:
            // Exclusive locking keeps the WAL index in memory; with no locks at all it works on a descriptor for reading.
            flags |= SQLITE_OPEN_READONLY | SQLITE_OPEN_URI
            name = Self.uri(path) + "?vfs=unix-none"
        case .immutable:
            flags |= SQLITE_OPEN_READONLY | SQLITE_OPEN_URI
            name = Self.uri(path) + "?immutable=1"
        }
        var opened: OpaquePointer?
        let result = sqlite3_open_v2(name, &opened, flags, nil)
        guard let opened, result == SQLITE_OK else {
            let systemError = opened.map { sqlite3_system_errno($0) } ?? 0
            sqlite3_close_v2(opened)
            throw StoreError(sqlite: result, systemError: systemError, .open, path)
        }
        handle = opened
        self.path = path
    }

    deinit {
        statements = []
        sqlite3_close_v2(handle)
    }

    /// The SQLite handle, for calls that only one file makes.
    var raw: OpaquePointer { handle }

    /// Runs SQL that answers nothing of interest.
    func execute(_ sql: String, _ purpose: Purpose) throws(StoreError) {
        let result = call { sqlite3_exec(handle, sql, nil, nil, nil) }
        guard result == SQLITE_OK else { throw error(purpose, result) }
    }

    /// A statement of this connection, prepared the first time it is asked for.
    func statement(_ query: Query) throws(StoreError) -> Statement {
        if let statement = statements[query.rawValue] { return statement }
        let statement = try prepare(query.sql)
        statements[query.rawValue] = statement
        return statement
    }

    /// Prepares SQL that is used once.
    func prepare(_ sql: String) throws(StoreError) -> Statement {
        var prepared: OpaquePointer?
        let result = call { sqlite3_prepare_v3(handle, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &prepared, nil) }
        guard let prepared, result == SQLITE_OK else { throw error(.read, result) }
        return Statement(prepared, of: self)
    }

    /// Whether a transaction is open.
    var isInTransaction: Bool { sqlite3_get_autocommit(handle) == 0 }

    /// Whether closing leaves the -wal as it is, without writing anything.
    func keepWAL(_ keep: Bool) {
        csqlite_keep_wal_on_close(handle, keep ? 1 : 0)
    }

    /// Calls SQLite so that the errno of a system call that fails in it is known.
    ///
    /// `sqlite3_system_errno` says nothing of what fails in a commit.
    func call(_ body: () -> Int32) -> Int32 {
        errno = 0
        let result = body()
        systemError = result == SQLITE_OK || result == SQLITE_ROW || result == SQLITE_DONE ? 0 : errno
        return result
    }

    /// The error for the result of the last ``call(_:)``.
    func error(_ purpose: Purpose, _ result: Int32) -> StoreError {
        StoreError(
            sqlite: result, systemError: systemError != 0 ? systemError : sqlite3_system_errno(handle), purpose, path)
    }

    /// Drops the pages that are cached, so that the next read is of the file.
    func forgetCache() {
        sqlite3_db_release_memory(handle)
    }

    /// The error for contents that are not what was written.
    func damage(_ what: String) -> StoreError {
        StoreError(.damaged, "The store \(path) is damaged: \(what).")
    }

    private static func uri(_ path: String) -> String {
        path.utf8.reduce(into: "file:") { uri, byte in
            switch byte {
            case UInt8(ascii: "/"), UInt8(ascii: "."), UInt8(ascii: "-"), UInt8(ascii: "_"),
                UInt8(ascii: "0")...UInt8(ascii: "9"),
                UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"):
                uri.unicodeScalars.append(Unicode.Scalar(byte))
            default:
                uri += (byte < 0x10 ? "%0" : "%") + String(byte, radix: 16)
            }
        }
    }
}
