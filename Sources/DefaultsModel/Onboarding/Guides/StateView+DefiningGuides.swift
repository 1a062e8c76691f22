import DBusTypes

extension StateView {
    /// The outcome of `Guides.Define`: replies whether it changed anything (G4).
    ///
    /// A lower revision than the one that the application defined before changes nothing. Throws `LimitExceeded` for a 257th guide.
    public func definingGuide(
        _ app: DomainName, _ id: Identifier, as definition: GuideDefinition, _ call: Presenting
    ) throws(ModelError) -> Outcome {
        let record = OnboardingID(.guideDefinition, id.text)
        let old = busGuide(app, id)
        if let old, definition.revision < old.revision || definition == old { return Outcome(reply: [.boolean(false)]) }
        if onboarding(app, record) == nil {
            try checkRoom(for: app)
            let count = onboardingIDs(app, .guideDefinition).count
            guard count < GuideDefinition.limit else {
                throw .limitExceeded("\(app) has defined \(count) guides; at most \(GuideDefinition.limit) are allowed")
            }
        }
        try checkRoom(forDefinition: record, of: Value.dictionary(definition.entries).marshalledSize, in: app)
        var outcome = Outcome(
            reply: [.boolean(true)], changes: [.onboarding(app, record, .dictionary(definition.entries))])
        let manifest = files.definitions[app]?.guides[id]
        if let manifest, manifest.revision > definition.revision { return outcome }
        let guide = EffectiveGuide(id: id, definition: definition, source: .bus)
        let history = try launches(of: app, storeLostData: call.storeLostData)
        if let noted = noting(app, guide, try progress(app, guide), history) {
            outcome.changes.append(change(app, id, noted))
        }
        outcome.announcements = liveRuns.filter { $0.isOf(app, id) }.flatMap { run in
            changing(
                run, to: definition,
                from: (old ?? manifest).map { old in
                    (manifest?.revision ?? 0) > old.revision ? manifest ?? old : old
                })
        }
        return outcome
    }

    /// The outcome of `Guides.Remove`: what the application defined goes, and where no manifest defines the guide, all that is known of it.
    ///
    /// Throws `NotFound` where it is defined nowhere.
    public func removingGuide(_ app: DomainName, _ id: Identifier, _ call: Presenting) throws(ModelError) -> Outcome {
        let old = try guide(app, id)
        let record = OnboardingID(.guideDefinition, id.text)
        guard onboarding(app, record) != nil else { return Outcome() }
        var outcome = Outcome(changes: [.onboarding(app, record, nil)])
        let runs = liveRuns.filter { $0.isOf(app, id) }
        if let manifest = files.definitions[app]?.guides[id] {
            outcome.announcements = runs.flatMap { changing($0, to: manifest, from: old.definition) }
            return outcome
        }
        if onboarding(app, Self.progressID(id)) != nil { outcome.changes.append(.onboarding(app, Self.progressID(id), nil)) }
        for run in runs { outcome.append(ending(run, because: .removed, at: call.now)) }
        return outcome
    }

    /// The outcome of `Guides.Reset`: the guide is new again, and a run of it ends; what was counted stays.
    ///
    /// Throws `NotFound` where it isn't defined.
    public func resettingGuide(_ app: DomainName, _ id: Identifier, _ call: Presenting) throws(ModelError) -> Outcome {
        let guide = try guide(app, id)
        var outcome = Outcome()
        for run in liveRuns where run.isOf(app, id) { outcome.append(ending(run, because: .removed, at: call.now)) }
        guard let stored = onboarding(app, Self.progressID(id)) else { return outcome }
        // What can't be read is made new too: there is no other way to be rid of it.
        var reset = GuideProgress(stored: stored)?.reset ?? GuideProgress(revision: guide.definition.revision)
        reset.revision = guide.definition.revision
        if isDue(guide, reset, try launches(of: app, storeLostData: call.storeLostData)) {
            reset.eligible = guide.definition.revision
        }
        let new = reset.isEmpty ? nil : reset.stored
        if new != stored { outcome.changes.append(.onboarding(app, Self.progressID(id), new)) }
        return outcome
    }
}

extension Outcome {
    /// Adds what comes with it, but for the reply.
    mutating func append(_ other: Outcome) {
        changes += other.changes
        announcements += other.announcements
    }
}
