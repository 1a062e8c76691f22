import DBusTypes

extension StateView {
    /// The outcome of `Tours.Start`: replies whether to show it, the reason why not, the number of the run and the step.
    ///
    /// A run that lost the stage by silence ends, and the tour goes on at its step (S1). Throws `NotFound` where nobody defines the tour.
    public func startingTour(
        _ app: DomainName, _ id: Identifier, _ options: TourStartOptions, _ call: Presenting
    ) throws(ModelError) -> Outcome {
        let definition = try definedTour(app, id)
        var progress = try tourProgress(app, id)
        let live = liveRuns(ofTour: id, of: app)
        let isPresented = live.contains { !$0.isReplay }
        var standing = definition.standing(progress, isPresented: isPresented, at: call.now)
        var gates = GateList()
        check(app, standing, isReplay: options.isReplay, call, &gates)
        if let closed = gates.closed {
            let writes = options.isReplay ? [] : try notShown(app, id, definition, progress, standing, because: closed)
            let listed = definition.listed(progress, standing, isPresented: isPresented)
            return Outcome(
                reply: [
                    .boolean(false), .string(closed.rawValue), .uint64(0),
                    definition.answer(progress, listed, standing).dictionary(),
                ], changes: writes)
        }
        var outcome = Outcome()
        for run in live {
            let tour = try tourRun(run)
            let ended = concluding(
                tour, .end(.superseded, attempt: 0, of: 0), progress: progress, at: call.now)
            outcome.changes += ended.outcome.changes
            outcome.announcements += ended.outcome.announcements
            progress = ended.progress ?? progress
            standing = definition.standing(progress, isPresented: false, at: call.now)
        }
        guard case .due(let due) = options.isReplay ? .due(TourStanding.Beginning()) : standing else {
            // Only where the step of the run that was silent is gone, and all after it: there is nothing left to show.
            outcome.changes += try notShown(app, id, definition, progress, standing, because: .seen)
            let listed = definition.listed(progress, standing, isPresented: false)
            outcome.reply = [
                .boolean(false), .string(Gate.seen.rawValue), .uint64(0),
                definition.answer(progress, listed, standing).dictionary(),
            ]
            return outcome
        }
        return try beginning(app, id, definition, progress, due, options, call, after: outcome)
    }

    private func beginning(
        _ app: DomainName, _ id: Identifier, _ definition: TourDefinition, _ progress: TourProgress,
        _ due: TourStanding.Beginning, _ options: TourStartOptions, _ call: Presenting, after earlier: Outcome
    ) throws(ModelError) -> Outcome {
        try checkRoom(for: app)
        try checkRoom(for: .global)
        let (number, numbering) = nextNumber
        let place = TourPlace(step: due.step, shown: due.shown, newerThan: due.newerThan)
        let run = Run(
            id: number, app: app, item: id, revision: definition.revision, owner: call.caller, isReplay: options.isReplay,
            outlivesOwner: options.outlivesOwner, began: call.now.wall, place: .tour(place))
        guard let tour = TourRun(run, place, definition, attributes: definition.attributes) else {
            throw .unavailable("tour \"\(id)\" of \(app) has no step \(due.step)")
        }
        var outcome = earlier
        outcome.changes += [numbering, run.change, .onboarding(.global, run.contentRecord, .dictionary(definition.entries))]
        if !options.isReplay {
            var begun = progress
            begun.begin(tour, keepsStatistics: keepsStatistics(app), at: call.now)
            outcome.changes.append(change(of: begun, for: run))
        }
        outcome.reply = [.boolean(true), .string(""), .uint64(number), tour.dictionary(hasChanged: true)]
        return outcome
    }

    /// What is written of a tour that isn't shown: that it counts as seen.
    private func notShown(
        _ app: DomainName, _ id: Identifier, _ definition: TourDefinition, _ progress: TourProgress,
        _ standing: TourStanding, because closed: Gate
    ) throws(ModelError) -> [RecordChange] {
        if closed == .policy {
            return policy(app, .tour).mode == .baseline ? try countingAsSeen(app, id, definition) : []
        }
        guard closed == .seen, case .seen(isNew: true, why: _) = standing else { return [] }
        var over = progress
        over.state = .finished
        over.outcome = TourConclusion.Wish.completed.rawValue
        over.revision = max(over.revision, definition.revision)
        over.seenRevision = definition.revision
        return [.onboarding(app, OnboardingID(.tour, id.text), over.stored)]
    }

    // MARK: Gates

    /// The gates of a tour, as `Tours.Start` passes them, for `Admin.Explain` (S4); throws `NotFound` where nobody defines it.
    public func tourGates(
        _ app: DomainName, _ id: Identifier, _ call: Presenting, explaining isExplaining: Bool
    ) throws(ModelError) -> GateList {
        let definition = try definedTour(app, id)
        let progress = try tourProgress(app, id)
        let isPresented = liveRuns(ofTour: id, of: app).contains { !$0.isReplay }
        var gates = GateList(explaining: isExplaining)
        check(
            app, definition.standing(progress, isPresented: isPresented, at: call.now), isReplay: false, call, &gates)
        return gates
    }

    private func check(
        _ app: DomainName, _ standing: TourStanding, isReplay: Bool, _ call: Presenting, _ gates: inout GateList
    ) {
        checkPolicy(app, .tour, &gates)
        if !isReplay {
            switch standing {
            case .seen(_, let why):
                gates.check(.seen, false, why)
                gates.check(.abandoned, true, "it counts as seen")
            case .abandoned(let why):
                gates.check(.seen, true, "the user has not ended it")
                gates.check(.abandoned, false, why)
            case .due(let due):
                gates.check(.seen, true, "due from step \(due.step) on\(due.isResumed ? ", where it was left" : "")")
                gates.check(.abandoned, true, "attempts are left")
            }
        }
        checkStage(call, &gates)
    }
}

extension TourDefinition {
    /// What `Tours.Start` returns of a tour that it doesn't have shown: the step at which it would begin, else the one at which it was left.
    fileprivate func answer(
        _ progress: TourProgress, _ listed: TourProgress, _ standing: TourStanding
    ) -> TourAnswer {
        var steps = steps
        var index = progress.place(in: steps) ?? steps.count - 1
        if case .due(let due) = standing {
            steps = self.steps(newerThan: due.newerThan)
            index = due.step
        }
        return TourAnswer(
            steps: steps, index: index, sequence: 0, state: listed.state.rawValue, outcome: listed.outcome,
            attributes: attributes)
    }
}
