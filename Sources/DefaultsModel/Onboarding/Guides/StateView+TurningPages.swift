import DBusTypes

extension StateView {
    /// The outcome of `Guides.Advance`: `by` pages on, or back where it is negative, within the pages.
    ///
    /// One on from the last page completes a `swipe` guide and changes nothing in a `button` guide. Throws `NotFound` for a run that never was.
    public func advancingGuide(_ id: UInt64, by pages: Int32) throws(ModelError) -> Outcome {
        let (run, place, content) = try presentedGuide(id)
        let last = content.pageCount - 1
        if run.isLive, pages == 1, place.page == last, content.completion == .swipe {
            return try finishingGuide(id, as: .completed)
        }
        return try turning(run, place, content, to: min(max(place.page + Int(pages), 0), last))
    }

    /// The outcome of `Guides.GoTo`; throws `NotFound` for a page that isn't there, and for a run that never was (G7).
    public func turningGuide(_ id: UInt64, to page: UInt32) throws(ModelError) -> Outcome {
        let (run, place, content) = try presentedGuide(id)
        guard !run.isLive || page < content.pageCount else {
            throw .notFound("run \(id) has no page \(page); its pages are 0 to \(content.pageCount - 1)")
        }
        return try turning(run, place, content, to: Int(page))
    }

    /// The outcome of `Guides.Finish`: the first outcome wins, later calls return it (G8).
    public func finishingGuide(_ id: UInt64, as outcome: GuideOutcome) throws(ModelError) -> Outcome {
        let (run, place, content) = try presentedGuide(id)
        let inEffect = definedGuide(run.app, run.item, files: files)?.definition
        guard run.isLive else { return Outcome(reply: [view(of: run, place, content, inEffect: inEffect).dictionary]) }
        let (ended, endedPlace, rest) = ending(run, place, .outcome(outcome))
        var result = rest
        if let countdown = run.countdown { result.end(countdown, of: run.owner, as: .cancelled) }
        result.reply = [view(of: ended, endedPlace, content, inEffect: inEffect).dictionary]
        return result
    }

    /// A run with what it shows, also one that has ended and still answers.
    private func presentedGuide(_ id: UInt64) throws(ModelError) -> (Run, GuidePlace, GuideDefinition) {
        let run = try run(id, .guide)
        guard case .guide(let place) = run.place else { preconditionFailure("the run of a guide has a guide's place") }
        guard let content = guideContent(of: run) else { throw .unavailable("what run \(id) shows can't be read") }
        return (run, place, content)
    }

    private func turning(
        _ run: Run, _ place: GuidePlace, _ content: GuideDefinition, to page: Int
    ) throws(ModelError) -> Outcome {
        guard run.isLive, page != place.page else { return Outcome(reply: [try view(of: run, place)]) }
        var turned = run
        var place = place
        place.page = page
        place.furthest = max(place.furthest, page)
        turned.place = .guide(place)
        var outcome = Outcome(reply: [try view(of: turned, place)], changes: [turned.change])
        if !run.isReplay, let stored = onboarding(run.app, Self.progressID(run.item)),
            var progress = GuideProgress(stored: stored)
        {
            progress.turn(to: page)
            if keepsStatistics(run.app) { progress.statistics.reach(page) }
            outcome.changes.append(change(run.app, run.item, progress))
        }
        let count = UInt32(clamping: content.pageCount)
        outcome.announcements = [
            .presentation(PresentationSignal(turned, .pageChanged(page: UInt32(clamping: page), count: count)))
        ]
        return outcome
    }
}
