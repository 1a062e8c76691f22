import DBusTypes

extension StateView {
    /// How many tours of one application may be defined over the bus (P12).
    public static let maximumTours = 256

    /// The outcome of `Tours.Define`: replies whether it differs from what was there.
    ///
    /// Progress is kept by the ids of tour and steps; a lower revision than the one in effect changes nothing (G4). Throws `LimitExceeded` for
    /// a 257th of the application.
    public func definingTour(
        _ app: DomainName, _ id: Identifier, as definition: TourDefinition
    ) throws(ModelError) -> Outcome {
        let old = try tour(app, id)
        if let old, definition.entries == old.definition.entries || definition.revision < old.definition.revision {
            return Outcome(reply: [.boolean(false)])
        }
        let record = OnboardingID(.tourDefinition, id.text)
        if onboarding(app, record) == nil {
            try checkRoom(for: app)
            let count = onboardingIDs(app, .tourDefinition).count
            guard count < Self.maximumTours else {
                throw .limitExceeded(
                    "\(app) has defined \(count) tours already; an application may define \(Self.maximumTours)")
            }
        }
        try checkRoom(forDefinition: record, of: Value.dictionary(definition.entries).marshalledSize, in: app)
        var outcome = Outcome(
            reply: [.boolean(true)], changes: [.onboarding(app, record, .dictionary(definition.entries))])
        if policy(app, .tour).mode == .baseline { outcome.changes += try countingAsSeen(app, id, definition) }
        for run in liveRuns(ofTour: id, of: app) {
            outcome.announcements += announcing(
                definition.attributes, to: run, insteadOf: old?.definition.attributes)
        }
        return outcome
    }

    /// The outcome of `Tours.Remove`: takes the bus's definition away, and what became of the tour if no manifest defines it.
    ///
    /// Live runs of it end as released. Throws `NotFound` where nobody defines it.
    public func removingTour(_ app: DomainName, _ id: Identifier, at now: Instant) throws(ModelError) -> Outcome {
        let isInManifest = files.definitions[app]?.tours[id] != nil
        let record = OnboardingID(.tourDefinition, id.text)
        guard onboarding(app, record) != nil else {
            // What a manifest defines is taken away in the manifest.
            guard isInManifest else {
                throw .notFound("\(app) has no tour \"\(id)\" to remove; Tours.List names those that it has")
            }
            return Outcome()
        }
        var outcome = endingRuns(ofTour: id, of: app, at: now)
        outcome.changes.append(.onboarding(app, record, nil))
        let progress = OnboardingID(.tour, id.text)
        if !isInManifest {
            if onboarding(app, progress) != nil { outcome.changes.append(.onboarding(app, progress, nil)) }
        } else if liveRuns(ofTour: id, of: app).contains(where: { !$0.isReplay }) {
            var left = try tourProgress(app, id)
            left.leave(as: .released, at: now)
            outcome.changes.append(.onboarding(app, progress, left.stored))
        }
        return outcome
    }

    /// The outcome of `Tours.Reset`: the tour is as new, but for what was counted of it; live runs of it end as released.
    ///
    /// Throws `NotFound` where nobody defines it.
    public func resettingTour(_ app: DomainName, _ id: Identifier, at now: Instant) throws(ModelError) -> Outcome {
        _ = try definedTour(app, id)
        var outcome = endingRuns(ofTour: id, of: app, at: now)
        let record = OnboardingID(.tour, id.text)
        guard let stored = onboarding(app, record) else { return outcome }
        var forgotten = TourProgress()
        forgotten.statistics = TourProgress(stored: stored)?.statistics ?? TourStatistics()
        let value = forgotten.statistics.isEmpty ? nil : forgotten.stored
        if value != stored { outcome.changes.append(.onboarding(app, record, value)) }
        return outcome
    }

    private func endingRuns(ofTour id: Identifier, of app: DomainName, at now: Instant) -> Outcome {
        var outcome = Outcome()
        for run in liveRuns(ofTour: id, of: app) {
            let ended = ending(run, because: .removed, at: now)
            outcome.changes += ended.changes
            outcome.announcements += ended.announcements
        }
        return outcome
    }

    /// What a policy `baseline` does to a tour: it counts as seen (S3).
    func countingAsSeen(
        _ app: DomainName, _ id: Identifier, _ definition: TourDefinition
    ) throws(ModelError) -> [RecordChange] {
        var progress = try tourProgress(app, id)
        guard progress.seenRevision < definition.revision else { return [] }
        try checkRoom(for: app)
        progress.state = .finished
        progress.outcome = Gate.policy.rawValue
        progress.revision = max(progress.revision, definition.revision)
        progress.seenRevision = definition.revision
        return [.onboarding(app, OnboardingID(.tour, id.text), progress.stored)]
    }
}
