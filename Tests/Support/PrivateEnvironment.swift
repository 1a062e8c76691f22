import Glibc

/// An environment in which a program finds nothing of the user who runs the tests.
///
/// A daemon that the bus starts gets the bus's environment: give this to the bus before it starts.
public struct PrivateEnvironment: Sendable {
    /// The home folder, with nothing in it.
    public let home: String
    /// Name and value of each variable.
    public var variables: [String: String]

    /// Makes home, runtime and the other folders in `folder`, which must have none of them yet.
    public init(in folder: TemporaryFolder) throws {
        home = try folder.makeFolder("home")
        variables = [
            "HOME": home,
            "XDG_RUNTIME_DIR": try folder.makeFolder("run"),
            "XDG_CONFIG_HOME": home + "/.config",
            "XDG_DATA_HOME": home + "/.local/share",
            "XDG_STATE_HOME": home + "/.local/state",
            "XDG_CACHE_HOME": home + "/.cache",
            "LANG": "C.UTF-8",
            "TZ": "UTC",
            "SWIFT_BACKTRACE": "enable=no",
        ]
        variables["PATH"] = getenv("PATH").map { String(cString: $0) }
    }
}
