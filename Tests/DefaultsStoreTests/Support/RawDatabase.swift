import CSQLite
import Testing

/// Changes a database behind the store's back.
func execute(_ sql: String, on path: String) throws {
    var database: OpaquePointer?
    try #require(sqlite3_open_v2(path, &database, SQLITE_OPEN_READWRITE, nil) == SQLITE_OK)
    defer { sqlite3_close_v2(database) }
    let result = sqlite3_exec(database, sql, nil, nil, nil)
    try #require(result == SQLITE_OK, "\(sql): \(String(cString: sqlite3_errmsg(database)))")
}

extension Array where Element == UInt8 {
    /// Where the bytes of a text are; nil where they aren't.
    func position(of text: String) -> Int? {
        let pattern = Array(text.utf8)
        return (0...(count - pattern.count)).first { Array(self[$0..<$0 + pattern.count]) == pattern }
    }
}
