/// Why a guide, a tour or a tip isn't shown, in the words that `Present`, `Start`, `Evaluate`, `StatusChanged` and `Explain` share.
///
/// Each is the name of a gate (S2): the gates are passed in this order, and the first that fails is the reason. Where all are passed, the
/// reason is empty.
public enum Reasons {
    /// The administrator's policy denies it (S3).
    public static let policy = "policy"
    /// No launch of the application was ever recorded, which a guide needs (G6).
    public static let notRecorded = "not_recorded"
    /// Data was lost, so that nobody knows whether the user has seen it (P9).
    public static let unknownLaunch = "unknown_launch"
    /// The user has ended this revision (G1).
    public static let seen = "seen"
    /// Its presenter died too often (G2, T7).
    public static let abandoned = "abandoned"
    /// It is about a newer version than the one that runs (G4), or about none since the baseline (G5).
    public static let version = "version"
    /// It is for fresh users and this one isn't, or the other way round (G6).
    public static let audience = "audience"
    /// The upgrade was smaller than it asks for (G6).
    public static let significance = "significance"
    /// The tip has been used up (I3).
    public static let invalid = "invalid"
    /// The user put the tip off.
    public static let snoozed = "snoozed"
    /// Another tip of its group comes first (I4).
    public static let group = "group"
    /// The application has shown a new tip too short a while ago (I2).
    public static let frequency = "frequency"
    /// Some application has shown a new tip too short a while ago (I2).
    public static let budget = "budget"
    /// The rules of the tip don't hold.
    public static let rules = "rules"
    /// Someone holds a cookie of `Admin.Inhibit`.
    public static let inhibited = "inhibited"
    /// Something is being presented to this user (S1).
    public static let busy = "busy"

    /// All of them, in the order of the gates.
    public static let all = [
        policy, notRecorded, unknownLaunch, seen, abandoned, version, audience, significance, invalid, snoozed, group, frequency,
        budget, rules, inhibited, busy,
    ]
}
