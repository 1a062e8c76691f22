import DBusTypes

extension LaunchHistory {
    /// What launches of other versions came to: what makes guides due after an upgrade (G6), and nothing after a downgrade (L4).
    struct Transitions: Hashable, Sendable {
        /// The number of the latest launch that was an upgrade of each size, other than one back to where the application had been.
        ///
        /// A change between versions that don't compare counts as the smallest.
        private(set) var upgrades: [Significance: UInt64] = [:]
        /// What the latest launch of another version was; nil where the record is of an earlier version of the daemon, or there was none.
        private(set) var latest: LaunchKind?

        /// No transition yet.
        init() {}

        /// The first launch on record; one of a user who had `baseline` before is an upgrade from that.
        init(first kind: LaunchKind, _ version: Version, over baseline: Version?) {
            latest = kind
            guard let baseline else { return }
            switch version.change(from: baseline) {
            case .upgrade(let significance): upgrades[significance] = 1
            case .changed: upgrades[.prerelease] = 1
            case .same, .rebuild, .downgrade: break
            }
        }

        /// Takes note of the launch with number `launch`.
        mutating func note(_ kind: LaunchKind, _ significance: Significance?, isRevisit: Bool, launch: UInt64) {
            switch kind {
            case .same, .rebuild: return
            case .upgrade: if !isRevisit { upgrades[significance ?? .prerelease] = launch }
            case .changed: upgrades[.prerelease] = launch
            case .first, .adopted, .downgrade, .unknown: break
            }
            latest = kind
        }
    }

    /// Whether a launch later than number `launch` was an upgrade of at least this size.
    func wasUpgraded(atLeast significance: Significance, after launch: UInt64) -> Bool {
        transitions.upgrades.contains { $0.key >= significance && $0.value > launch }
    }

    /// Whether the application went down and not up again since (L4).
    var isDowngraded: Bool { transitions.latest == .downgrade }

    /// Whether another version than the first has run that isn't below it.
    var isBeyondFirstVersion: Bool {
        guard let facts else { return false }
        if facts.highestVersion.isHigher(than: facts.firstVersion) { return true }
        return versions.contains { record in
            switch record.version.change(from: facts.firstVersion) {
            case .upgrade, .changed: true
            case .same, .rebuild, .downgrade: false
            }
        }
    }

    /// The versions that the user is known to have had, in no order.
    var knownVersions: [Version] {
        guard let facts else { return [] }
        return versions.map(\.version) + [facts.firstVersion] + (facts.baselineVersion.map { [$0] } ?? [])
    }

    /// The version that the user began with: the one before the first launch on record, where the application said so.
    var baseline: Version? { baselineVersion ?? firstVersion }
}

extension LaunchHistory.Transitions {
    /// The entries of a history's record.
    var stored: [(String, Value)] {
        let sorted = upgrades.sorted { $0.key < $1.key }
        return [("upgrades", .vardict(sorted.map { ($0.key.rawValue, .uint64($0.value)) }))]
            + (latest.map { [("transition", .string($0.rawValue))] } ?? [])
    }

    /// Reads what `stored` gave, or a record that is older and has none of it; nil for anything else.
    init?(stored entries: DictionaryValue) {
        self.init()
        if let value = entries["upgrades"] {
            guard let upgrades = value.dictionary else { return nil }
            for entry in upgrades.entries {
                guard let significance = entry.key.get(as: String.self).flatMap(Significance.init(rawValue:)),
                    case .variant(.uint64(let launch)) = entry.value
                else { return nil }
                self.upgrades[significance] = launch
            }
        }
        if let value = entries["transition"] {
            guard let kind = value.get(as: String.self).flatMap(LaunchKind.init(rawValue:)) else { return nil }
            latest = kind
        }
    }
}

extension StateView {
    /// An application's history of launches, empty where none is on record; throws `Unavailable` where it can't be read (P8).
    public func launches(of app: DomainName) throws(ModelError) -> LaunchHistory {
        guard let stored = onboarding(app, OnboardingID(.launches)) else { return LaunchHistory() }
        guard let history = LaunchHistory(stored: stored) else {
            throw .unavailable("the stored launches of \"\(app)\" can't be read")
        }
        return history
    }

    /// The same, to decide what is due: that a history began after a loss counts until the user has acknowledged the loss (P9).
    public func launches(of app: DomainName, storeLostData: Bool) throws(ModelError) -> LaunchHistory {
        var history = try launches(of: app)
        if !storeLostData { _ = history.acknowledgeLoss() }
        return history
    }
}
