import DBusTypes

/// Where the daemon is found on a bus.
public enum WellKnown {
    /// The daemon's name, on the session bus (user instance) and on the system bus (machine instance).
    public static let busName: BusName = "org.defaultsd1"
    /// The object with everything but the countdowns.
    public static let rootPath: ObjectPath = "/org/defaultsd1"
    /// Below it is each countdown, by its owner and token.
    public static let countdownsPath: ObjectPath = "/org/defaultsd1/countdown"

    /// Below it is, on the system bus, each user's data for root: an object named by the user's number.
    public static let usersPath: ObjectPath = "/org/defaultsd1/user"

    /// The object with a user's data, for root.
    public static func userPath(_ userID: UInt32) -> ObjectPath {
        guard let path = usersPath.appending(String(userID)) else { preconditionFailure("digits make a path element") }
        return path
    }

    /// The user whose object `path` is; nil for any other path, and for a number written otherwise than in ``userPath(_:)``.
    public static func user(in path: ObjectPath) -> UInt32? {
        // Asked at every call, and most are of the root object.
        guard path.text.utf8.count > usersPath.text.utf8.count, path.isBelow(usersPath), path.elements.count == 4,
            let userID = UInt32(path.elements[3]), userID != .max,
            path == userPath(userID)
        else { return nil }
        return userID
    }

    /// The path of the countdown that the connection `owner` starts with `token`, known before it is started.
    ///
    /// The owner's unique name stands there without its `:` and with `_` for each `.`, as portals have it. Nil where `owner` is no unique name or `token`
    /// is not 1 to 64 of `[A-Za-z0-9_]`.
    public static func countdownPath(owner: BusName, token: String) -> ObjectPath? {
        guard owner.isUnique, token.utf8.count <= maximumTokenLength else { return nil }
        let sender = String(owner.text.dropFirst().map { $0 == "." ? "_" : $0 })
        return countdownsPath.appending(sender)?.appending(token)
    }

    /// The longest token of a countdown in bytes.
    public static let maximumTokenLength = 64
}

extension WellKnown {
    /// The version of the programs and libraries of this project.
    public static let version = "0.1.0"
}
