/// Why a run ends other than by a call of Finish.
public enum RunEnd: Hashable, Sendable {
    /// Its owner's connection ended, or a run that outlives its owner was without a call for an hour: an attempt (G2).
    case ownerLost
    /// The whole bus went away, as at a logout: no attempt (G2).
    case busLost
    /// The policy was turned to deny (S3).
    case policy
    /// Its guide, tour or tip, or all of its application, was removed.
    case removed
    /// Another presentation of the same item took over from a run that had gone silent (S1).
    case superseded
    /// Its countdown ended by itself or was skipped (G8).
    case countdown(CountdownReason)

    /// Whether there is no countdown left to end.
    var isOfCountdown: Bool {
        switch self {
        case .countdown: true
        case .ownerLost, .busLost, .policy, .removed, .superseded: false
        }
    }
}

extension Outcome {
    /// Ends the countdown of a run, on disk with the run: one that went on after a crash would follow the end of its guide (G8).
    mutating func end(_ countdown: String, of owner: ConnectionName, as reason: CountdownReason) {
        changes.append(.countdown(countdown, CountdownRecord(ended: reason, of: owner).stored))
        announcements.append(.countdownEnds(recordKey: countdown, reason))
    }
}

extension StateView {
    /// The outcome of ending a run that lives: what becomes of it and of its item, and what is announced.
    ///
    /// Needs the run's application loaded. Empty for one that has ended already: the first outcome wins (G8).
    public func ending(_ run: Run, because end: RunEnd, at now: Instant) -> Outcome {
        guard run.isLive else { return Outcome() }
        var outcome =
            switch run.place {
            case .guide(let place): endingGuide(run, place, because: end, at: now)
            case .tour(let place): endingTour(run, place, because: end, at: now)
            case .tip(let place): endingTip(run, place, because: end, at: now)
            }
        if let countdown = run.countdown, !end.isOfCountdown {
            outcome.end(countdown, of: run.owner, as: end == .policy ? .policy : .cancelled)
        }
        return outcome
    }
}

extension StateView {
    /// The outcome of ending every run that lives and that `cause` names a cause for.
    public func ending(_ cause: (Run) -> RunEnd?, at now: Instant) -> Outcome {
        var outcome = Outcome()
        for run in liveRuns {
            guard let end = cause(run) else { continue }
            let ended = ending(run, because: end, at: now)
            outcome.changes += ended.changes
            outcome.announcements += ended.announcements
        }
        return outcome
    }

    /// The outcome of connections having left: `cause` says how, nil for those that are still there.
    ///
    /// Their live runs end, but for those that outlive their owner on the same bus; their ended runs answer no more; they hold nothing back.
    public func cleaning(at now: Instant, _ cause: (ConnectionName) -> RunEnd?) -> Outcome {
        var outcome = ending(
            { run in
                let end = cause(run.owner)
                return end == .ownerLost && run.outlivesOwner ? nil : end
            }, at: now)
        for run in runs where cause(run.owner) != nil && !(run.isLive && run.outlivesOwner && cause(run.owner) == .ownerLost) {
            outcome.changes += run.removal
        }
        outcome.changes += removingInhibitors { cause($0) != nil }
        return outcome
    }

    /// What a presenter is told when other files, or another definition, take effect: the signal Changed where the attributes differ.
    func refreshing(_ run: Run, with files: FileLayers) -> [Announcement] {
        switch run.place {
        case .guide(let place): refreshingGuide(run, place, with: files)
        case .tour(let place): refreshingTour(run, place, with: files)
        case .tip: []
        }
    }
}
