import CSQLite
import Glibc

extension StoreError {
    /// Makes the error for a result of SQLite on the database at `path`.
    init(sqlite result: Int32, systemError: Int32, _ purpose: Purpose, _ path: String) {
        // Statements of ours are right: where SQLite can't run the first ones on a file, the header names no format that exists.
        let isUnknownFormat = purpose == .open && result & 0xFF == SQLITE_ERROR
        let code: Code =
            switch result & 0xFF {
            case SQLITE_ERROR where isUnknownFormat: .damaged
            case SQLITE_FULL: .full
            case SQLITE_READONLY: .readOnly
            case SQLITE_CORRUPT, SQLITE_NOTADB: .damaged
            case SQLITE_BUSY: .inUse(pid: 0, bus: "")
            case SQLITE_IOERR, SQLITE_CANTOPEN: Code(systemError: systemError)
            default: .failed
            }
        let cause = isUnknownFormat ? "its file format is unknown" : String(cString: sqlite3_errstr(result))
        let sentence = "The store \(path) can't be \(purpose.rawValue): \(cause)"
        // Only these results stem from a system call; elsewhere errno is left from another one.
        let isFromSystem = [SQLITE_FULL, SQLITE_IOERR, SQLITE_CANTOPEN].contains(result & 0xFF) && systemError != 0
        self.init(
            code, isFromSystem ? "\(sentence) (\(Self.text(systemError)))." : sentence + ".",
            systemError: isFromSystem ? systemError : 0, sqliteCode: result)
    }

    /// Makes the error for a system call on `path` that failed with `systemError`; `failure` completes "PATH can't be …".
    ///
    /// The code follows from the errno where none is given.
    init(_ failure: String, _ path: String, systemError: Int32, code: Code? = nil) {
        self.init(
            code ?? Code(systemError: systemError), "\(path) can't be \(failure): \(Self.text(systemError)).",
            systemError: systemError)
    }

    private static func text(_ systemError: Int32) -> String {
        String(cString: strerror(systemError))
    }
}

extension StoreError.Code {
    /// Sorts an errno by what the caller can do about it.
    init(systemError: Int32) {
        self =
            switch systemError {
            case ENOSPC, EDQUOT, EFBIG: .full
            case EROFS, EACCES, EPERM: .readOnly
            case ENOTDIR: .notADirectory
            default: .failed
            }
    }
}
