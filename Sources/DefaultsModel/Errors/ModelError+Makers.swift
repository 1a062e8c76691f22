/// One maker a kind of error, so that a throw reads as what it says: `throw .notFound("…")`.
extension ModelError {
    /// No layer has a value for the key.
    public static func noSuchKey(_ message: String) -> ModelError { ModelError(.noSuchKey, message) }

    /// A domain, key, id or token breaks the rule for its kind.
    public static func invalidName(_ message: String) -> ModelError { ModelError(.invalidName, message) }

    /// A value can't be stored: NUL in a string, a duplicate dictionary key, a file descriptor.
    public static func invalidValue(_ message: String) -> ModelError { ModelError(.invalidValue, message) }

    /// An entry of options, a definition or a spec is unknown, of the wrong type or out of its range.
    public static func invalidArgument(_ message: String) -> ModelError { ModelError(.invalidArgument, message) }

    /// A version's text breaks V6.
    public static func invalidVersion(_ message: String) -> ModelError { ModelError(.invalidVersion, message) }

    /// A value is of another type than its schema or the operation needs.
    public static func typeMismatch(_ message: String) -> ModelError { ModelError(.typeMismatch, message) }

    /// A number lies outside its type or its schema.
    public static func outOfRange(_ message: String) -> ModelError { ModelError(.outOfRange, message) }

    /// The key is mandatory (P2).
    public static func locked(_ message: String) -> ModelError { ModelError(.locked, message) }

    /// A quota is used up; nothing was changed.
    public static func limitExceeded(_ message: String) -> ModelError { ModelError(.limitExceeded, message) }

    /// The domain's revision is another than the caller expected.
    public static func revisionMismatch(_ message: String) -> ModelError { ModelError(.revisionMismatch, message) }

    /// There is no such guide, tour, tip, run, step, page, cookie or recorded launch.
    public static func notFound(_ message: String) -> ModelError { ModelError(.notFound, message) }

    /// The token is live already (C7).
    public static func alreadyExists(_ message: String) -> ModelError { ModelError(.alreadyExists, message) }

    /// The countdown has ended.
    public static func alreadyFinished(_ message: String) -> ModelError { ModelError(.alreadyFinished, message) }

    /// The countdown can't be skipped yet (C5).
    public static func notYetSkippable(_ message: String) -> ModelError { ModelError(.notYetSkippable, message) }

    /// The disk is full; the old value stands (P11).
    public static func storageFull(_ message: String) -> ModelError { ModelError(.storageFull, message) }

    /// The disk failed; the old value stands (P11).
    public static func storageFailed(_ message: String) -> ModelError { ModelError(.storageFailed, message) }

    /// The store can't be written (P10, P11).
    public static func storageReadOnly(_ message: String) -> ModelError { ModelError(.storageReadOnly, message) }

    /// The answer can't be known: the store can't be read or lost its data (P8, P9).
    public static func unavailable(_ message: String) -> ModelError { ModelError(.unavailable, message) }

    /// The caller may not do this.
    public static func accessDenied(_ message: String) -> ModelError { ModelError(.accessDenied, message) }

    /// The object never was, or has been gone for a while.
    public static func unknownObject(_ message: String) -> ModelError { ModelError(.unknownObject, message) }
}
