extension LaunchHistory {
    /// What a launch is, before it is counted.
    private struct Decision {
        var kind: LaunchKind
        var significance: Significance?
        var isRevisit = false
    }

    /// Decides what a launch of `version` is, and counts it (L1).
    ///
    /// With nothing on record it is `unknown` where `storeLostData` says that the record may be lost (P9), else `adopted` where the options
    /// tell of an existing user (L3), else `first`. The options' users and baseline matter only then.
    /// Where it is a transition, `caller` is kept with its answer for `ownerAnswer(to:version:)`.
    public mutating func record(
        _ version: Version, options: LaunchOptions = LaunchOptions(), storeLostData: Bool = false,
        by caller: ConnectionName? = nil, at now: Instant
    ) -> Launch {
        let decision = decide(version, options: options, storeLostData: storeLostData)
        let latest = Latest(
            kind: decision.kind, significance: decision.significance, isRevisit: decision.isRevisit,
            previousVersion: lastVersion?.text ?? "", previousLaunch: versions.first?.lastSeen ?? 0)
        if var facts {
            facts.launches.countOne()
            facts.highestVersion = Self.highest(of: facts.highestVersion, version)
            facts.latest = latest
            facts.transitions.note(
                decision.kind, decision.significance, isRevisit: decision.isRevisit, launch: facts.launches)
            self.facts = facts
        } else {
            facts = Facts(
                launches: 1, firstVersion: version, firstLaunch: now.wall, firstKind: decision.kind,
                baselineVersion: options.baselineVersion, beganUnknown: decision.kind == .unknown, highestVersion: version,
                latest: latest, transitions: Transitions(first: decision.kind, version, over: options.baselineVersion))
        }
        count(version, at: now)
        guard let launch = latestLaunch(isOwner: decision.kind != .same) else {
            preconditionFailure("a launch that was just counted is on record")
        }
        if launch.isOwner { facts?.ownerAnswer = caller.map { OwnerAnswer(caller: $0, version: version, launch: launch) } }
        return launch
    }

    private func decide(_ version: Version, options: LaunchOptions, storeLostData: Bool) -> Decision {
        guard let facts, let last = lastVersion else {
            if storeLostData { return Decision(kind: .unknown) }
            return Decision(kind: options.existingUser || options.baselineVersion != nil ? .adopted : .first)
        }
        // L5: a release that follows a pre-release is measured against what users of releases had.
        if last.isPrerelease, version.isRelease, facts.highestVersion.isRelease,
            case .upgrade(let significance) = version.change(from: facts.highestVersion)
        {
            return Decision(kind: .upgrade, significance: significance)
        }
        switch version.change(from: last) {
        case .same: return Decision(kind: .same)
        case .rebuild: return Decision(kind: .rebuild)
        case .changed: return Decision(kind: .changed)
        case .downgrade(let significance): return Decision(kind: .downgrade, significance: significance)
        case .upgrade(let significance):
            // L4: up again, but not beyond where the application has been.
            let isRevisit = !version.isHigher(than: facts.highestVersion)
            return Decision(kind: .upgrade, significance: significance, isRevisit: isRevisit)
        }
    }

    /// The higher of the highest so far and a new version, by L5; of two that are equally high, the new one.
    private static func highest(of highest: Version, _ version: Version) -> Version {
        if highest.isOpaque { return version }
        if version.isOpaque || version.isPrerelease && highest.isRelease { return highest }
        if version.isRelease && highest.isPrerelease { return version }
        return highest.isHigher(than: version) ? highest : version
    }

    /// Counts a launch of a version, which moves to the front.
    private mutating func count(_ version: Version, at now: Instant) {
        if let place = versions.firstIndex(where: { version.change(from: $0.version) == .same }) {
            var record = versions.remove(at: place)
            record.version = version
            record.lastSeen = now.wall
            record.launches.countOne()
            versions.insert(record, at: 0)
        } else {
            versions.insert(VersionRecord(version: version, firstSeen: now.wall, lastSeen: now.wall, launches: 1), at: 0)
            if versions.count > Self.maximumVersions { versions.removeLast() }
        }
    }
}

extension Version {
    /// Whether it is a release: it parses, and has no pre-release.
    fileprivate var isRelease: Bool { !isOpaque && !isPrerelease }
}
