import DBusTypes

/// The interface `org.defaultsd1.Admin`.
public enum AdminInterface {
    /// The interface's name.
    public static let name: InterfaceName = "org.defaultsd1.Admin"

    /// The daemon's version.
    public static let version: MemberName = "Version"
    /// What this daemon has beyond the first version of the interface.
    public static let features: MemberName = "Features"
    /// This run of the daemon.
    public static let instance: MemberName = "Instance"
    /// How the store is.
    public static let storeState: MemberName = "StoreState"
    /// Where the store is.
    public static let storePath: MemberName = "StorePath"
    /// What the configuration files say of the daemon, and what is wrong with them.
    public static let policy: MemberName = "Policy"

    /// The interface's description.
    public static let description = InterfaceDescription(
        name, "What the daemon is and how its store is.",
        properties: [
            PropertyDescription(version, "s", changeSignal: .const, "The daemon's version."),
            PropertyDescription(
                features, "as", changeSignal: .const,
                "The optional entries and members that were added since version 1 of the interface, so that newer clients can leave them out."
            ),
            PropertyDescription(
                instance, "t", changeSignal: .const, "A random number other than 0 that this run of the daemon alone has."),
            PropertyDescription(
                storeState, "s", changeSignal: .none,
                "How the store is: healthy; restored (from the backup, after damage); read-only; or lost (damaged, and there was no backup)."
            ),
            PropertyDescription(storePath, "s", changeSignal: .const, "The path of the caller's database file."),
            PropertyDescription(
                policy, "a{sv}", changeSignal: .none,
                "What the configuration files say of the daemon: onboarding s: allow, deny or baseline; files as: the configuration files in the order in which they apply; errors as: what is wrong "
                    + "with them, each with its file and its line and column, or the path of the entry."),
        ])
}
