import DBusTypes

/// Where the daemon is found on a bus.
public enum WellKnown {
    /// The daemon's name, on the session bus (user instance) and on the system bus (machine instance).
    public static let busName: BusName = "org.defaultsd1"
    /// The object with everything but the countdowns.
    public static let rootPath: ObjectPath = "/org/defaultsd1"
    /// Below it is each countdown, by its owner and token.
    public static let countdownsPath: ObjectPath = "/org/defaultsd1/countdown"

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
