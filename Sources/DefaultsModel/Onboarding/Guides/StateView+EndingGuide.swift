extension StateView {
    /// What ending a run of a guide comes to.
    func endingGuide(_ run: Run, _ place: GuidePlace, because end: RunEnd, at now: Instant) -> Outcome {
        Outcome(
            changes: ending(run, as: .released, outcome: "released"),
            announcements: [.presentation(PresentationSignal(run, .finished(outcome: "released", shown: [])))])
    }

    /// What the presenter of a guide is told when other files take effect.
    func refreshingGuide(_ run: Run, _ place: GuidePlace, with files: FileLayers) -> [Announcement] { [] }
}
