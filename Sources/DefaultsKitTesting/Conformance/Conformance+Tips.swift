import DefaultsKit

extension Conformance {
    static let tips: [ConformanceCheck] = [
        ConformanceCheck(name: "I2: rules on events and preferences are evaluated at once, and told to who follows the tips") {
            subject in
            let (defaults, other) = (subject.defaults, subject.other)
            try subject.expect(await defaults.present(tip: "t"), isSkipped: .undefined, "a tip that nobody defines")
            var tip = TipDefinition(
                title: "Filter", message: "Try it.",
                rules: [.event("opened", .greaterOrEqual, 2), .preference("expert", .notEqual, true)], attributes: ["n": 1])
            tip.target = "button"
            try await defaults.define(tip: "t", tip)
            let statuses = other.tips.makeAsyncIterator()
            try subject.expect(await statuses.next()?.map(\.reason), is: [.rules], "the reason at first")
            try subject.expect(await defaults.present(tip: "t"), isSkipped: .rules, "a tip whose rules don't hold")
            try subject.expect(try await defaults.donate("opened"), is: 1, "the first total")
            try subject.expect(try await defaults.donate("opened"), is: 2, "the second total")
            try subject.expect(await statuses.next()?.map(\.isAvailable), is: [true], "the status after the events")
            try await defaults.set(true, forKey: "expert").onDisk()
            try subject.expect(await statuses.next()?.map(\.reason), is: [.rules], "the reason for experts")
            try await defaults.set(false, forKey: "expert").onDisk()
            try subject.expect(await statuses.next()?.map(\.isAvailable), is: [true], "the status for others")
            let shown = try await subject.present(tip: "t", by: defaults)
            try subject.expect(shown.state.title, is: "Filter", "the title")
            try subject.expect(shown.state.target, is: "button", "the target")
            try subject.expect(shown.state.attributes, is: ["n": 1], "the attributes")
            try subject.expect(shown.state.displayCount, is: 1, "the display count")
            try subject.expect(await statuses.next()?.map(\.reason), is: [.busy], "the reason while it is shown")
            try subject.expect(try await shown.finish(.action).ending, is: .action, "the ending")
            try subject.expect(try await shown.finish(.hidden).ending, is: .action, "the ending after another")
            try subject.expect(await statuses.next()?.map(\.reason), is: [.invalid], "the reason once it is used up")
            try subject.expect(await other.present(tip: "t"), isSkipped: .invalid, "a tip that is used up")
        },
        ConformanceCheck(name: "I3: a tip that is put off comes again after its time") { subject in
            try await subject.defaults.define(tip: "t", TipDefinition(title: "Later"))
            try await subject.defaults.snooze(tip: "t", for: .seconds(60))
            let statuses = subject.other.tips.makeAsyncIterator()
            try subject.expect(await statuses.next()?.map(\.reason), is: [.snoozed], "the reason")
            try await subject.daemon.advance(by: .seconds(61))
            try subject.expect(await statuses.next()?.map(\.isAvailable), is: [true], "the status afterwards")
        },
        ConformanceCheck(name: "A tip that is let go of is hidden, and comes again") { subject in
            try await subject.defaults.define(tip: "t", TipDefinition(title: "Again"))
            var tip: TipPresentation? = try await subject.present(tip: "t", by: subject.defaults)
            try subject.expect(tip?.state.displayCount, is: 1, "the display count")
            tip = nil
            try await subject.wait(for: "the tip") {
                if case .show(let shown) = await subject.other.present(tip: "t") { tip = shown }
                return tip != nil
            }
            try subject.expect(tip?.state.displayCount, is: 2, "the display count")
        },
        ConformanceCheck(name: "A rule that breaks the rules for rules is refused, and why is said") { subject in
            try await subject.expect(.invalidArgument, "a window that holds too many") {
                try await subject.defaults.define(
                    tip: "t", TipDefinition(title: "", rules: [.event("e", .greater, 2_000, within: .seconds(1))]))
            }
        },
    ]
}
