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

    /// Writes what the user has into a file.
    public static let export: MemberName = "Export"
    /// Takes over what such a file says.
    public static let importFile: MemberName = "Import"
    /// Forgets an application.
    public static let forget: MemberName = "Forget"
    /// Says that the user knows of the loss of data.
    public static let acknowledgeLoss: MemberName = "AcknowledgeLoss"

    /// Why something is shown or not.
    public static let explain: MemberName = "Explain"
    /// How often guides, tours and tips were shown, and how they ended.
    public static let statistics: MemberName = "Statistics"
    /// Keeps new guides, tours and tips from being shown.
    public static let inhibit: MemberName = "Inhibit"
    /// Ends that.
    public static let uninhibit: MemberName = "Uninhibit"

    /// The interface's description.
    public static let description = InterfaceDescription(
        name, "What the daemon is, how its store is, and what concerns all that a user has in it.",
        methods: methods + onboardingMethods + inhibitorMethods,
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

    private static let methods = [
        MethodDescription(
            export,
            in: [
                ArgumentDescription(
                    "options", "a{sv}",
                    "Two entries, both optional: domains as: the domains to export, all if empty; onboarding b: whether launches and flags go with them."
                )
            ],
            out: [
                ArgumentDescription(
                    "file", "h", "JSON in a file in memory that no one can change: the same state gives the same bytes.")
            ], "Writes the user's own values into a file, with their exact types and without times or writers."),
        MethodDescription(
            importFile,
            in: [
                ArgumentDescription(
                    "file", "h",
                    "What Export wrote, in a memfd sealed with F_SEAL_SHRINK, F_SEAL_GROW and F_SEAL_WRITE, at most 128 MiB."),
                ArgumentDescription(
                    "mode", "s",
                    "One of merge: what the file doesn't name stays; replace: each domain that the file names becomes as the file has it."
                ),
            ],
            out: [
                ArgumentDescription(
                    "counts", "a{sv}",
                    "What was done: domains t: domains that changed; keys t: keys set to another value; removed t: keys removed; onboarding t: records written or removed."
                )
            ],
            "Takes over what a file says: all of it in one commit with one revision, or nothing and an error that names what is wrong."
        ),
        MethodDescription(
            forget, in: [ArgumentDescription("app", "s", "An application id, such as org.example.App.")],
            "Removes the application's preferences, what it registered, its launches and its flags. Files are left alone."),
        MethodDescription(
            acknowledgeLoss,
            "Says that the user knows of a loss of data: StoreState becomes healthy, and an absent record means a first time again. Nothing to acknowledge is no error."
        ),
    ]

    /// The methods that say why something is shown and how often it was.
    private static let onboardingMethods = [
        MethodDescription(
            explain,
            in: [
                ArgumentDescription("app", "s", "An application id, such as org.example.App."),
                ArgumentDescription("kind", "s", "One of guide, tour, tip and preference."),
                ArgumentDescription("id", "s", "The id of the guide, tour or tip, or the key of the preference."),
            ],
            out: [
                ArgumentDescription(
                    "gates", "a(sbs)",
                    "Each gate in the order in which they count, whether it is passed, and why, with the data used; for a preference each layer, and whether "
                        + "it has a value: mandatory app, mandatory global, user app, user global, machine app, machine global, registered."
                )
            ],
            "Says why a guide, a tour or a tip would be shown now or not, and where the value of a preference comes from. NotFound where there is no such "
                + "guide, tour or tip; a preference may be of global too, and need have no value."),
        MethodDescription(
            statistics, in: [ArgumentDescription("app", "s", "An application id, such as org.example.App.")],
            out: [
                ArgumentDescription(
                    "statistics", "a{sv}",
                    documentation("By kind, then by id; a kind without any is left out.", StatisticsEntries.kinds) + " "
                        + documentation(
                            "Of each, beside every outcome that occurred, as an entry of its name and type t that says how often.",
                            StatisticsEntries.counts))
            ],
            "Says how often the guides, tours and tips of an application were shown to this user, and how they ended. It never leaves the machine, and a "
                + "policy can turn it off."),
    ]

    private static let inhibitorMethods = [
        MethodDescription(
            inhibit, in: [ArgumentDescription("reason", "s", "Why, as text for people.")],
            out: [ArgumentDescription("cookie", "t", "What ends it, given to Uninhibit.")],
            "Keeps anything new from being shown to this user, until Uninhibit or until the caller leaves the bus. LimitExceeded over 16 of one connection."
        ),
        MethodDescription(
            uninhibit, in: [ArgumentDescription("cookie", "t", "What Inhibit returned to the same connection.")],
            "Ends what Inhibit began. NotFound for a cookie that isn't held."),
    ]
}
