import DefaultsKit

extension Conformance {
    private static let steps = [
        TourStep("a", content: "A", target: "open", direction: .top, attributes: ["color": "red"]), TourStep("b"), TourStep("c"),
    ]

    static let tours: [ConformanceCheck] = [
        ConformanceCheck(name: "T2, T3: a tour goes step by step, once for each step shown, and is completed once") { subject in
            let (defaults, other) = (subject.defaults, subject.other)
            try subject.expect(await defaults.start(tour: "t"), isSkipped: .undefined, "a tour that nobody defines")
            try await defaults.define(tour: "t", TourDefinition(steps: steps, attributes: ["font": "large"]))
            let tour = try await subject.start("t", by: defaults)
            try subject.expect(await other.start(tour: "t"), isSkipped: .busy, "a tour that is presented")
            var states = tour.makeAsyncIterator()
            let first = tour.state
            try subject.expect(await states.next(), is: first, "the first state")
            try subject.expect(first.step, is: steps[0], "the first step")
            try subject.expect(first.attributes, is: ["font": "large"], "the attributes")
            try subject.expect(first.isFirst && !first.isLast && first.count == 3, "the place is not that of the first of three")
            try subject.expect(try await tour.back().index, is: 0, "back from the first")
            let second = try await tour.next(after: first)
            try subject.expect(second.step.id, is: "b", "the next step")
            try subject.expect(try await tour.next(after: first), is: second, "a second next for the same step")
            try subject.expect(await states.next()?.step.id, is: "b", "the step told")
            try subject.expect(try await tour.back().step.id, is: "a", "the step back")
            try subject.expect(try await tour.goTo(step: "c").isLast, is: true, "the last step")
            try await subject.expect(.notFound, "a step that isn't there") { try await tour.goTo(step: "x") }
            try subject.expect(try await tour.next(after: tour.state).outcome, is: .completed, "the outcome")
            try subject.expect(try await tour.finish(.skipped).outcome, is: .completed, "the outcome after another")
            var last: TourRun.State?
            while let state = await states.next() { last = state }
            try subject.expect(last?.outcome, is: .completed, "the outcome told")
            try subject.expect(await other.start(tour: "t"), isSkipped: .seen, "a tour that was ended")
            try await other.reset(tour: "t")
            try subject.expect(try await subject.start("t", by: other).state.index, is: 0, "the step after a reset")
        },
        ConformanceCheck(name: "T5: steps that can't be shown are left out, and a tour of only such is unavailable") { subject in
            try await subject.defaults.define(tour: "t", TourDefinition(steps: steps))
            let tour = try await subject.start("t", by: subject.defaults)
            for id in ["a", "b", "c"] {
                try subject.expect(tour.state.step.id, is: id, "the step")
                try await tour.stepUnavailable(tour.state)
            }
            try subject.expect(tour.outcome, is: .unavailable, "the outcome")
        },
        ConformanceCheck(name: "T7: a tour that is let go of is due again, at its step") { subject in
            try await subject.defaults.define(tour: "t", TourDefinition(steps: steps))
            var tour: TourRun? = try await subject.start("t", by: subject.defaults)
            if let shown = tour?.state { try await tour?.next(after: shown) }
            tour = nil
            var again: TourRun?
            try await subject.wait(for: "the tour") {
                if case .show(let run) = await subject.other.start(tour: "t") { again = run }
                return again != nil
            }
            try subject.expect(again?.state.step.id, is: "b", "the step where it was left")
        },
        ConformanceCheck(name: "T4: duplicate ids are refused, and why is said") { subject in
            try await subject.expect(.invalidArgument, "two steps of one id") {
                try await subject.defaults.define(tour: "t", TourDefinition(steps: [steps[0], steps[0]]))
            }
        },
    ]
}
