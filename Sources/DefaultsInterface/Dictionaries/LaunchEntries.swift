/// The options of `Launches.Record`.
public enum RecordOptions {
    /// How versions of the application compare.
    public static let scheme = DictionaryEntry(
        "scheme", "s", "how versions compare: auto (the default) by their numeric parts, opaque as text that is equal or not")
    /// Whether the user had the application before it used this service.
    public static let existingUser = DictionaryEntry(
        "existing_user", "b", "true for someone who used the application before it recorded launches here; false by default")
    /// The version that an existing user had before.
    public static let baselineVersion = DictionaryEntry(
        "baseline_version", "s", "the version that such a user had before; empty, the default, if unknown")

    /// All of them.
    public static let all = [scheme, existingUser, baselineVersion]
}

/// The entries of a launch, all of them always present.
public enum LaunchEntries {
    /// What kind of launch it is.
    public static let kind = DictionaryEntry(
        "kind", "s", "first, adopted, upgrade, same, rebuild, downgrade, changed or unknown")
    /// Which part of the version changed.
    public static let significance = DictionaryEntry(
        "significance", "s",
        "the first part of the version that differs: epoch, major, minor, patch or prerelease; empty if none does")
    /// Whether this caller is the one that the transition belongs to.
    public static let owner = DictionaryEntry(
        "owner", "b", "true for exactly one of the processes that record the same transition at once")
    /// Whether the version was reached before.
    public static let revisit = DictionaryEntry(
        "revisit", "b", "true for an upgrade to a version no higher than the highest one so far")
    /// The version now running.
    public static let version = DictionaryEntry("version", "s", "the version recorded, as sent")
    /// The version before it.
    public static let previousVersion = DictionaryEntry(
        "previous_version", "s", "the last version before this one; empty if there is none")
    /// The highest version so far.
    public static let highestVersion = DictionaryEntry(
        "highest_version", "s", "the highest release so far, or the highest pre-release while there is no release")
    /// The first version.
    public static let firstVersion = DictionaryEntry("first_version", "s", "the first version ever recorded")
    /// How often the application was launched.
    public static let launches = DictionaryEntry("launches", "t", "how many launches there were, this one included")
    /// How often this version was launched.
    public static let launchesOfVersion = DictionaryEntry(
        "launches_of_version", "t", "how many launches of this version there were, this one included")
    /// When the application was first launched.
    public static let firstLaunch = DictionaryEntry(
        "first_launch", "x", "when the first launch was, in microseconds since the Unix epoch")
    /// When it was launched before.
    public static let previousLaunch = DictionaryEntry(
        "previous_launch", "x", "when the launch before this one was, in microseconds since the Unix epoch; 0 if there is none")
    /// Which guides are due.
    public static let pending = DictionaryEntry("pending", "as", "the guides that are due now, in the order to present them")

    /// All of them.
    public static let all = [
        kind, significance, owner, revisit, version, previousVersion, highestVersion, firstVersion, launches, launchesOfVersion,
        firstLaunch, previousLaunch, pending,
    ]
}
