import DBusTypes

/// The names of the errors that the daemon answers; the message of each says what was wrong and what would be right.
public enum ErrorNames {
    /// The preference has no value in any layer.
    public static let noSuchKey: ErrorName = "org.defaultsd1.Error.NoSuchKey"
    /// A domain, key, flag or token breaks the rule for its kind of name.
    public static let invalidName: ErrorName = "org.defaultsd1.Error.InvalidName"
    /// A value that can't be stored, such as one with U+0000 in a string.
    public static let invalidValue: ErrorName = "org.defaultsd1.Error.InvalidValue"
    /// An option is unknown or of the wrong type, or an argument is outside what it may be.
    public static let invalidArgument: ErrorName = "org.defaultsd1.Error.InvalidArgument"
    /// A version is empty, too long or has control characters (V6).
    public static let invalidVersion: ErrorName = "org.defaultsd1.Error.InvalidVersion"
    /// The value has not the type that the call needs.
    public static let typeMismatch: ErrorName = "org.defaultsd1.Error.TypeMismatch"
    /// The result would not fit its type.
    public static let outOfRange: ErrorName = "org.defaultsd1.Error.OutOfRange"
    /// The administrator has locked the preference (P2).
    public static let locked: ErrorName = "org.defaultsd1.Error.Locked"
    /// More than a client, a user or a message may have (P12).
    public static let limitExceeded: ErrorName = "org.defaultsd1.Error.LimitExceeded"
    /// The domain has moved on from the revision that the call expected.
    public static let revisionMismatch: ErrorName = "org.defaultsd1.Error.RevisionMismatch"
    /// There is nothing of that name.
    public static let notFound: ErrorName = "org.defaultsd1.Error.NotFound"
    /// The name is in use.
    public static let alreadyExists: ErrorName = "org.defaultsd1.Error.AlreadyExists"
    /// It has ended already, and the call would have had to change it.
    public static let alreadyFinished: ErrorName = "org.defaultsd1.Error.AlreadyFinished"
    /// The countdown can't be skipped yet (C5).
    public static let notYetSkippable: ErrorName = "org.defaultsd1.Error.NotYetSkippable"
    /// The disk is full; nothing has changed (P11).
    public static let storageFull: ErrorName = "org.defaultsd1.Error.StorageFull"
    /// The disk failed; nothing has changed (P11).
    public static let storageFailed: ErrorName = "org.defaultsd1.Error.StorageFailed"
    /// The store can be read and not written.
    public static let storageReadOnly: ErrorName = "org.defaultsd1.Error.StorageReadOnly"
    /// The store can't be read: nothing is known, which is not the same as absent (P8).
    public static let unavailable: ErrorName = "org.defaultsd1.Error.Unavailable"

    /// The caller may not do this.
    public static let accessDenied: ErrorName = "org.freedesktop.DBus.Error.AccessDenied"
    /// The interface has no such method.
    public static let unknownMethod: ErrorName = "org.freedesktop.DBus.Error.UnknownMethod"
    /// The object has no such interface.
    public static let unknownInterface: ErrorName = "org.freedesktop.DBus.Error.UnknownInterface"
    /// There is no object at the path.
    public static let unknownObject: ErrorName = "org.freedesktop.DBus.Error.UnknownObject"
    /// The interface has no such property.
    public static let unknownProperty: ErrorName = "org.freedesktop.DBus.Error.UnknownProperty"
    /// No property can be set: what changes state is a method.
    public static let propertyReadOnly: ErrorName = "org.freedesktop.DBus.Error.PropertyReadOnly"
    /// The arguments have another signature than the method takes.
    public static let invalidArgs: ErrorName = "org.freedesktop.DBus.Error.InvalidArgs"

    /// All of them, the daemon's own first.
    public static let all: [ErrorName] = [
        noSuchKey, invalidName, invalidValue, invalidArgument, invalidVersion, typeMismatch, outOfRange, locked, limitExceeded,
        revisionMismatch, notFound, alreadyExists, alreadyFinished, notYetSkippable, storageFull, storageFailed, storageReadOnly,
        unavailable, accessDenied, unknownMethod, unknownInterface, unknownObject, unknownProperty, propertyReadOnly, invalidArgs,
    ]
}
