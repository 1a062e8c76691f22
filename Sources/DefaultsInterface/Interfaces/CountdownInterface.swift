import DBusTypes

/// The interface `org.defaultsd1.Countdown` of each countdown's object.
public enum CountdownInterface {
    /// The interface's name.
    public static let name: InterfaceName = "org.defaultsd1.Countdown"

    /// Starts one that waits.
    public static let ready: MemberName = "Ready"
    /// Stops the clock.
    public static let pause: MemberName = "Pause"
    /// Lets the clock go on.
    public static let resume: MemberName = "Resume"
    /// Ends it as skipped.
    public static let skip: MemberName = "Skip"
    /// Ends it as cancelled.
    public static let cancel: MemberName = "Cancel"
    /// Moves its end.
    public static let extend: MemberName = "Extend"
    /// Subscribes the caller.
    public static let watch: MemberName = "Watch"
    /// The signal of each tick.
    public static let tickSignal: MemberName = "Tick"
    /// The signal that it may be skipped now.
    public static let skipAvailable: MemberName = "SkipAvailable"
    /// The signal of its end.
    public static let finished: MemberName = "Finished"

    /// Its state, as a property.
    public static let stateProperty: MemberName = "State"
    /// How long it runs, as a property.
    public static let durationProperty: MemberName = "Duration"
    /// The time between ticks, as a property.
    public static let tickProperty: MemberName = "Tick"
    /// How long it still runs, as a property.
    public static let remainingProperty: MemberName = "Remaining"
    /// How many ticks are left, as a property.
    public static let remainingTicksProperty: MemberName = "RemainingTicks"
    /// Whether it may be skipped, as a property.
    public static let skippableProperty: MemberName = "Skippable"
    /// Who started it, as a property.
    public static let ownerProperty: MemberName = "Owner"
    /// What it is for, as a property.
    public static let purposeProperty: MemberName = "Purpose"

    /// The interface's description.
    public static let description = InterfaceDescription(
        name,
        "A countdown. Any process of its user that is not in a sandbox may act on it. Its signals go to its owner and to those who called Watch. For 5 "
            + "seconds after its end it answers AlreadyFinished.",
        methods: methods, signals: signals, properties: properties)

    static let state = ArgumentDescription(
        "state", "a{sv}", documentation("The countdown's state, every entry present.", CountdownStateEntries.all))

    private static let methods = [
        MethodDescription(ready, out: [state], "Starts a countdown that waits for this call. A second call changes nothing."),
        MethodDescription(
            pause, out: [state], "Stops the clock and keeps the remaining milliseconds. A second call changes nothing."),
        MethodDescription(resume, out: [state], "Lets the clock go on. A call while it runs changes nothing."),
        MethodDescription(
            skip, out: [state],
            "Ends it with the reason skipped; after the reply no tick is sent. NotYetSkippable, with the milliseconds left, before it may be skipped."
        ),
        MethodDescription(cancel, out: [state], "Ends it with the reason cancelled; after the reply no tick is sent."),
        MethodDescription(
            extend, in: [ArgumentDescription("by", "t", "How much longer it runs, in milliseconds.")], out: [state],
            "Moves its end; a running one then sends one Tick with the new numbers. InvalidArgument where it would run for more than 30 days."
        ),
        MethodDescription(
            watch, out: [state], "Sends its signals to the caller too, until it ends or the caller leaves the bus."),
    ]

    private static let signals = [
        SignalDescription(
            tickSignal,
            [
                ArgumentDescription("remaining_ticks", "u", "How many ticks are left; the last is 0."),
                ArgumentDescription("remaining", "t", "How long it still runs, in milliseconds, rounded up."),
                ArgumentDescription("missed", "u", "How many ticks were left out before this one, because it was late."),
            ],
            "A tick: the first at the start, the last, 0, at the end."),
        SignalDescription(
            skipAvailable, [],
            "Skip is allowed from now on: sent once, and once more by a daemon that was restarted about then; only to a countdown whose "
                + "skippable_after is more than 0."
        ),
        SignalDescription(
            finished,
            [
                ArgumentDescription("reason", "s", "Why it ended: elapsed, skipped, cancelled, owner_lost or policy."),
                ArgumentDescription(
                    "late", "t", "How long after its deadline this was sent, in milliseconds; 0 where it did not elapse."),
            ],
            "It has ended. Nothing follows, but that a daemon which was killed after this may say it again at its next start, with the same "
                + "reason."),
    ]

    private static let properties = [
        property(stateProperty, CountdownStateEntries.state, "Where it is in its life: "),
        property(durationProperty, CountdownStateEntries.duration),
        property(tickProperty, CountdownStateEntries.tick),
        property(remainingProperty, CountdownStateEntries.remaining),
        property(remainingTicksProperty, CountdownStateEntries.remainingTicks),
        property(skippableProperty, CountdownStateEntries.skippable),
        property(ownerProperty, CountdownStateEntries.owner),
        property(purposeProperty, CountdownStateEntries.purpose),
    ]

    /// The property that shows the same as an entry of the state; computed when asked, so no signal tells of changes.
    private static func property(_ name: MemberName, _ entry: DictionaryEntry, _ lead: String = "") -> PropertyDescription {
        let text = lead + entry.documentation
        return PropertyDescription(
            name, entry.type.text, changeSignal: .none, text.prefix(1).uppercased() + text.dropFirst() + ".")
    }
}
