import DBusTypes

/// Whether a guide is due, by what became of it so far and by the application's launches (G4–G6).
struct GuideEligibility {
    let definition: GuideDefinition
    /// Of the definition's revision.
    let progress: GuideProgress
    let history: LaunchHistory

    init(_ definition: GuideDefinition, _ progress: GuideProgress, _ history: LaunchHistory) {
        self.definition = definition
        self.progress = progress.current(for: definition)
        self.history = history
    }

    /// Whether it became due at an earlier launch and has not been seen since: audience and significance don't count any more (G6).
    var isMarked: Bool { progress.eligible == definition.revision }

    /// Checks the gates from not_recorded to significance, in their order.
    func check(_ gates: inout GateList) {
        gates.check(.notRecorded, !history.isEmpty, "launches on record: \(history.launchCount)")
        gates.check(
            .unknownLaunch, !history.beganUnknown,
            history.beganUnknown
                ? "data was lost before the first launch on record; Admin.AcknowledgeLoss ends this"
                : "the history of launches is whole")
        gates.check(.seen, !isSeen, seenText)
        gates.check(.abandoned, !progress.isAbandoned, attemptsText)
        gates.check(.version, isOfVersion, versionText)
        gates.check(.audience, isMarked || isForUser, isMarked ? markedText : audienceText)
        gates.check(.significance, isMarked || isLargeEnough, isMarked ? markedText : significanceText)
    }

    /// Whether it is about a version that doesn't run yet.
    var isAhead: Bool {
        guard let since = definition.sinceVersion, let running = history.lastVersion else { return false }
        return since.isHigher(than: running)
    }

    private var markedText: String { "revision \(definition.revision) became due at an earlier launch and stays so" }
}

// MARK: - Seen

extension GuideEligibility {
    /// The smallest upgrade that brings it back after it was seen; nil where none does.
    private var recurrence: Significance? { definition.kind == .onboarding ? definition.minimumSignificance : nil }

    /// The launch at which it was seen; 0 where that is of a history which was forgotten since.
    private var seenAtLaunch: UInt64 { progress.seenAtLaunch > history.launchCount ? 0 : progress.seenAtLaunch }

    /// Seen, and no upgrade since that might bring it back: how large that must be is for the gate significance.
    private var isSeen: Bool {
        guard progress.isSeen, !isMarked else { return false }
        guard recurrence != nil else { return true }
        return !history.wasUpgraded(atLeast: .prerelease, after: seenAtLaunch)
    }

    private var seenText: String {
        let revision = "revision \(progress.revision)"
        guard progress.isSeen else { return "\(revision) has not been ended by the user" }
        let how = progress.outcome.map { "ended as \($0.rawValue)" } ?? "shown"
        return isSeen ? "\(revision) was \(how)" : "\(revision) was \(how), and there was an upgrade since"
    }

    private var attemptsText: String {
        let maximum = definition.maximumAttempts == 0 ? "no limit" : "at most \(definition.maximumAttempts)"
        return "attempts \(progress.attempts), \(maximum)"
    }
}

// MARK: - Version

extension GuideEligibility {
    /// L4: nothing is due after a downgrade, until the application goes up again.
    private var isOfVersion: Bool { history.lastVersion != nil && !isAhead && !history.isDowngraded }

    private var versionText: String {
        guard let running = history.lastVersion else { return "no version is known to run" }
        let since = definition.sinceVersion.map { "since_version \($0)" } ?? "no since_version"
        return "the running version is \(running)\(history.isDowngraded ? ", after a downgrade" : ""), \(since)"
    }
}

// MARK: - Audience

extension GuideEligibility {
    private var isForUser: Bool {
        let isFresh = history.firstKind == .first && !history.isBeyondFirstVersion
        let isUpgrade = history.firstKind == .adopted || history.isBeyondFirstVersion
        switch definition.audience {
        case .both: break
        case .fresh: guard isFresh else { return false }
        case .upgrade: guard isUpgrade else { return false }
        }
        return !hadFromTheStart
    }

    /// G5: what's new is above the version that the user began with.
    private var hadFromTheStart: Bool {
        guard definition.kind == .whatsNew, let since = definition.sinceVersion, let baseline = history.baseline else {
            return false
        }
        switch since.change(from: baseline) {
        case .same, .rebuild, .downgrade: return true
        case .upgrade, .changed: return false
        }
    }

    private var audienceText: String {
        let began = history.firstKind.map { "the first launch was of kind \($0.rawValue)" } ?? "there was no launch"
        let versions = history.baseline.map { " from \($0)" } ?? ""
        let beyond = history.isBeyondFirstVersion ? "other versions ran since" : "no other version ran since"
        let start = hadFromTheStart ? ", which had what is new already" : ""
        return "audience \(definition.audience.rawValue); \(began)\(versions)\(start), \(beyond)"
    }
}

// MARK: - Significance

extension GuideEligibility {
    private var isLargeEnough: Bool {
        guard let minimum = definition.minimumSignificance else { return true }
        switch definition.kind {
        case .onboarding:
            return !progress.isSeen || history.wasUpgraded(atLeast: minimum, after: seenAtLaunch)
        case .whatsNew:
            guard definition.sinceVersion != nil else { return history.wasUpgraded(atLeast: minimum, after: 0) }
            guard let base = versionBefore, let running = history.lastVersion else { return false }
            switch running.change(from: base) {
            case .upgrade(let significance): return significance >= minimum
            // Neither is higher: any change at all is what it may be.
            case .changed: return minimum == .prerelease
            case .same, .rebuild, .downgrade: return false
            }
        }
    }

    /// The version that the user had before what is new: the highest below since_version, else the one that they began with.
    private var versionBefore: Version? {
        guard let since = definition.sinceVersion else { return nil }
        let below = history.knownVersions.filter { since.isHigher(than: $0) }
        return below.dropFirst().reduce(below.first) { highest, version in
            highest.map { version.isHigher(than: $0) ? version : $0 }
        } ?? history.baseline
    }

    private var significanceText: String {
        guard let minimum = definition.minimumSignificance else { return "no minimum_significance" }
        let asked = "minimum_significance \(minimum.rawValue)"
        guard definition.kind == .whatsNew, definition.sinceVersion != nil else {
            return progress.isSeen || definition.kind == .whatsNew
                ? "\(asked); after launch \(definition.kind == .whatsNew ? 0 : seenAtLaunch) there was \(isLargeEnough ? "such an upgrade" : "none")"
                : "\(asked); not seen yet"
        }
        return "\(asked); from \(versionBefore?.text ?? "nothing") to \(history.lastVersion?.text ?? "nothing")"
    }
}
