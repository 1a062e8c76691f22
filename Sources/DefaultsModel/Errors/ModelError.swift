/// What went wrong, for the caller who caused it.
///
/// The message is one sentence that stands alone: which argument, which value, and what would be right.
public struct ModelError: Error, Hashable, Sendable {
    /// The kind of error; the raw value is the last element of its D-Bus name.
    public enum Code: String, Hashable, Sendable, CaseIterable {
        /// No layer has a value for the key.
        case noSuchKey = "NoSuchKey"
        /// A domain, key, id or token breaks the rule for its kind.
        case invalidName = "InvalidName"
        /// A value can't be stored: NUL in a string, a duplicate dictionary key, a file descriptor.
        case invalidValue = "InvalidValue"
        /// An entry of options, a definition or a spec is unknown, of the wrong type or out of its range.
        case invalidArgument = "InvalidArgument"
        /// A version's text breaks V6.
        case invalidVersion = "InvalidVersion"
        /// A value is of another type than its schema or the operation needs.
        case typeMismatch = "TypeMismatch"
        /// A number lies outside its type or its schema.
        case outOfRange = "OutOfRange"
        /// The key is mandatory (P2).
        case locked = "Locked"
        /// A quota is used up; nothing was changed.
        case limitExceeded = "LimitExceeded"
        /// The domain's revision is another than the caller expected.
        case revisionMismatch = "RevisionMismatch"
        /// There is no such guide, tour, tip, run, step, page, cookie or recorded launch.
        case notFound = "NotFound"
        /// The token is live already (C7).
        case alreadyExists = "AlreadyExists"
        /// The countdown has ended.
        case alreadyFinished = "AlreadyFinished"
        /// The countdown can't be skipped yet (C5).
        case notYetSkippable = "NotYetSkippable"
        /// The disk is full; the old value stands (P11).
        case storageFull = "StorageFull"
        /// The disk failed; the old value stands (P11).
        case storageFailed = "StorageFailed"
        /// The store can't be written (P10, P11).
        case storageReadOnly = "StorageReadOnly"
        /// The answer can't be known: the store can't be read or lost its data (P8, P9).
        case unavailable = "Unavailable"
        /// The caller may not do this.
        case accessDenied = "AccessDenied"
        /// The object never was, or has been gone for a while.
        case unknownObject = "UnknownObject"

        /// Whether the disk refused, and all would have been well otherwise.
        public var isOfStorage: Bool {
            switch self {
            case .storageFull, .storageFailed, .storageReadOnly: true
            case .noSuchKey, .invalidName, .invalidValue, .invalidArgument, .invalidVersion, .typeMismatch, .outOfRange, .locked,
                .limitExceeded, .revisionMismatch, .notFound, .alreadyExists, .alreadyFinished, .notYetSkippable, .unavailable,
                .accessDenied, .unknownObject:
                false
            }
        }
    }

    /// The kind of error.
    public let code: Code
    /// One sentence for the person who reads it.
    public let message: String
    /// Which entry of a dictionary is wrong, for who knows better what the dictionary is called; nil where it is something else.
    public let entry: WrongEntry?

    /// Names an error.
    public init(_ code: Code, _ message: String, entry: WrongEntry? = nil) {
        self.code = code
        self.message = message
        self.entry = entry
    }
}

/// An entry of a definition, a spec or options that is wrong.
public struct WrongEntry: Hashable, Sendable {
    /// The names and places that lead to it, outermost first.
    public let path: [EntryStep]
    /// What is wrong with it and what would be right: what follows its name in a sentence, without a full stop.
    public let reason: String

    /// Names an entry.
    public init(path: [EntryStep], reason: String) {
        self.path = path
        self.reason = reason
    }
}

/// One step on the way to an entry.
public enum EntryStep: Hashable, Sendable {
    /// To the entry of a dictionary.
    case member(String)
    /// To an element of an array, from 0.
    case element(Int)
}

extension ModelError: CustomStringConvertible {
    /// The kind of error and its message.
    public var description: String { "\(code.rawValue): \(message)" }
}
