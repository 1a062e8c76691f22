import DBusTypes
import DefaultsInterface
import LibDBus

/// Why a preference couldn't be read or written, a launch not recorded, a countdown not acted on.
///
///     do {
///         try await defaults.set(.dark, for: .theme).onDisk()
///     } catch let error as DefaultsError where error.code == .locked {
///         // The administrator has decided.
///     }
public struct DefaultsError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What kind of failure it is: the last element of the daemon's error name, or one of the client's own below.
    public struct Code: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
        /// The word.
        public let rawValue: String

        /// Names a kind.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// The word.
        public var description: String { rawValue }

        /// There is no bus, no daemon on it, or no answer in time: nothing is known, which is not the same as absent.
        public static let unreachable = Code(rawValue: "Unreachable")
        /// The stored value is of another type than the key's.
        public static let wrongType = Code(rawValue: "WrongType")
        /// The stored value is of the key's type and means nothing to it.
        public static let undecodable = Code(rawValue: "Undecodable")
        /// The value given has no D-Bus type.
        public static let unencodable = Code(rawValue: "Unencodable")
        /// The administrator has locked the preference (P2).
        public static let locked = Code(rawValue: "Locked")
        /// The preference has no value in any layer.
        public static let noSuchKey = Code(rawValue: "NoSuchKey")
        /// A domain, key, flag or token breaks the rule for its kind of name.
        public static let invalidName = Code(rawValue: "InvalidName")
        /// The value can't be stored.
        public static let invalidValue = Code(rawValue: "InvalidValue")
        /// An argument is outside what it may be.
        public static let invalidArgument = Code(rawValue: "InvalidArgument")
        /// The version is empty, too long or has control characters (V6).
        public static let invalidVersion = Code(rawValue: "InvalidVersion")
        /// The value has not the type that the schema or the call needs.
        public static let typeMismatch = Code(rawValue: "TypeMismatch")
        /// The number lies outside its type or what the schema allows.
        public static let outOfRange = Code(rawValue: "OutOfRange")
        /// More than a client, a user or a message may have (P12).
        public static let limitExceeded = Code(rawValue: "LimitExceeded")
        /// The domain has moved on from the revision that was expected.
        public static let revisionMismatch = Code(rawValue: "RevisionMismatch")
        /// There is nothing of that name.
        public static let notFound = Code(rawValue: "NotFound")
        /// It has ended already.
        public static let alreadyFinished = Code(rawValue: "AlreadyFinished")
        /// The countdown can't be skipped yet (C5).
        public static let notYetSkippable = Code(rawValue: "NotYetSkippable")
        /// The disk is full; nothing has changed (P11).
        public static let storageFull = Code(rawValue: "StorageFull")
        /// The store can't be read: nothing is known (P8).
        public static let unavailable = Code(rawValue: "Unavailable")
    }

    /// What kind of failure it is.
    public let code: Code
    /// One sentence that stands alone.
    public let message: String

    /// Describes a failure.
    public init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }

    /// The code and the message.
    public var description: String { "\(code): \(message)" }

    /// What the bus or the daemon answered.
    init(_ error: DBusError) {
        self.init(
            error.isUnreachable
                ? .unreachable : Code(rawValue: error.name.text.split(separator: ".").last.map(String.init) ?? ""),
            error.message)
    }

    /// What a value's coding found.
    init(_ error: ValueCodingError, key: String) {
        let code: Code =
            switch error.kind {
            case .unencodable: .unencodable
            case .wrongType: .wrongType
            case .undecodable: .undecodable
            }
        self.init(code, "Preference \"\(key)\": \(error)")
    }

    static let unreachable = DefaultsError(.unreachable, "The preferences daemon can't be reached.")
}

extension DBusError {
    /// Whether it says that no daemon was there to answer, rather than what one answered.
    var isUnreachable: Bool {
        isDisconnected || isTimeout || name == .serviceUnknown || name == .nameHasNoOwner || name == .noServer
            || name == .fileNotFound || name.text.hasPrefix("org.freedesktop.DBus.Error.Spawn.")
    }
}
