/// The entries of `Admin.Statistics`: a kind, in it an id, in it what was counted.
public enum StatisticsEntries {
    /// The statistics of guides by id.
    public static let guide = DictionaryEntry("guide", "a{sv}", "those of guides by id")
    /// The statistics of tours by id.
    public static let tour = DictionaryEntry("tour", "a{sv}", "those of tours by id")
    /// The statistics of tips by id.
    public static let tip = DictionaryEntry("tip", "a{sv}", "those of tips by id")

    /// The kinds.
    public static let kinds = [guide, tour, tip]

    /// How often it was shown.
    public static let shown = DictionaryEntry("shown", "t", "how often it was shown")
    /// How far the user came.
    public static let furthest = DictionaryEntry(
        "furthest", "u", "for a guide and a tour, the furthest page or step reached, counted from 0")

    /// What is always there of one; beside them is each outcome that occurred (t), how often it did.
    public static let counts = [shown, furthest]
}
