import DBusTypes

/// What a launch is, compared with those before it; the raw value is the one on the bus.
public enum LaunchKind: String, Hashable, Sendable, CaseIterable {
    /// The first launch on record.
    case first
    /// The first on record, of a user who had the application before (L3).
    case adopted
    /// A higher version.
    case upgrade
    /// The version of the launch before.
    case same
    /// The same version in another build (V4).
    case rebuild
    /// A lower version.
    case downgrade
    /// Another version, neither higher nor lower (V5).
    case changed
    /// No launch is on record, and the store has lost data (P9).
    case unknown
}

/// The answer to Record and Query.
public struct Launch: Hashable, Sendable {
    /// What the launch is.
    public let kind: LaunchKind
    /// How big an upgrade or downgrade is; nil for the other kinds.
    public let significance: Significance?
    /// Whether this call, of all processes' calls, is the one that made the transition (L1); false for `same` and for Query.
    public let isOwner: Bool
    /// Whether an upgrade only leads back to where the application had been before (L4).
    public let isRevisit: Bool
    /// The version as sent.
    public let version: String
    /// The version of the launch before; empty where there was none.
    public let previousVersion: String
    /// The highest release, or the highest pre-release while there is no release (L5).
    public let highestVersion: String
    /// The version of the first launch on record.
    public let firstVersion: String
    /// How many launches were recorded, this one included.
    public let launches: UInt64
    /// How many of them were of this version.
    public let launchesOfVersion: UInt64
    /// When the first launch was recorded: microseconds since the Unix epoch.
    public let firstLaunch: Int64
    /// When the launch before was recorded: microseconds since the Unix epoch, 0 where there was none.
    public let previousLaunch: Int64

    /// The `a{sv}` of the interface, every entry present; `pending` are the guides to show (G5).
    public func dictionary(pending: [String]) -> Value {
        .vardict([
            ("kind", .string(kind.rawValue)), ("significance", .string(significance?.rawValue ?? "")),
            ("owner", .boolean(isOwner)), ("revisit", .boolean(isRevisit)), ("version", .string(version)),
            ("previous_version", .string(previousVersion)), ("highest_version", .string(highestVersion)),
            ("first_version", .string(firstVersion)), ("launches", .uint64(launches)),
            ("launches_of_version", .uint64(launchesOfVersion)), ("first_launch", .int64(firstLaunch)),
            ("previous_launch", .int64(previousLaunch)), ("pending", .array(pending)),
        ])
    }
}
