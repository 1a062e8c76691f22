/// The entries of a tour's definition.
public enum TourDefinitionEntries {
    /// The revision of its content.
    public static let revision = DictionaryEntry(
        "revision", "u", "the revision of the content, not the application's; 1 by default")
    /// Its steps.
    public static let steps = DictionaryEntry("steps", "aa{sv}", documentation("1 to 64 of them", TourStepEntries.all))
    /// What a raised revision does.
    public static let onNewRevision = DictionaryEntry(
        "on_new_revision", "s",
        "what a raised revision shows: restart (the default), all steps; progressive, those with a newer since_revision; or resume, from the old "
            + "place on")
    /// What the death of a presenter does.
    public static let onCrash = DictionaryEntry(
        "on_crash", "s", "where the tour goes on after its presenter died: resume (the default), at the step; or restart")
    /// How long it can be resumed.
    public static let resumeWindow = DictionaryEntry(
        "resume_window", "t",
        "how long after its presenter died it is resumed and not restarted, in milliseconds; 604800000 (7 days) by default, 0 for ever"
    )
    /// How often it may fail.
    public static let maxAttempts = DictionaryEntry(
        "max_attempts", "u", "after how many presenters that died it is abandoned; 3 by default, 0 for no limit")
    /// What else the application wants back.
    public static let attributes = DictionaryEntry(
        "attributes", "a{sv}",
        "whatever the presenter needs, returned as given, also to one that presents it now; empty by default")

    /// All of them.
    public static let all = [revision, steps, onNewRevision, onCrash, resumeWindow, maxAttempts, attributes]
}

/// The entries of a tour's step that have a meaning; any other is kept and returned as given.
public enum TourStepEntries {
    /// Its name.
    public static let id = DictionaryEntry(
        "id", "s", "its name in the tour, which must be there; the place in the tour is kept by it")
    /// Its text.
    public static let content = DictionaryEntry("content", "s", "the text")
    /// Its image.
    public static let image = DictionaryEntry("image", "s", "the image, as the application names it")
    /// What it points at.
    public static let target = DictionaryEntry("target", "s", "what it points at, as the application names it")
    /// Where the bubble stands.
    public static let direction = DictionaryEntry(
        "direction", "s", "where it stands beside its target: auto (the default), top, bottom, left or right")
    /// The revision that brought it.
    public static let sinceRevision = DictionaryEntry(
        "since_revision", "u", "the revision of the tour that brought it; 0 by default")

    /// All of them.
    public static let all = [id, content, image, target, direction, sinceRevision]
}

/// The entries of a step that is presented, all of them always present, beside its own.
public enum TourEntries {
    /// The step shown.
    public static let id = DictionaryEntry("id", "s", "the step to show")
    /// Its place.
    public static let index = DictionaryEntry("index", "u", "its place, counted from 0")
    /// How many steps there are.
    public static let count = DictionaryEntry("count", "u", "how many steps there are")
    /// Which moment of the run this is.
    public static let sequence = DictionaryEntry(
        "sequence", "t", "grows with each step shown; Next takes it, so that a second call for the same step changes nothing")
    /// Whether it is the first.
    public static let isFirst = DictionaryEntry("is_first", "b", "whether it is the first step")
    /// Whether it is the last.
    public static let isLast = DictionaryEntry("is_last", "b", "whether it is the last step")
    /// Where the run is in its life.
    public static let state = DictionaryEntry("state", "s", "presenting, suspended, finished or released")
    /// How it ended.
    public static let outcome = DictionaryEntry(
        "outcome", "s",
        "how it ended: completed, skipped, dismissed, failed, released, unavailable or abandoned; empty while it is presented")
    /// Whether the call came too late.
    public static let stale = DictionaryEntry(
        "stale", "b", "whether the call was for another step or sequence than the present one, and changed nothing")
    /// Whether the call changed something.
    public static let changed = DictionaryEntry("changed", "b", "whether the call moved the tour or ended it")

    /// What the application wants back.
    public static let attributes = DictionaryEntry(
        "attributes", "a{sv}", "those of the tour's definition as it is now, unless the step has attributes of its own")

    /// All of them.
    public static let all = [id, index, count, sequence, isFirst, isLast, state, outcome, stale, changed, attributes]
}
