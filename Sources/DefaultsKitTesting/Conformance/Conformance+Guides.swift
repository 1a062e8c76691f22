import DefaultsKit

extension Conformance {
    private static let pages = [GuidePage(title: "One", alt: "1"), GuidePage(title: "Two"), GuidePage(title: "Three")]

    static let guides: [ConformanceCheck] = [
        ConformanceCheck(name: "G1: a guide is shown until the user has ended it, page by page, and then is seen") { subject in
            let (defaults, other) = (subject.defaults, subject.other)
            try subject.expect(await defaults.present(guide: "g"), isSkipped: .undefined, "a guide that nobody defines")
            let definition = GuideDefinition(pages: pages, completion: .button, attributes: ["color": "red", "size": 3])
            try subject.expect(try await defaults.define(guide: "g", definition), "the definition is not new")
            try subject.expect(!(try await defaults.define(guide: "g", definition)), "the same definition is new")
            try subject.expect(await defaults.present(guide: "g"), isSkipped: .notRecorded, "a guide before any launch")
            try subject.expect(await defaults.launch(version: "1.0").pending, is: ["g"], "the pending guides")
            let guide = try await subject.present("g", by: defaults)
            try subject.expect(await other.present(guide: "g"), isSkipped: .busy, "a guide that is presented")
            var states = guide.makeAsyncIterator()
            let first = await states.next()
            try subject.expect(first?.pages, is: pages, "the pages")
            try subject.expect(first?.attributes, is: ["color": "red", "size": 3], "the attributes")
            try subject.expect(first?.isFirst == true && first?.isButtonVisible == false, "the first page has the button")
            try subject.expect(try await guide.advance().page, is: 1, "the next page")
            try subject.expect(await states.next()?.current.title, is: "Two", "the page told")
            try subject.expect(try await guide.advance(by: 100).page, is: 2, "the page past the last")
            try subject.expect(try await guide.advance().outcome, is: nil, "a guide with a button past its last page")
            try subject.expect(await states.next()?.isButtonVisible, is: true, "the button on the last page")
            try subject.expect(try await guide.goTo(page: 0).furthest, is: 2, "the furthest page")
            try await subject.expect(.notFound, "a page that isn't there") { try await guide.goTo(page: 3) }
            try subject.expect(try await guide.finish(.completed).outcome, is: .completed, "the outcome")
            try subject.expect(try await guide.finish(.skipped).outcome, is: .completed, "the outcome after another")
            var last: Presentation.State?
            while let state = await states.next() { last = state }
            try subject.expect(last?.outcome, is: .completed, "the outcome told")
            try subject.expect(await other.present(guide: "g"), isSkipped: .seen, "a guide that was ended")
            try subject.expect(await other.pendingGuides(), is: [], "the pending guides at the end")
        },
        ConformanceCheck(name: "G1: one on from the last page completes a guide that is swiped") { subject in
            try await subject.defaults.define(guide: "g", GuideDefinition(pages: pages))
            _ = await subject.defaults.launch(version: "1.0")
            let guide = try await subject.present("g", by: subject.defaults)
            try await guide.goTo(page: 2)
            try subject.expect(try await guide.advance().outcome, is: .completed, "the outcome")
        },
        ConformanceCheck(name: "G2: what is given back, let go of or cancelled is due again, at its page") { subject in
            try await subject.defaults.define(guide: "g", GuideDefinition(pages: pages))
            _ = await subject.defaults.launch(version: "1.0")
            var guide: Presentation? = try await subject.present("g", by: subject.defaults)
            try await guide?.advance()
            guide = nil
            let again = try await subject.wait(forGuide: "g", by: subject.other)
            try subject.expect(again.state.page, is: 1, "the page where it was left")
            let looping = Task { for await _ in again {} }
            looping.cancel()
            await looping.value
            let third = try await subject.wait(forGuide: "g", by: subject.defaults)
            try subject.expect(third.state.attempts, is: 1, "the attempts: those given back don't count")
            try subject.expect(again.outcome, is: .released, "the outcome of a cancelled one")
            try subject.expect(try await third.finish(.released).outcome, is: .released, "the outcome of one given back")
        },
        ConformanceCheck(name: "G4: attributes follow the definition while it is presented, pages don't") { subject in
            try await subject.defaults.define(guide: "g", GuideDefinition(pages: pages, attributes: ["a": 1]))
            _ = await subject.defaults.launch(version: "1.0")
            let guide = try await subject.present("g", by: subject.defaults)
            var states = guide.makeAsyncIterator()
            _ = await states.next()
            try await subject.other.define(guide: "g", GuideDefinition(pages: [GuidePage(title: "New")], attributes: ["a": 2]))
            let changed = await states.next()
            try subject.expect(changed?.attributes["a", as: Int.self], is: 2, "the attribute")
            try subject.expect(changed?.pages, is: pages, "the pages")
            try await guide.finish(.dismissed)
        },
        ConformanceCheck(name: "G8: a guide's countdown ends it as timed out, a skip as skipped, and its end ends the countdown")
        {
            subject in
            for (index, ending) in ["elapsed", "skipped", "finished"].enumerated() {
                let name = "g\(index)"
                try await subject.defaults.define(
                    guide: name, GuideDefinition(pages: pages, countdown: .init(.seconds(2))))
                if index == 0 { _ = await subject.defaults.launch(version: "1.0") }
                let guide = try await subject.present(name, by: subject.defaults)
                guard let countdown = guide.countdown else {
                    throw ConformanceFailure(check: subject.check, message: "the guide has no countdown")
                }
                let ticks = countdown.makeAsyncIterator()
                try subject.expect(
                    await ticks.next(), is: .tick(.init(remainingTicks: 2, remaining: .seconds(2))), "the first tick")
                switch ending {
                case "elapsed": try await subject.daemon.advance(by: .seconds(2))
                case "skipped": try await countdown.skip()
                default: try await guide.finish(.dismissed)
                }
                var last: Presentation.State?
                for await state in guide { last = state }
                let outcomes: [Presentation.Outcome] = [.timedOut, .skipped, .dismissed]
                try subject.expect(last?.outcome, is: outcomes[index], "the outcome of \(ending)")
                var end: Countdown.Event?
                while let event = await ticks.next() { end = event }
                let reasons: [Countdown.Reason] = [.elapsed, .skipped, .cancelled]
                try subject.expect(end, is: .finished(reasons[index]), "the end of the countdown of \(ending)")
            }
        },
        ConformanceCheck(name: "A definition that breaks a rule is refused, and why is said") { subject in
            try await subject.expect(.invalidArgument, "no pages") {
                try await subject.defaults.define(guide: "g", GuideDefinition(pages: []))
            }
            try await subject.expect(.invalidName, "an empty id") {
                try await subject.defaults.define(guide: "", GuideDefinition(pages: pages))
            }
        },
    ]
}

extension ConformanceCheck.Subject {
    /// Asks for a guide until no one else presents it.
    func wait(forGuide guide: String, by defaults: Defaults) async throws -> Presentation {
        var presentation: Presentation?
        try await wait(for: "guide \(guide)") {
            if case .show(let shown) = await defaults.present(guide: guide) { presentation = shown }
            return presentation != nil
        }
        guard let presentation else { throw ConformanceFailure(check: check, message: "guide \(guide) is not shown") }
        return presentation
    }
}
