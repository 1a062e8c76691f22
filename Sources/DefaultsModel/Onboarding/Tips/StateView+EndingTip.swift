extension StateView {
    /// What ending a run of a tip comes to.
    ///
    /// Tips have no signal of a run's end; whether they are available is told to those who watch.
    func endingTip(_ run: Run, _ place: TipPlace, because end: RunEnd, at now: Instant) -> Outcome {
        var instant = now
        switch end {
        case .ownerLost, .policy, .superseded, .countdown, .removed: break
        case .busLost:
            // Since when nobody has seen it isn't known: it may be hours.
            instant.boottime = place.shownSince
        }
        guard !run.isReplay, end != .removed,
            var progress = onboarding(run.app, TipProgress.record(run.item)).flatMap(TipProgress.init(stored:))
        else {
            var progress = TipProgress(revision: run.revision)
            return Outcome(changes: endingRun(run, as: .released, outcome: Self.released, &progress, at: instant))
        }
        let changes = endingRun(run, as: .released, outcome: Self.released, &progress, at: instant)
        return Outcome(changes: changes + [.onboarding(run.app, TipProgress.record(run.item), progress.stored)])
    }
}
