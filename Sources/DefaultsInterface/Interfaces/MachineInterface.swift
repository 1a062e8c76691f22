import DBusTypes

/// The interface `org.defaultsd1.Machine`.
public enum MachineInterface {
    /// The interface's name.
    public static let name: InterfaceName = "org.defaultsd1.Machine"
    /// The polkit action that lets a user other than root call it.
    public static let action = "org.defaultsd1.machine"

    /// Suggests a value to every user.
    public static let setDefault: MemberName = "SetDefault"
    /// Takes such a value away.
    public static let resetDefault: MemberName = "ResetDefault"
    /// Imposes a value on every user.
    public static let setMandatory: MemberName = "SetMandatory"
    /// Takes such a value away.
    public static let resetMandatory: MemberName = "ResetMandatory"
    /// Reads the configuration files again.
    public static let reload: MemberName = "Reload"

    /// The interface's description.
    public static let description = InterfaceDescription(
        name,
        "What the administrator suggests or imposes on every user of the machine: for root, and for whom polkit allows \(action). Kept in "
            + "50-admin.json of defaults.d and mandatory.d in the last configuration folder, which every instance of the daemon watches. AccessDenied "
            + "where this instance can't write there. Every change is on disk and in effect for all users of this instance before its reply.",
        methods: [
            MethodDescription(setDefault, in: [domain, key, value], "Sets what shows where the user has no value."),
            MethodDescription(resetDefault, in: [domain, key], "Takes away what SetDefault set. Absent is no error."),
            MethodDescription(
                setMandatory, in: [domain, key, value], "Sets what every user sees, and locks the key: writing to it is Locked."),
            MethodDescription(resetMandatory, in: [domain, key], "Takes away what SetMandatory set. Absent is no error."),
            MethodDescription(reload, "Reads all configuration files again, as SIGHUP does."),
        ])

    private static let domain = ArgumentDescription("domain", "s", "An application id, or global.")
    private static let key = ArgumentDescription("key", "s", "The preference's name.")
    private static let value = ArgumentDescription("value", "v", "The value, of any type but h.")
}
