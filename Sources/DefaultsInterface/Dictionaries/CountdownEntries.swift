/// The entries of a countdown's spec, all of them optional.
public enum CountdownSpecEntries {
    /// How long it runs.
    public static let duration = DictionaryEntry(
        "duration", "t", "how long it runs, in milliseconds: 10000 by default, at most 2592000000 (30 days)")
    /// How often it ticks.
    public static let tick = DictionaryEntry(
        "tick", "t", "the time from tick to tick, in milliseconds: 1000 by default, at least 50")
    /// When it starts.
    public static let start = DictionaryEntry("start", "s", "now (the default), or when_ready: at the call of Ready")
    /// When it may be skipped.
    public static let skippableAfter = DictionaryEntry(
        "skippable_after", "t", "how long after its start Skip is refused, in milliseconds; 0, the default, is not at all")
    /// What it does while the machine sleeps.
    public static let onSuspend = DictionaryEntry(
        "on_suspend", "s", "while the machine sleeps: continue (the default), or pause")
    /// What it does when its owner leaves the bus.
    public static let onOwnerLost = DictionaryEntry(
        "on_owner_lost", "s", "when its owner leaves the bus: cancel (the default), or continue")
    /// Whether it replaces a live one.
    public static let replace = DictionaryEntry(
        "replace", "b", "true to cancel a live countdown of the same token first; false, the default, to fail then")
    /// What it is for.
    public static let purpose = DictionaryEntry("purpose", "s", "what it is for, as text for people; empty by default")

    /// All of them.
    public static let all = [duration, tick, start, skippableAfter, onSuspend, onOwnerLost, replace, purpose]
}

/// The entries of a countdown's state, all of them always present.
public enum CountdownStateEntries {
    /// Where it is in its life.
    public static let state = DictionaryEntry("state", "s", "waiting, running, paused or finished")
    /// How long it runs.
    public static let duration = DictionaryEntry("duration", "t", "how long it runs in all, in milliseconds")
    /// How often it ticks.
    public static let tick = DictionaryEntry("tick", "t", "the time from tick to tick, in milliseconds")
    /// How long it still runs.
    public static let remaining = DictionaryEntry("remaining", "t", "how long it still runs, in milliseconds, rounded up")
    /// How many ticks are left.
    public static let remainingTicks = DictionaryEntry("remaining_ticks", "u", "how many ticks are left, the last being 0")
    /// Whether it may be skipped.
    public static let skippable = DictionaryEntry("skippable", "b", "whether Skip would end it now")
    /// Who started it.
    public static let owner = DictionaryEntry("owner", "s", "the unique name of the connection that started it")
    /// What it is for.
    public static let purpose = DictionaryEntry("purpose", "s", "what it is for, as its owner said")
    /// Why it ended.
    public static let reason = DictionaryEntry(
        "reason", "s", "why it ended: elapsed, skipped, cancelled, owner_lost or policy; empty while it lives")

    /// All of them.
    public static let all = [state, duration, tick, remaining, remainingTicks, skippable, owner, purpose, reason]
}
