extension StateView {
    /// What ending a run of a guide comes to.
    func endingGuide(_ run: Run, _ place: GuidePlace, because end: RunEnd, at now: Instant) -> Outcome {
        switch end {
        case .countdown(.skipped): ending(run, place, .outcome(.skipped)).rest
        case .countdown(.elapsed): ending(run, place, .outcome(.timedOut)).rest
        // The guide stays (G8); where its owner has left, or a policy forbids it, that ends it.
        case .countdown(.cancelled), .countdown(.ownerLost), .countdown(.policy): Outcome()
        case .ownerLost: ending(run, place, .death).rest
        case .busLost, .policy, .superseded: ending(run, place, .interruption).rest
        case .removed: ending(run, place, .removal).rest
        }
    }

    /// What the presenter of a guide is told when other files take effect.
    func refreshingGuide(_ run: Run, _ place: GuidePlace, with files: FileLayers) -> [Announcement] {
        changing(
            run, to: definedGuide(run.app, run.item, files: files)?.definition,
            from: definedGuide(run.app, run.item, files: self.files)?.definition)
    }

    /// The run as it is when it has ended, and what comes of that: on disk and as the signal Finished.
    ///
    /// A replay leaves no trace in what is known of the guide (G9).
    func ending(_ run: Run, _ place: GuidePlace, _ end: GuideEnd) -> (run: Run, place: GuidePlace, rest: Outcome) {
        var (ended, place) = (run, place)
        var outcome = end.outcome
        var changes: [RecordChange] = []
        if !run.isReplay, end != .removal, let stored = onboarding(run.app, Self.progressID(run.item)),
            var progress = GuideProgress(stored: stored)
        {
            // Launches that can't be read have no number.
            let launches = (try? launches(of: run.app))?.launchCount ?? 0
            outcome = progress.end(
                end, revision: run.revision, maximumAttempts: guideContent(of: run)?.maximumAttempts ?? 0, atLaunch: launches)
            if keepsStatistics(run.app) { progress.statistics.count(outcome) }
            place.attempts = progress.attempts
            changes.append(change(run.app, run.item, progress))
        }
        ended.place = .guide(place)
        ended.state = outcome.state
        ended.outcome = outcome.rawValue
        return (
            ended, place,
            Outcome(
                changes: changes + ending(ended, as: ended.state, outcome: ended.outcome),
                announcements: [.presentation(PresentationSignal(run, .finished(outcome: outcome.rawValue, shown: [])))])
        )
    }
}
