import DBusTypes
import DefaultsInterface

/// What this start of the program is, compared with those before it, in whatever process they were.
///
///     let launch = await defaults.launch(version: "2.1.0")
///     switch launch.kind {
///     case .first where launch.isOwner: showWelcome()
///     case .upgrade where launch.significance >= .minor && !launch.isRevisit: showNews(since: launch.previousVersion)
///     default: break
///     }
public struct Launch: Hashable, Sendable {
    /// What a launch is.
    public enum Kind: String, Hashable, Sendable, CaseIterable {
        /// The first on record.
        case first
        /// The first on record, of a user who had the program before (L3).
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
        /// Not known: the store has lost data (P9), or the daemon couldn't be asked. Show nothing.
        case unknown
    }

    /// How big a change of version is, the smallest first; `none` for what is no upgrade or downgrade.
    public enum Significance: String, Hashable, Sendable, CaseIterable, Comparable {
        case none = ""
        case prerelease, patch, minor, major, epoch

        /// Orders by size.
        public static func < (left: Significance, right: Significance) -> Bool { left.rank < right.rank }

        private var rank: Int { Self.allCases.firstIndex(of: self) ?? 0 }
    }

    /// What it is.
    public let kind: Kind
    /// How big an upgrade or downgrade is.
    public let significance: Significance
    /// Whether the transition is this process's to act on: true in exactly one of those that start at once (L1).
    public let isOwner: Bool
    /// Whether an upgrade only leads back to where the program had been before (L4).
    public let isRevisit: Bool
    /// The version as given.
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
    /// The guides that are due, in the order to present them (G5).
    public let pending: [String]
    /// Why nothing is known, where the daemon couldn't be asked or refused the version; the kind is `unknown` then.
    public let failure: DefaultsError?

    /// A launch of which nothing is known: whoever decides by it shows nothing.
    init(version: String, failure: DefaultsError) {
        kind = .unknown
        significance = .none
        isOwner = false
        isRevisit = false
        self.version = version
        previousVersion = ""
        highestVersion = ""
        firstVersion = ""
        launches = 0
        launchesOfVersion = 0
        pending = []
        self.failure = failure
    }

    /// Reads the `a{sv}` of Record; nil for what is none.
    init?(_ reply: Value?) {
        guard let entries = reply?.dictionary, let kind = Kind(rawValue: entries.text(LaunchEntries.kind) ?? "") else {
            return nil
        }
        self.kind = kind
        significance = Significance(rawValue: entries.text(LaunchEntries.significance) ?? "") ?? .none
        isOwner = entries[LaunchEntries.owner.name]?.get(as: Bool.self) ?? false
        isRevisit = entries[LaunchEntries.revisit.name]?.get(as: Bool.self) ?? false
        version = entries.text(LaunchEntries.version) ?? ""
        previousVersion = entries.text(LaunchEntries.previousVersion) ?? ""
        highestVersion = entries.text(LaunchEntries.highestVersion) ?? ""
        firstVersion = entries.text(LaunchEntries.firstVersion) ?? ""
        launches = entries[LaunchEntries.launches.name]?.integer() ?? 0
        launchesOfVersion = entries[LaunchEntries.launchesOfVersion.name]?.integer() ?? 0
        pending = entries[LaunchEntries.pending.name]?.get(as: [String].self) ?? []
        failure = nil
    }
}

extension DictionaryValue {
    /// A text among the entries.
    func text(_ entry: DictionaryEntry) -> String? { self[entry.name]?.get(as: String.self) }
}
