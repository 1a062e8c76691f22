import DefaultsKit

extension Keys {
    fileprivate static let number = Key<Int>("number", default: 0)
    fileprivate static let text = Key<String?>("text")
}

extension Conformance {
    static let absence: [ConformanceCheck] = [
        ConformanceCheck(name: "While the daemon is away values are stale, decisions show nothing, and writes wait for it") {
            subject in
            try await subject.defaults.set(1, for: .number).onDisk()
            let values = subject.defaults.watch(.number).makeAsyncIterator()
            try subject.expect(await values.next(), is: 1, "the first element")
            try await subject.daemon.stop()
            try subject.expect(subject.defaults.reading(.number).value, is: 1, "the last value")
            try subject.expect(subject.defaults.reading(.number).isStale, "the last value is not stale")
            try subject.expect(!(await subject.defaults.once("away")), "once is true without a daemon")
            try subject.expect(await subject.defaults.launch(version: "1.0").kind, is: .unknown, "the launch without a daemon")
            subject.defaults[.text] = "kept"
            try subject.expect(subject.defaults[.text], is: "kept", "the writer's own read")
            try await subject.expect(.unreachable, "waiting for the disk") {
                try await subject.defaults.set(2, for: .number).onDisk()
            }
            try subject.expect(await values.next(), is: 2, "the writer's own change")
            try await subject.daemon.start()
            try await subject.wait(for: "the write") { subject.other.reading(.number).value == 2 }
            try subject.expect(subject.other[.text], is: "kept", "what was written meanwhile")
            try await subject.other.set(3, for: .number).onDisk()
            try subject.expect(await values.next(), is: 3, "the next change, and no other before it")
        },
        ConformanceCheck(name: "A countdown goes on here while the daemon is away, and what is done to it counts") { subject in
            let countdown = subject.defaults.countdown(.seconds(1_000))
            let events = countdown.makeAsyncIterator()
            _ = await events.next()
            try await subject.daemon.stop()
            try await subject.wait(for: "the skip") {
                do {
                    try await countdown.skip()
                    return true
                } catch {
                    return countdown.reason != nil
                }
            }
            var last: Countdown.Event?
            while let event = await events.next() { last = event }
            try subject.expect(last, is: .finished(.skipped), "the end")
            try await subject.daemon.start()
            try await subject.defaults.set(1, for: .number).onDisk()
        },
        ConformanceCheck(name: "While the daemon is away nothing is shown, within 500 ms") { subject in
            try await subject.defaults.define(guide: "g", GuideDefinition(pages: [GuidePage(title: "One")]))
            try await subject.defaults.define(tour: "t", TourDefinition(steps: [TourStep("a")]))
            try await subject.defaults.define(tip: "t", TipDefinition(title: "Tip"))
            let statuses = subject.defaults.tips.makeAsyncIterator()
            try subject.expect(await statuses.next()?.map(\.isAvailable), is: [true], "the status of the tip")
            try await subject.daemon.stop()
            try subject.expect(await statuses.next()?.map(\.reason), is: [.unavailable], "the reason without a daemon")
            try subject.expect(await subject.defaults.present(guide: "g"), isSkipped: .unavailable, "a guide")
            try subject.expect(await subject.defaults.start(tour: "t"), isSkipped: .unavailable, "a tour")
            try subject.expect(await subject.defaults.present(tip: "t"), isSkipped: .unavailable, "a tip")
            try subject.expect(await subject.defaults.pendingGuides(), is: [], "the pending guides")
            try await subject.daemon.start()
            try subject.expect(await statuses.next()?.map(\.isAvailable), is: [true], "the status with it again")
        },
        ConformanceCheck(name: "A guide goes on here while the daemon is away, and the daemon hears of it when it is back") {
            subject in
            let pages = ["One", "Two", "Three"].map { GuidePage(title: $0) }
            try await subject.defaults.define(guide: "g", GuideDefinition(pages: pages))
            _ = await subject.defaults.launch(version: "1.0")
            let guide = try await subject.present("g", by: subject.defaults)
            try await subject.daemon.stop()
            try subject.expect(try await guide.advance().page, is: 1, "the page without a daemon")
            try await subject.expect(.notFound, "a page that isn't there") { try await guide.goTo(page: 3) }
            try await subject.daemon.start()
            try subject.expect(try await guide.advance().page, is: 2, "the page with it again")
            try await subject.daemon.stop()
            try subject.expect(try await guide.advance().outcome, is: .completed, "the outcome without a daemon")
            try await subject.daemon.start()
            try await subject.wait(for: "the daemon's knowing of the end") {
                guard case .skip(let reason) = await subject.other.present(guide: "g") else { return false }
                return reason == .seen
            }
        },
        ConformanceCheck(name: "A tour goes on here while the daemon is away, where this process has defined it") { subject in
            let steps = ["a", "b", "c"].map { TourStep($0) }
            try await subject.defaults.define(tour: "t", TourDefinition(steps: steps))
            let tour = try await subject.start("t", by: subject.defaults)
            try await subject.daemon.stop()
            try subject.expect(try await tour.next(after: tour.state).step.id, is: "b", "the step without a daemon")
            try await subject.daemon.start()
            try subject.expect(try await tour.next(after: tour.state).step.id, is: "c", "the step with it again")
            try subject.expect(try await tour.next(after: tour.state).outcome, is: .completed, "the outcome")
            try await subject.wait(for: "the daemon's knowing of the end") {
                guard case .skip(let reason) = await subject.other.start(tour: "t") else { return false }
                return reason == .seen
            }
        },
    ]
}
