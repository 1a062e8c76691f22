import DBusTypes

/// A wish to present a guide.
public struct GuideWish: Sendable {
    /// The application.
    public let app: DomainName
    /// Which guide.
    public let guide: Identifier
    /// How.
    public let options: GuideOptions
    /// When it came, and from whom.
    public let call: Presenting
    /// The UID of the caller, who will have the guide's countdown.
    public let user: UInt32

    /// Describes a call of `Guides.Present`.
    public init(app: DomainName, guide: Identifier, options: GuideOptions, call: Presenting, user: UInt32) {
        self.app = app
        self.guide = guide
        self.options = options
        self.call = call
        self.user = user
    }
}

extension StateView {
    /// The outcome of `Guides.Present`: replies whether to show it, the first gate that is closed, the run and the guide.
    ///
    /// A guide left in the middle goes on at its page (G2). Throws `NotFound` for one that isn't defined, `InvalidName` for a token that breaks
    /// the rule, `AlreadyExists` and `LimitExceeded` as `Countdowns.Start` does, `Unavailable` where what is stored can't be read.
    ///
    /// `plan` checks whether the guide's countdown would be taken, and gives its record.
    public func presentingGuide(
        _ wish: GuideWish, plan: (CountdownStart) throws(ModelError) -> Value?
    ) throws(ModelError) -> Outcome {
        let (app, call) = (wish.app, wish.call)
        let guide = try guide(app, wish.guide)
        if !wish.options.countdownToken.isEmpty {
            _ = try CountdownID(owner: call.caller.name, token: wish.options.countdownToken)
        }
        let gates = try guideGates(app, guide.id, call, isReplay: wish.options.isReplay)
        if let closed = gates.closed {
            var changes: [RecordChange] = []
            if closed == .policy, !wish.options.isReplay,
                let noted = noting(app, guide, try progress(app, guide), try launches(of: app, storeLostData: call.storeLostData))
            {
                try checkRoom(for: app)
                changes.append(change(app, guide.id, noted))
            }
            let view = try view(of: guide, in: app)
            return Outcome(reply: [.boolean(false), .string(gates.reason), .uint64(0), view], changes: changes)
        }
        try checkRoom(for: app)
        return try beginning(guide, wish, plan: plan)
    }

    private func beginning(
        _ guide: EffectiveGuide, _ wish: GuideWish, plan: (CountdownStart) throws(ModelError) -> Value?
    ) throws(ModelError) -> Outcome {
        let (app, call, definition) = (wish.app, wish.call, guide.definition)
        var outcome = Outcome()
        var progress = try progress(app, guide)
        // A run that has gone silent has the item, not the stage (S1): this one goes on where that one is.
        for run in liveRuns where run.isOf(app, guide.id) {
            let ended = ending(run, because: .superseded, at: call.now)
            outcome.append(ended)
            for case .onboarding(app, Self.progressID(guide.id), let value?) in ended.changes {
                progress = GuideProgress(stored: value) ?? progress
            }
        }
        let place: GuidePlace
        if wish.options.isReplay {
            place = GuidePlace(page: 0, furthest: 0, attempts: progress.current(for: definition).attempts)
        } else {
            let page = progress.begin(definition, atLaunch: try launches(of: app).launchCount)
            if keepsStatistics(app) { progress.statistics.countShown(at: page) }
            place = GuidePlace(page: page, furthest: progress.furthest, attempts: progress.attempts)
            outcome.changes.append(change(app, guide.id, progress))
        }
        let (number, numberChange) = nextNumber
        let countdown = try countdown(of: definition, wish, run: number)
        let run = Run(
            id: number, app: app, item: guide.id, revision: definition.revision, owner: call.caller,
            isReplay: wish.options.isReplay, outlivesOwner: wish.options.onOwnerLost == .keep, began: call.now.wall,
            countdown: countdown?.id.recordKey, place: .guide(place))
        outcome.changes += [numberChange, run.change, .onboarding(.global, run.contentRecord, .dictionary(definition.entries))]
        if let countdown {
            if let record = try plan(countdown) { outcome.changes.append(.countdown(countdown.id.recordKey, record)) }
            outcome.announcements.append(.countdownBegins(countdown))
        }
        let view = view(of: run, place, definition, inEffect: definition)
        outcome.reply = [.boolean(true), .string(""), .uint64(number), view.dictionary]
        return outcome
    }

    /// The countdown that begins with a guide; nil where it has none.
    private func countdown(
        of definition: GuideDefinition, _ wish: GuideWish, run: UInt64
    ) throws(ModelError) -> CountdownStart? {
        guard let spec = definition.countdown else { return nil }
        let token = wish.options.countdownToken
        let scale = PreferenceKey(CountdownScale.key).flatMap { effectiveValue(.global, $0)?.value }
        return try CountdownStart(
            token: token.isEmpty ? "guide_\(run)" : token, spec: spec, scale: CountdownScale(scale),
            owner: CountdownOwner(name: wish.call.caller.name, user: wish.user, app: wish.call.sandbox), at: wish.call.now)
    }
}
