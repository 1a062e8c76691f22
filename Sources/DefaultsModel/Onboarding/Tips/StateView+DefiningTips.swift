import DBusTypes

extension StateView {
    /// How many tips of one application may be defined over the bus (P12).
    public static let maximumTips = 256

    /// The outcome of `Tips.Define`: replies whether this differs from the definition in effect.
    ///
    /// The same again and a lower revision change nothing (G4). Throws `LimitExceeded` for too many.
    public func definingTip(
        _ app: DomainName, _ tip: Identifier, _ definition: TipDefinition
    ) throws(ModelError) -> Outcome {
        let earlier = try definedTip(app, tip)
        if let earlier, earlier.definition.entries == definition.entries || definition.revision < earlier.definition.revision {
            return Outcome(reply: [.boolean(false)], changes: markingSeen(app, earlier))
        }
        let others = onboardingIDs(app, .tipDefinition)
        var order: UInt64
        if let known = earlier?.ofBus?.order {
            order = known
        } else {
            guard others.count < Self.maximumTips else {
                throw .limitExceeded(
                    "\"\(app)\" has defined \(others.count) tips already; at most \(Self.maximumTips) are allowed")
            }
            try checkRoom(for: app)
            let orders = others.compactMap { onboarding(app, $0).flatMap(BusTipDefinition.init(stored:))?.order }
            order = orders.max() ?? 0
            order.countOne()
        }
        let ofBus = BusTipDefinition(order: order, definition: definition)
        try checkRoom(forDefinition: BusTipDefinition.record(tip), of: ofBus.stored.marshalledSize, in: app)
        let progress = try record(app, TipProgress.record(tip), TipProgress.init(stored:))
        let new = DefinedTip(tip, ofBus: ofBus, ofManifest: earlier?.ofManifest, progress: progress)
        return Outcome(
            reply: [.boolean(true)],
            changes: [.onboarding(app, BusTipDefinition.record(tip), ofBus.stored)] + (new.map { markingSeen(app, $0) } ?? []))
    }

    /// The changes that have a tip count as seen where the policy is `baseline` (S3); none elsewhere.
    func markingSeen(_ app: DomainName, _ tip: DefinedTip) -> [RecordChange] {
        guard policy(app, .tip).mode == .baseline, tip.invalidity(isOnScreen: false) == nil else { return [] }
        var progress = tip.progress
        progress.invalidity = .policy
        return [.onboarding(app, TipProgress.record(tip.id), progress.stored)]
    }

    /// The outcome of `Tips.Remove`: what was defined over the bus goes, its runs end, and, where no manifest defines it, what became of it goes too.
    ///
    /// Throws `NotFound` where nobody defines it.
    public func removingTip(_ app: DomainName, _ tip: Identifier, at now: Instant) throws(ModelError) -> Outcome {
        let known = try self.tip(app, tip)
        guard known.ofBus != nil else { return Outcome() }
        var outcome = endingRuns(ofTip: tip, app, at: now)
        outcome.changes.append(.onboarding(app, BusTipDefinition.record(tip), nil))
        let record = TipProgress.record(tip)
        if known.ofManifest == nil, onboarding(app, record) != nil { outcome.changes.append(.onboarding(app, record, nil)) }
        return outcome
    }

    /// The outcome of `Tips.Reset`: the tip is new again, and its runs end; what was counted for statistics stays.
    ///
    /// Throws `NotFound` where nobody defines it.
    public func resettingTip(_ app: DomainName, _ tip: Identifier, at now: Instant) throws(ModelError) -> Outcome {
        let known = try self.tip(app, tip)
        var outcome = endingRuns(ofTip: tip, app, at: now)
        let renewed = known.progress.renewed(revision: known.definition.revision).stored
        let record = TipProgress.record(tip)
        if onboarding(app, record) != renewed { outcome.changes.append(.onboarding(app, record, renewed)) }
        return outcome
    }

    private func endingRuns(ofTip tip: Identifier, _ app: DomainName, at now: Instant) -> Outcome {
        var outcome = Outcome()
        for run in liveRuns(ofTip: tip, app) {
            let ended = ending(run, because: .removed, at: now)
            outcome.changes += ended.changes
            outcome.announcements += ended.announcements
        }
        return outcome
    }
}
