extension StateView {
    /// What ending a run of a tip comes to.
    func endingTip(_ run: Run, _ place: TipPlace, because end: RunEnd, at now: Instant) -> Outcome {
        Outcome(
            changes: ending(run, as: .released, outcome: "released"),
            announcements: [.presentation(PresentationSignal(run, .finished(outcome: "released", shown: [])))])
    }
}
