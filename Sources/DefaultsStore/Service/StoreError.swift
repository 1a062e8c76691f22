/// Why the store could not do what it was asked.
public struct StoreError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What kind of failure it is: what a caller decides by.
    public enum Code: Hashable, Sendable {
        /// No space is left, or a quota or size limit is reached; works again by itself when there is space.
        case full
        /// The file system, the directory or the store can't be written.
        case readOnly
        /// Reading or writing failed.
        case failed
        /// Another process holds the store; pid 0 and an empty bus where it doesn't say who it is.
        case inUse(pid: Int32, bus: String)
        /// The path of the store is something else than a directory.
        case notADirectory
        /// What is on disk is not what was written, and could not be moved aside; nothing was overwritten.
        case damaged
        /// The store was written by a newer version; it is never rewritten (P10).
        case newerSchema
        /// The store was closed before this request.
        case closed
    }

    /// What kind of failure it is.
    public let code: Code
    /// A sentence that stands alone: what failed, on which path, and why; never a preference's value.
    public let message: String
    /// The errno behind it; 0 where there is none.
    public let systemError: Int32
    /// SQLite's extended result code; 0 where SQLite was not asked.
    public let sqliteCode: Int32

    /// Describes a failure.
    public init(_ code: Code, _ message: String, systemError: Int32 = 0, sqliteCode: Int32 = 0) {
        self.code = code
        self.message = message
        self.systemError = systemError
        self.sqliteCode = sqliteCode
    }

    /// The message.
    public var description: String { message }
}
