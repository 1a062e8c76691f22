import DBusTypes

/// The interface `org.defaultsd1.Preferences`.
public enum PreferencesInterface {
    /// The interface's name.
    public static let name: InterfaceName = "org.defaultsd1.Preferences"

    /// The effective value of one preference.
    public static let get: MemberName = "Get"
    /// All effective values of a domain.
    public static let getAll: MemberName = "GetAll"
    /// Stores a value.
    public static let set: MemberName = "Set"
    /// Stores a value where the user has none.
    public static let setIfAbsent: MemberName = "SetIfAbsent"
    /// Stores a value in place of an expected one.
    public static let compareAndSet: MemberName = "CompareAndSet"
    /// Adds to an integer.
    public static let increment: MemberName = "Increment"
    /// Changes several preferences as one.
    public static let apply: MemberName = "Apply"
    /// Takes the user's value away.
    public static let reset: MemberName = "Reset"
    /// Takes all of the user's values of a domain away.
    public static let resetDomain: MemberName = "ResetDomain"
    /// The keys of a domain.
    public static let listKeys: MemberName = "ListKeys"
    /// The domains that have values.
    public static let listDomains: MemberName = "ListDomains"
    /// The keys of a domain that are locked.
    public static let listLocked: MemberName = "ListLocked"
    /// Stores an application's own defaults.
    public static let registerDefaults: MemberName = "RegisterDefaults"
    /// Takes an application's own defaults away.
    public static let unregisterDefaults: MemberName = "UnregisterDefaults"
    /// All that is known of a preference.
    public static let describe: MemberName = "Describe"
    /// Subscribes the caller to a domain.
    public static let watch: MemberName = "Watch"
    /// Ends such a subscription.
    public static let unwatch: MemberName = "Unwatch"
    /// Returns when all is on disk.
    public static let synchronize: MemberName = "Synchronize"
    /// The signal that effective values changed.
    public static let changed: MemberName = "Changed"
    /// The signal that other keys are locked.
    public static let locksChanged: MemberName = "LocksChanged"

    /// The interface's description.
    public static let description = InterfaceDescription(
        name,
        "The preferences of applications. A domain is an application id such as org.example.App, or the word global, to which every application's "
            + "lookup falls through; a key is 1 to 255 bytes of UTF-8 without control characters. Every change is on disk before its reply; the same "
            + "value again succeeds and changes nothing.",
        methods: reading + writing + defaults + watching,
        signals: [
            SignalDescription(
                changed,
                [
                    domain, ArgumentDescription("changed", "a{sv}", "The new effective values by key."),
                    ArgumentDescription("removed", "as", "The keys that no longer have a value in any layer."),
                    revision,
                    ArgumentDescription("writer", "s", "The unique name of the connection that caused it; empty for a file."),
                ],
                "Effective values of a watched domain changed: sent to those who called Watch, after the writer's reply, one a commit and domain."
            ),
            SignalDescription(
                locksChanged,
                [domain, ArgumentDescription("locked", "as", "All keys of the domain that are locked now, sorted.")],
                "Other keys of a watched domain are locked: sent to those who called Watch, after the change of values if there is one."
            ),
        ])

    private static let domain = ArgumentDescription("domain", "s", "An application id, or global.")
    private static let key = ArgumentDescription("key", "s", "The preference's name.")
    private static let value = ArgumentDescription("value", "v", "The value, of any type but h.")
    private static let revision = ArgumentDescription(
        "revision", "t", "The domain's revision after this: it grows with every change that is stored.")

    private static let reading = [
        MethodDescription(
            get, in: [domain, key], out: [ArgumentDescription("value", "v", "The effective value.")],
            "Returns the effective value of a preference: that of the highest layer that has one. NoSuchKey where none has."),
        MethodDescription(
            getAll, in: [domain],
            out: [ArgumentDescription("values", "a{sv}", "Every effective value by key."), revision],
            "Returns every effective value of a domain. LimitExceeded where they are too large for one message."),
    ]

    private static let writing = [
        MethodDescription(set, in: [domain, key, value], out: [revision], "Stores a value as the user's."),
        MethodDescription(
            setIfAbsent, in: [domain, key, value],
            out: [
                ArgumentDescription("stored", "b", "Whether the user had no value, and now has this one."),
                ArgumentDescription("value", "v", "The value that is effective now."),
            ],
            "Stores a value as the user's, unless the user has one already."),
        MethodDescription(
            compareAndSet,
            in: [
                domain, key,
                ArgumentDescription("expected", "v", "What the effective value must be, in type and bits."), value,
            ],
            out: [
                ArgumentDescription("swapped", "b", "Whether it was, and the new value is stored."),
                ArgumentDescription("value", "v", "The value that is effective now."),
            ],
            "Stores a value as the user's if the effective one is as expected. NoSuchKey where there is none."),
        MethodDescription(
            increment, in: [domain, key, ArgumentDescription("by", "x", "What to add; may be negative.")],
            out: [ArgumentDescription("value", "x", "The sum.")],
            "Adds to the effective value, in its own integer type, and stores the sum as the user's. An absent one starts as 0 of type x. "
                + "TypeMismatch where it is no integer; OutOfRange, and nothing changed, where the sum does not fit its type or x."
        ),
        MethodDescription(
            apply,
            in: [
                domain, ArgumentDescription("set", "a{sv}", "The values to store, by key."),
                ArgumentDescription("reset", "as", "The keys whose user's value to take away."),
                ArgumentDescription("expected", "t", "The domain's revision that the changes rest on; 0 for any."),
            ], out: [revision],
            "Makes several changes as one: all or none, in one commit, with one signal. RevisionMismatch where the domain has moved on; "
                + "InvalidArgument for a key in both lists."),
        MethodDescription(
            reset, in: [domain, key], out: [revision],
            "Takes the user's value away, so that the layer below shows. Absent is no error."),
        MethodDescription(
            resetDomain, in: [domain], out: [revision],
            "Takes all of the user's values of a domain away. Absent is no error."),
    ]

    private static let defaults = [
        MethodDescription(
            registerDefaults, in: [domain, ArgumentDescription("values", "a{sv}", "The application's own defaults, by key.")],
            out: [revision],
            "Stores values in the lowest layer, over those registered before: what shows where neither user nor administrator has a value."
        ),
        MethodDescription(
            unregisterDefaults, in: [domain, ArgumentDescription("keys", "as", "The keys whose registered value to take away.")],
            out: [revision], "Takes values out of the lowest layer. Absent is no error."),
        MethodDescription(
            describe, in: [domain, key],
            out: [
                ArgumentDescription(
                    "description", "a{sv}",
                    "What is known: value v, its layer s (mandatory, user, machine, registered) and its domain s there; locked b; type s; default v; summary s; "
                        + "description s; choices av; minimum v; maximum v; modified x (microseconds since the Unix epoch) and writer s (its unique "
                        + "name) where a connection set the value; layers a(ssv): layer, domain and value of all that have one, highest first. "
                        + "Entries that don't apply are left out.")
            ],
            "Returns all that is known of a preference. NoSuchKey where it has neither a value nor a schema."),
        MethodDescription(
            listLocked, in: [domain],
            out: [ArgumentDescription("keys", "as", "The keys, sorted by their bytes.")],
            "Lists the keys that the administrator has locked for readers of a domain: every write to them is Locked."),
    ]

    private static let watching = [
        MethodDescription(
            listKeys, in: [domain], out: [ArgumentDescription("keys", "as", "The keys, sorted by their bytes.")],
            "Lists the keys that have a value in any layer of a domain."),
        MethodDescription(
            listDomains, out: [ArgumentDescription("domains", "as", "The domains, sorted by their bytes.")],
            "Lists the domains that have a value in any layer."),
        MethodDescription(
            watch, in: [domain],
            out: [
                ArgumentDescription("values", "a{sv}", "Every effective value by key."),
                ArgumentDescription("revision", "t", "The domain's revision that the values have."),
                ArgumentDescription("instance", "t", "This run of the daemon; another number means that it was started anew."),
                ArgumentDescription("slot", "u", "The domain's word in the generation page; 0 where the caller has none."),
            ],
            "Subscribes the caller to every signal of a domain, on all interfaces, and returns its values at that moment."),
        MethodDescription(unwatch, in: [domain], "Ends the caller's subscription to a domain. Not watching it is no error."),
        MethodDescription(synchronize, "Returns when all that this user wrote before is on disk."),
    ]
}
