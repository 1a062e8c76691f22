import DBusTypes

/// The calls about a run of a tour; each replies with the step that is shown after it.
///
/// On a run that has ended they change nothing and reply with how it ended (G8). Each throws `NotFound` for a run that isn't there, and
/// `Unavailable` where what it shows is damaged.
extension StateView {
    /// The outcome of `Tours.Next`: ends a step, if it is still the one shown (T2); past the last the tour is completed (T3).
    public func nextStep(
        _ id: UInt64, ending step: String, sequence: UInt64, at now: Instant
    ) throws(ModelError) -> Outcome {
        let tour = try tourRun(try run(id, .tour))
        guard tour.run.isLive else { return Outcome(reply: [tour.dictionary(isStale: true)]) }
        guard try tour.place(of: step) == tour.place.step, sequence == tour.place.sequence else {
            return Outcome(reply: [tour.dictionary(isStale: true)])
        }
        guard !tour.isLast else { return try concluding(tour, .finish(.completed), at: now) }
        return try moving(tour, to: tour.place.step + 1)
    }

    /// The outcome of `Tours.Back`; on the first step nothing changes (T3).
    public func previousStep(_ id: UInt64) throws(ModelError) -> Outcome {
        let tour = try tourRun(try run(id, .tour))
        guard tour.run.isLive, tour.place.step > 0 else { return Outcome(reply: [tour.dictionary()]) }
        return try moving(tour, to: tour.place.step - 1, goingBack: true)
    }

    /// The outcome of `Tours.GoTo`; throws `NotFound` for a step that the run doesn't have, and nothing changes (T3).
    public func goingToStep(_ id: UInt64, _ step: String) throws(ModelError) -> Outcome {
        let tour = try tourRun(try run(id, .tour))
        guard tour.run.isLive else { return Outcome(reply: [tour.dictionary()]) }
        let place = try tour.place(of: step)
        guard place != tour.place.step else { return Outcome(reply: [tour.dictionary()]) }
        return try moving(tour, to: place, goingBack: place < tour.place.step)
    }

    /// The outcome of `Tours.StepUnavailable`: on in the direction of travel (T5); for another step than the one shown nothing changes.
    ///
    /// Going back past the first, it turns round: a tour never ends by going back.
    public func skippingStep(_ id: UInt64, _ step: String, at now: Instant) throws(ModelError) -> Outcome {
        let tour = try tourRun(try run(id, .tour))
        guard tour.run.isLive, try tour.place(of: step) == tour.place.step else {
            return Outcome(reply: [tour.dictionary(isStale: true)])
        }
        if tour.place.isGoingBack && tour.place.step > 0 {
            return try moving(tour, to: tour.place.step - 1, goingBack: true, isShown: false)
        }
        guard tour.isLast else { return try moving(tour, to: tour.place.step + 1, isShown: false) }
        return try concluding(tour, tour.place.shown.isEmpty ? .unavailable : .completedWithoutLast, at: now)
    }

    /// The outcome of `Tours.Finish`: the first outcome wins (G8); throws `InvalidArgument` for a word that isn't one.
    public func finishingTour(_ id: UInt64, _ outcome: String, at now: Instant) throws(ModelError) -> Outcome {
        guard let wish = TourConclusion.Wish(rawValue: outcome) else {
            let words = TourConclusion.Wish.allCases.map { "\"\($0.rawValue)\"" }.joined(separator: ", ")
            throw .invalidArgument("outcome is \(Value.string(outcome).shortDescription); it must be one of \(words)")
        }
        let tour = try tourRun(try run(id, .tour))
        guard tour.run.isLive else { return Outcome(reply: [tour.dictionary()]) }
        return try concluding(tour, .finish(wish), at: now)
    }

    private func concluding(
        _ tour: TourRun, _ conclusion: TourConclusion, at now: Instant
    ) throws(ModelError) -> Outcome {
        var (outcome, ended, _) = concluding(
            tour, conclusion, progress: try tourProgress(tour.run.app, tour.run.item), at: now)
        outcome.reply = [ended.dictionary(hasChanged: true)]
        return outcome
    }

    /// On to another step; the one that is left counts as shown unless it couldn't be.
    private func moving(
        _ tour: TourRun, to step: Int, goingBack: Bool = false, isShown: Bool = true
    ) throws(ModelError) -> Outcome {
        var moved = tour
        if isShown { moved.place.markShown(tour.step.id) }
        moved.place.step = step
        moved.place.sequence.countOne()
        moved.place.isGoingBack = goingBack
        var changes = [moved.run.change]
        if !tour.run.isReplay {
            var progress = try tourProgress(tour.run.app, tour.run.item)
            progress.reach(moved, keepsStatistics: keepsStatistics(tour.run.app))
            changes.append(change(of: progress, for: tour.run))
        }
        let signal = PresentationSignal.Event.stepChanged(
            step: moved.step.id.text, index: UInt32(clamping: step), count: UInt32(clamping: moved.steps.count),
            sequence: moved.place.sequence)
        return Outcome(
            reply: [moved.dictionary(hasChanged: true)], changes: changes,
            announcements: [.presentation(PresentationSignal(moved.run, signal))])
    }
}
