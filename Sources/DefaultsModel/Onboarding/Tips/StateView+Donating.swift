import DBusTypes

extension StateView {
    /// The outcome of `Tips.Donate`: counts an event, and replies how often it was donated in all.
    ///
    /// Throws `LimitExceeded` for one event too many.
    public func donating(
        _ app: DomainName, _ event: Identifier, count: UInt32, at now: Instant
    ) throws(ModelError) -> Outcome {
        let id = OnboardingID(.event, event.text)
        let earlier = try self.event(app, event)
        guard count > 0 else { return Outcome(reply: [.uint64(earlier?.total ?? 0)]) }
        if earlier == nil {
            let known = onboardingIDs(app, .event).count
            guard known < EventRecord.maximumEvents else {
                throw .limitExceeded(
                    "\"\(app)\" has donated \(known) events already; at most \(EventRecord.maximumEvents) are allowed")
            }
            try checkRoom(for: app)
        }
        var record = earlier ?? EventRecord()
        record = record.clamped(at: now) ?? record
        record.add(UInt64(count), at: now)
        return Outcome(reply: [.uint64(record.total)], changes: [.onboarding(app, id, record.stored)])
    }

    /// How often an event was donated; nil for never, `Unavailable` where what is stored can't be read (P8).
    func event(_ app: DomainName, _ event: Identifier) throws(ModelError) -> EventRecord? {
        try record(app, OnboardingID(.event, event.text), EventRecord.init(stored:))
    }

    /// The changes that take times of an application's tips that lie in the future for now, so that they delay nothing beyond their intervals (I3).
    ///
    /// Reads take them for now too; only written back do they go by from then on.
    public func clampingTipTimes(of app: DomainName, at now: Instant) -> [RecordChange] {
        var changes: [RecordChange] = []
        for id in onboardingIDs(app) {
            guard let stored = onboarding(app, id) else { continue }
            switch id.kind {
            case .event:
                guard let record = EventRecord(stored: stored)?.clamped(at: now) else { continue }
                changes.append(.onboarding(app, id, record.stored))
            case .tip:
                guard var progress = TipProgress(stored: stored), let since = progress.snooze?.since, since > now.wall else {
                    continue
                }
                progress.snooze?.since = now.wall
                changes.append(.onboarding(app, id, progress.stored))
            case .configuration, .launches, .flag, .guideDefinition, .guide, .tourDefinition, .tour, .tipDefinition, .tips, .run,
                .runContent, .stage, .inhibitor:
                break
            }
        }
        for domain in [app, .global] {
            guard let pace = onboarding(domain, TipPace.record).flatMap(TipPace.init(stored:)), pace.lastFirstShowing > now.wall
            else { continue }
            changes.append(.onboarding(domain, TipPace.record, TipPace(lastFirstShowing: now.wall).stored))
        }
        return changes
    }
}
