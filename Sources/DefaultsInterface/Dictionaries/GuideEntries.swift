/// The entries of a guide's definition.
public enum GuideDefinitionEntries {
    /// The revision of its content.
    public static let revision = DictionaryEntry(
        "revision", "u", "the revision of the content, not the application's; 1 by default: a higher one is shown again")
    /// What kind of guide it is.
    public static let kind = DictionaryEntry(
        "kind", "s",
        "onboarding (the default), shown once a revision; or whatsnew, shown to those who had a version before since_version")
    /// Who sees it.
    public static let audience = DictionaryEntry(
        "audience", "s",
        "fresh: those who never ran another version than their first; upgrade: all others; both: the default, for whatsnew upgrade"
    )
    /// How large an upgrade shows it.
    public static let minimumSignificance = DictionaryEntry(
        "minimum_significance", "s",
        "the smallest upgrade after which it is shown again: epoch, major, minor, patch or prerelease (any change); empty, the default, for none, "
            + "for whatsnew minor")
    /// The version that brought what it is about.
    public static let sinceVersion = DictionaryEntry(
        "since_version", "s", "the first version that has what it is about; empty, the default, for all")
    /// Its pages.
    public static let pages = DictionaryEntry("pages", "aa{sv}", documentation("1 to 64 of them", GuidePageEntries.all))
    /// How it is completed.
    public static let completion = DictionaryEntry(
        "completion", "s",
        "swipe (the default): by going on from the last page; or button: by a button that is visible on the last page")
    /// When it counts as seen.
    public static let mark = DictionaryEntry(
        "mark", "s", "when it counts as seen: finish (the default), when the user ends it; or show, at Present")
    /// How often it may fail.
    public static let maxAttempts = DictionaryEntry(
        "max_attempts", "u", "after how many presenters that died it is abandoned; 3 by default, 0 for no limit")
    /// Its countdown.
    public static let countdown = DictionaryEntry(
        "countdown", "a{sv}",
        "the spec of a countdown that runs with it: Skip ends the guide as skipped, its end as timed_out; empty, the default, for none"
    )
    /// What else the application wants back.
    public static let attributes = DictionaryEntry(
        "attributes", "a{sv}",
        "whatever the presenter needs, returned as given, also to one that presents it now; empty by default")

    /// All of them.
    public static let all = [
        revision, kind, audience, minimumSignificance, sinceVersion, pages, completion, mark, maxAttempts, countdown, attributes,
    ]
}

/// The entries of a guide's page that have a meaning; any other is kept and returned as given.
public enum GuidePageEntries {
    /// Its title.
    public static let title = DictionaryEntry("title", "s", "the title")
    /// Its text.
    public static let text = DictionaryEntry("text", "s", "the text")
    /// Its image.
    public static let image = DictionaryEntry("image", "s", "the image, as the application names it")
    /// What the image shows.
    public static let alt = DictionaryEntry("alt", "s", "what the image shows, in words")

    /// All of them.
    public static let all = [title, text, image, alt]
}

/// The entries of a guide that is presented, all of them always present, beside those of its definition.
public enum GuideEntries {
    /// Where the run is in its life.
    public static let state = DictionaryEntry("state", "s", "presenting, finished or released")
    /// The page shown.
    public static let page = DictionaryEntry("page", "u", "the page to show, counted from 0")
    /// How many pages there are.
    public static let count = DictionaryEntry("count", "u", "how many pages there are")
    /// Whether it is the first.
    public static let isFirst = DictionaryEntry("is_first", "b", "whether it is the first page")
    /// Whether it is the last.
    public static let isLast = DictionaryEntry("is_last", "b", "whether it is the last page")
    /// Whether to show the button.
    public static let buttonVisible = DictionaryEntry(
        "button_visible", "b", "whether to show the button that completes the guide: on the last page, where completion is button"
    )
    /// How far the user came.
    public static let furthest = DictionaryEntry("furthest", "u", "the furthest page reached, counted from 0")
    /// How often it was begun.
    public static let attempts = DictionaryEntry(
        "attempts", "u", "how many presentations of this revision count, this one included: those given back don't")
    /// How it ended.
    public static let outcome = DictionaryEntry(
        "outcome", "s",
        "how it ended: completed, skipped, dismissed, timed_out, failed, released or abandoned; empty while it is presented")
    /// Its countdown.
    public static let countdown = DictionaryEntry(
        "countdown", "o", "the path of its countdown, in place of its spec; / if it has none")

    /// All of them.
    public static let all = [
        state, page, count, isFirst, isLast, buttonVisible, furthest, attempts, outcome, countdown,
    ]
}

/// The entries of a guide or a tour in a list, all of them always present.
public enum PresentationListEntries {
    /// Where it is in its life.
    public static let state = DictionaryEntry(
        "state", "s", "new before it was first shown, then as in a run; suspended for a tour that can be resumed")
    /// How it ended last.
    public static let outcome = DictionaryEntry(
        "outcome", "s", "how its last run ended; empty if none has, and while it is presented")
    /// The revision of its content.
    public static let revision = DictionaryEntry("revision", "u", "the revision of its definition")
    /// How often its presenter died.
    public static let attempts = DictionaryEntry(
        "attempts", "u", "how many presentations of this revision count: those given back don't")
    /// How far the user came.
    public static let furthest = DictionaryEntry("furthest", "u", "the furthest page or step reached, counted from 0")
    /// Who defined it.
    public static let source = DictionaryEntry("source", "s", "who defined it: bus or manifest")

    /// All of them.
    public static let all = [state, outcome, revision, attempts, furthest, source]
}
