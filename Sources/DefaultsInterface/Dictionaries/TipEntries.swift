/// The entries of a tip's definition.
public enum TipDefinitionEntries {
    /// The revision of its content.
    public static let revision = DictionaryEntry(
        "revision", "u", "the revision of the content, not the application's; 1 by default: a higher one makes it valid again")
    /// Its title.
    public static let title = DictionaryEntry("title", "s", "the title; empty by default")
    /// Its text.
    public static let message = DictionaryEntry("message", "s", "the text; empty by default")
    /// Its image.
    public static let image = DictionaryEntry("image", "s", "the image, as the application names it; empty by default")
    /// What it points at.
    public static let target = DictionaryEntry("target", "s", "what it points at, as the application names it; empty by default")
    /// When it is shown.
    public static let rules = DictionaryEntry(
        "rules", "aa{sv}", documentation("all must hold, none by default", TipRuleEntries.all))
    /// How often it is shown.
    public static let maxDisplayCount = DictionaryEntry(
        "max_display_count", "u", "after how many presentations it is used up; 0, the default, for no limit")
    /// How long it is shown in all.
    public static let maxDisplayDuration = DictionaryEntry(
        "max_display_duration", "t",
        "after what time on screen, over all presentations, it is used up, in milliseconds; 0, the default, for no limit")
    /// Whether it is shown however soon after another.
    public static let ignoresFrequency = DictionaryEntry(
        "ignores_frequency", "b",
        "true to show it however short a while after another: onboarding.tip-frequency and onboarding.tip-budget don't hold it back; false by "
            + "default")
    /// Its group.
    public static let group = DictionaryEntry(
        "group", "s", "the name of a group of which only one tip is available at a time; empty, the default, for none")
    /// Whether the group has an order.
    public static let ordered = DictionaryEntry(
        "ordered", "b",
        "true to wait until all tips before it in its group are used up, those of a manifest first, in the order in which they are defined; false by default"
    )
    /// What else the application wants back.
    public static let attributes = DictionaryEntry(
        "attributes", "a{sv}", "whatever the presenter needs, returned as given; empty by default")

    /// All of them.
    public static let all = [
        revision, title, message, image, target, rules, maxDisplayCount, maxDisplayDuration, ignoresFrequency, group, ordered,
        attributes,
    ]
}

/// The entries of a tip's rule, which is on a preference (key, operator, value) or on an event (event, operator, count, window).
public enum TipRuleEntries {
    /// The preference.
    public static let key = DictionaryEntry("key", "s", "the preference of the application that the rule is on")
    /// How the two are compared.
    public static let `operator` = DictionaryEntry(
        "operator", "s",
        "one of == (the default), !=, <, <=, >, >= and, for a key with a value that is an array, in; != alone holds where the preference is "
            + "absent")
    /// What the preference is compared with.
    public static let value = DictionaryEntry(
        "value", "v", "what the preference is compared with; numbers by number, whatever their type")
    /// The event.
    public static let event = DictionaryEntry("event", "s", "the event that the rule is on")
    /// What the number of events is compared with.
    public static let count = DictionaryEntry("count", "u", "what the number of donated events is compared with")
    /// How far back events count.
    public static let window = DictionaryEntry(
        "window", "t", "how long an event counts, in milliseconds; 0, the default, for ever. With a window, count is at most 1000"
    )

    /// All of them.
    public static let all = [key, `operator`, value, event, count, window]
}

/// The entries of a tip that is presented, all of them always present, beside those of its definition.
public enum TipEntries {
    /// Its name.
    public static let id = DictionaryEntry("id", "s", "the tip")
    /// Where the run is in its life.
    public static let state = DictionaryEntry(
        "state", "s", "presenting, finished or released; new where it was never shown")
    /// How it ended.
    public static let outcome = DictionaryEntry(
        "outcome", "s", "how it ended: action, closed, hidden or released; empty while it is presented")
    /// How often it was shown.
    public static let displayCount = DictionaryEntry("display_count", "u", "how often it was presented, this time included")
    /// How long it was shown.
    public static let displayDuration = DictionaryEntry(
        "display_duration", "t", "how long it was on screen in all its presentations, in milliseconds")

    /// All of them.
    public static let all = [id, state, outcome, displayCount, displayDuration]
}

/// The entries of a tip in a list, all of them always present.
public enum TipListEntries {
    /// Whether it would be shown.
    public static let available = DictionaryEntry("available", "b", "whether it would be shown now")
    /// Why not.
    public static let reason = DictionaryEntry("reason", "s", "the first gate that it doesn't pass; empty if it is available")
    /// Why it is used up.
    public static let invalid = DictionaryEntry(
        "invalid", "s",
        "why it is used up: action, closed, display_count, display_duration, revision or policy; empty if it isn't")
    /// The revision of its content.
    public static let revision = DictionaryEntry("revision", "u", "the revision of its definition")
    /// How often it was shown.
    public static let displayCount = DictionaryEntry("display_count", "u", "how often it was presented")
    /// Who defined it.
    public static let source = DictionaryEntry("source", "s", "who defined it: bus or manifest")

    /// All of them.
    public static let all = [available, reason, invalid, revision, displayCount, source]
}
