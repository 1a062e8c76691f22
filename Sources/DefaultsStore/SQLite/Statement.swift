import CSQLite

/// One prepared statement; the store thread's alone.
///
/// It belongs to its connection, which finalizes it.
final class Statement {
    private let handle: OpaquePointer
    private unowned let connection: Connection

    /// Takes over the statement `handle`.
    init(_ handle: OpaquePointer, of connection: Connection) {
        self.handle = handle
        self.connection = connection
    }

    deinit { sqlite3_finalize(handle) }

    /// Binds an integer; parameters count from 1.
    @discardableResult
    func bind(_ index: Int32, _ value: Int64) -> Self {
        check(sqlite3_bind_int64(handle, index, value))
    }

    /// Binds the bits of an unsigned integer.
    @discardableResult
    func bind(_ index: Int32, _ value: UInt64) -> Self {
        bind(index, Int64(bitPattern: value))
    }

    /// Binds a copy of a text.
    @discardableResult
    func bind(_ index: Int32, _ text: String) -> Self {
        var text = text
        return check(text.withUTF8 { csqlite_bind_text(handle, index, $0.baseAddress, Int32($0.count)) })
    }

    /// Binds a copy of a BLOB.
    @discardableResult
    func bind(_ index: Int32, _ bytes: [UInt8]) -> Self {
        check(bytes.withUnsafeBytes { csqlite_bind_blob(handle, index, $0.baseAddress, Int32($0.count)) })
    }

    /// Runs a statement that answers no rows.
    func run(_ purpose: Purpose) throws(StoreError) {
        defer { reset() }
        while try step(purpose) {}
    }

    /// Runs a query of at most one row of one integer; nil where there is no row.
    func integer(_ purpose: Purpose) throws(StoreError) -> Int64? {
        defer { reset() }
        return try step(purpose) ? try column(0) : nil
    }

    /// Runs a query of at most one row of one text; nil where there is no row.
    func text(_ purpose: Purpose) throws(StoreError) -> String? {
        defer { reset() }
        return try step(purpose) ? try repairedText(0) : nil
    }

    /// Runs a query and hands each row to `body`.
    func forEachRow(_ purpose: Purpose, _ body: (Statement) throws(StoreError) -> Void) throws(StoreError) {
        defer { reset() }
        while try step(purpose) { try body(self) }
    }

    /// The integer in a column of the row at hand; anything else there is damage.
    func column(_ index: Int32) throws(StoreError) -> Int64 {
        guard sqlite3_column_type(handle, index) == SQLITE_INTEGER else { throw damage("a column is no integer") }
        return sqlite3_column_int64(handle, index)
    }

    /// The text in a column of the row at hand, what is no UTF-8 in it replaced by U+FFFD.
    func repairedText(_ index: Int32) throws(StoreError) -> String { String(decoding: try bytes(index), as: UTF8.self) }

    /// The text that the bytes of a column are; what is no UTF-8 is damage.
    func text(_ bytes: UnsafeRawBufferPointer) throws(StoreError) -> String {
        guard let text = String(validating: bytes, as: UTF8.self) else { throw damage("a text is no UTF-8") }
        return text
    }

    /// The bytes of the text or BLOB in a column of the row at hand, in SQLite's own memory, which holds until the next step; anything else there is
    /// damage.
    func bytes(_ index: Int32) throws(StoreError) -> UnsafeRawBufferPointer {
        let type = sqlite3_column_type(handle, index)
        guard type == SQLITE_TEXT || type == SQLITE_BLOB else { throw damage("a column is no text or BLOB") }
        let pointer = sqlite3_column_blob(handle, index)
        let count = Int(sqlite3_column_bytes(handle, index))
        // Null stands for no bytes, and for no memory to hold them.
        guard pointer != nil || count == 0 else { throw connection.error(.read, SQLITE_NOMEM) }
        return UnsafeRawBufferPointer(start: pointer, count: count)
    }

    /// The error for a row that is not what was written.
    func damage(_ what: String) -> StoreError { connection.damage(what) }

    private func step(_ purpose: Purpose) throws(StoreError) -> Bool {
        let result = connection.call { sqlite3_step(handle) }
        switch result {
        case SQLITE_ROW: return true
        case SQLITE_DONE: return false
        default: throw connection.error(purpose, result)
        }
    }

    private func reset() {
        // The result repeats that of the step, which has been thrown.
        sqlite3_reset(handle)
    }

    private func check(_ result: Int32) -> Self {
        // Sizes are limited long before they reach the store; what remains is a wrong index.
        precondition(result == SQLITE_OK, "a parameter can't be bound: \(String(cString: sqlite3_errstr(result)))")
        return self
    }
}
