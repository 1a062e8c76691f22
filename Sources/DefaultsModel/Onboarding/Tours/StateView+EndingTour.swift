extension StateView {
    /// What ending a run of a tour comes to.
    func endingTour(_ run: Run, _ place: TourPlace, because end: RunEnd, at now: Instant) -> Outcome {
        Outcome(
            changes: ending(run, as: .released, outcome: "released"),
            announcements: [.presentation(PresentationSignal(run, .finished(outcome: "released", shown: [])))])
    }

    /// What the presenter of a tour is told when other files take effect.
    func refreshingTour(_ run: Run, _ place: TourPlace, with files: FileLayers) -> [Announcement] { [] }
}
