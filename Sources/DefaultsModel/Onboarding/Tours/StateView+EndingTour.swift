import DBusTypes

extension StateView {
    /// What ending a run of a tour comes to.
    func endingTour(_ run: Run, _ place: TourPlace, because end: RunEnd, at now: Instant) -> Outcome {
        guard let tour = try? tourRun(run), let progress = try? tourProgress(run.app, run.item) else {
            // Damaged: the stage gets free, and what there is of the tour stays as it is.
            return Outcome(
                changes: ending(run, as: .released, outcome: "released"),
                announcements: [
                    .presentation(
                        PresentationSignal(run, .finished(outcome: "released", shown: place.shown.map(\.text))))
                ])
        }
        let conclusion =
            run.isReplay
            ? TourConclusion.end(end, attempt: 0, of: 0)
            : .end(end, attempt: progress.attempts, of: tour.definition.maximumAttempts)
        // Who removes a tour knows what becomes of its progress.
        return concluding(tour, conclusion, progress: end == .removed ? nil : progress, at: now).outcome
    }

    /// The changes and the signal of a run's end, the run as it is then, and the progress.
    ///
    /// `progress` is what there was of the tour; nil where nothing is to be written of it.
    func concluding(
        _ tour: TourRun, _ conclusion: TourConclusion, progress: TourProgress?, at now: Instant
    ) -> (outcome: Outcome, tour: TourRun, progress: TourProgress?) {
        let shown = conclusion.showsStep ? tour.shownNow : tour.place.shown
        var ended = tour
        if conclusion.isSeen && conclusion.showsStep { ended.place.markShown(tour.step.id) }
        ended.run.state = conclusion.state
        ended.run.outcome = conclusion.outcome
        var outcome = Outcome(
            changes: ending(ended.run, as: conclusion.state, outcome: conclusion.outcome),
            announcements: [
                .presentation(
                    PresentationSignal(
                        tour.run, .finished(outcome: conclusion.outcome, shown: shown.map(\.text))))
            ])
        var concluded = tour.run.isReplay ? nil : progress
        if concluded != nil {
            concluded?.conclude(ended, conclusion, keepsStatistics: keepsStatistics(tour.run.app), at: now)
            outcome.changes += concluded.map { [change(of: $0, for: tour.run)] } ?? []
        }
        return (outcome, ended, concluded)
    }

    /// The change that puts the progress of a run's tour on disk.
    func change(of progress: TourProgress, for run: Run) -> RecordChange {
        .onboarding(run.app, OnboardingID(.tour, run.item.text), progress.stored)
    }

    /// What the presenter of a tour is told when other files take effect: the signal Changed where the attributes differ.
    func refreshingTour(_ run: Run, _ place: TourPlace, with files: FileLayers) -> [Announcement] {
        // Where the tour isn't defined any more the run goes on as it is.
        guard let old = try? tour(run.app, run.item), let new = try? tour(run.app, run.item, with: files) else { return [] }
        return announcing(new.definition.attributes, to: run, insteadOf: old.definition.attributes)
    }

    /// The signal Changed to the presenter of a run of a tour, where its attributes are others than they were.
    func announcing(
        _ attributes: DictionaryValue, to run: Run, insteadOf old: DictionaryValue?
    ) -> [Announcement] {
        guard let tour = try? tourRun(run), attributes != old ?? tour.attributes,
            let refreshed = TourRun(run, tour.place, tour.definition, attributes: attributes)
        else { return [] }
        return [.presentation(PresentationSignal(run, .tourChanged(refreshed.dictionary())))]
    }
}
