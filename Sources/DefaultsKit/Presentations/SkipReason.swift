import DefaultsInterface

/// Why a guide, a tour or a tip isn't shown now: the first gate that it doesn't pass (S2).
///
/// `busy` and `inhibited` mean "try again later". A daemon of a newer version may have words that aren't here.
public struct SkipReason: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
    /// The word.
    public let rawValue: String

    /// Names a reason.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The word.
    public var description: String { rawValue }

    /// The daemon couldn't be asked within 500 ms, or can't read what it has stored: nothing is shown.
    public static let unavailable = SkipReason(rawValue: "unavailable")
    /// Nobody has defined it.
    public static let undefined = SkipReason(rawValue: "undefined")
    /// The daemon refused the call, for an id that breaks the rule for ids perhaps.
    public static let refused = SkipReason(rawValue: "refused")

    /// The administrator's policy (S3).
    public static let policy = SkipReason(rawValue: Reasons.policy)
    /// No launch of the application was recorded, which a guide needs (G6).
    public static let notRecorded = SkipReason(rawValue: Reasons.notRecorded)
    /// Data was lost: nobody knows whether the user has seen it (P9).
    public static let unknownLaunch = SkipReason(rawValue: Reasons.unknownLaunch)
    /// The user has ended it (G1).
    public static let seen = SkipReason(rawValue: Reasons.seen)
    /// Its presenter died too often (G2, T7).
    public static let abandoned = SkipReason(rawValue: Reasons.abandoned)
    /// It is about a version that doesn't run yet (G4).
    public static let version = SkipReason(rawValue: Reasons.version)
    /// It is meant for other users (G6).
    public static let audience = SkipReason(rawValue: Reasons.audience)
    /// The upgrade was too small for it (G6).
    public static let significance = SkipReason(rawValue: Reasons.significance)
    /// The tip is used up (I3).
    public static let invalid = SkipReason(rawValue: Reasons.invalid)
    /// The user has put the tip off.
    public static let snoozed = SkipReason(rawValue: Reasons.snoozed)
    /// Another tip of its group is first (I4).
    public static let group = SkipReason(rawValue: Reasons.group)
    /// The application showed a new tip too short a while ago (I2).
    public static let frequency = SkipReason(rawValue: Reasons.frequency)
    /// Some application showed a new tip too short a while ago (I2).
    public static let budget = SkipReason(rawValue: Reasons.budget)
    /// The tip's rules don't hold.
    public static let rules = SkipReason(rawValue: Reasons.rules)
    /// Someone has nothing new shown.
    public static let inhibited = SkipReason(rawValue: Reasons.inhibited)
    /// Something else is presented to this user (S1).
    public static let busy = SkipReason(rawValue: Reasons.busy)

    /// What a failed call means.
    init(_ error: DefaultsError) {
        self =
            switch error.code {
            case .unreachable, .unavailable: .unavailable
            case .notFound: .undefined
            default: .refused
            }
    }
}
