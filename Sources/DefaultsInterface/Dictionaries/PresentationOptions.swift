/// The options of `Guides.Present`, `Tours.Start` and `Tips.Present`.
public enum PresentationOptions {
    /// Whether this is a rehearsal.
    public static let replay = DictionaryEntry(
        "replay", "b",
        "true to show it whatever the user has seen and to record nothing of it: not seen, attempts, frequency or statistics; false by default"
    )
    /// The token of a guide's countdown.
    public static let countdownToken = DictionaryEntry(
        "countdown_token", "s",
        "the token of the guide's countdown, which the presenter owns: 1 to 64 of A-Z, a-z, 0-9 and _; empty, the default, for guide_RUN"
    )
    /// What becomes of the run when its presenter leaves the bus.
    public static let onOwnerLost = DictionaryEntry(
        "on_owner_lost", "s",
        "when the presenter leaves the bus: release (the default) ends the run, keep leaves it to Finish, or to an hour without a call"
    )

    /// Those of `Guides.Present`.
    public static let guide = [replay, countdownToken, onOwnerLost]
    /// Those of `Tours.Start` and `Tips.Present`.
    public static let common = [replay, onOwnerLost]
}
