import DefaultsKit

extension Conformance {
    static let launches: [ConformanceCheck] = [
        ConformanceCheck(name: "L1, L2: one first launch over all clients, the same answer to who asks again") { subject in
            let first = await subject.defaults.launch(version: "1.0")
            try subject.expect(first.kind, is: .first, "the first launch")
            try subject.expect(first.isOwner, "the first launch has no owner")
            try subject.expect(await subject.defaults.launch(version: "1.0"), is: first, "the same question")
            let second = await subject.other.launch(version: "1.0")
            try subject.expect(second.kind, is: .same, "another client's launch")
            try subject.expect(second.launches, is: 2, "the count")
            let third = await subject.other.launch(version: "1.1")
            try subject.expect(third.kind, is: .upgrade, "a higher version")
            try subject.expect(third.significance, is: .minor, "the size of the upgrade")
            try subject.expect(third.previousVersion, is: "1.0", "the version before")
        },
        ConformanceCheck(name: "V6: an empty version is unknown, and why is said") { subject in
            let launch = await subject.defaults.launch(version: "")
            try subject.expect(launch.kind, is: .unknown, "the launch")
            try subject.expect(launch.failure?.code, is: .invalidVersion, "the failure")
        },
        ConformanceCheck(name: "L7: once is true once, and again for a higher version") { subject in
            try subject.expect(await subject.defaults.once("flag"), "the first time is not true")
            try subject.expect(!(await subject.other.once("flag")), "the second time is true")
            try subject.expect(await subject.defaults.once("news", version: "1.0"), "a version's first time is not true")
            try subject.expect(!(await subject.other.once("news", version: "1.0")), "a version's second time is true")
            try subject.expect(await subject.other.once("news", version: "1.1"), "a higher version's first time is not true")
        },
    ]

    static let countdowns: [ConformanceCheck] = [
        ConformanceCheck(name: "C1: N ticks, the last at the end, then why it ended") { subject in
            let events = subject.defaults.countdown(.seconds(3)).makeAsyncIterator()
            try subject.expect(await events.next(), is: .tick(.init(remainingTicks: 3, remaining: .seconds(3))), "the first tick")
            for left in [2, 1, 0] {
                try await subject.daemon.advance(by: .seconds(1))
                try subject.expect(
                    await events.next(), is: .tick(.init(remainingTicks: left, remaining: .seconds(left))), "the next tick")
            }
            try subject.expect(await events.next(), is: .finished(.elapsed), "the end")
            try subject.expect(await events.next(), is: nil, "what follows the end")
        },
        ConformanceCheck(name: "C5: not skippable before its time, then skipped once") { subject in
            let countdown = subject.defaults.countdown(.seconds(9), Countdown.Options(skippableAfter: .seconds(2)))
            let events = countdown.makeAsyncIterator()
            _ = await events.next()
            try await subject.expect(.notYetSkippable, "a skip at once") { try await countdown.skip() }
            try await subject.daemon.advance(by: .seconds(2))
            try await countdown.skip()
            var last: Countdown.Event?
            while let event = await events.next() { last = event }
            try subject.expect(last, is: .finished(.skipped), "the end")
            try await subject.expect(.alreadyFinished, "another skip") { try await countdown.skip() }
        },
        ConformanceCheck(name: "C6: waits for ready, pauses, goes on with what was left") { subject in
            let countdown = subject.defaults.countdown(.seconds(3), Countdown.Options(startsWhenReady: true))
            let events = countdown.makeAsyncIterator()
            try await countdown.pause()
            try await countdown.ready()
            try subject.expect(await events.next(), is: .tick(.init(remainingTicks: 3, remaining: .seconds(3))), "the first tick")
            try await subject.daemon.advance(by: .seconds(1))
            try subject.expect(
                await events.next(), is: .tick(.init(remainingTicks: 2, remaining: .seconds(2))), "the second tick")
            try await countdown.pause()
            try await subject.daemon.advance(by: .seconds(100))
            try await countdown.resume()
            try await subject.daemon.advance(by: .seconds(1))
            try subject.expect(await events.next(), is: .tick(.init(remainingTicks: 1, remaining: .seconds(1))), "the third tick")
            await countdown.cancel()
            try subject.expect(await events.next(), is: .finished(.cancelled), "the end")
        },
        ConformanceCheck(name: "A spec that breaks a rule is refused, and why is said") { subject in
            let countdown = subject.defaults.countdown(.seconds(1), Countdown.Options(tick: .milliseconds(1)))
            let events = countdown.makeAsyncIterator()
            try subject.expect(await events.next(), is: .finished(.refused), "the end")
            try subject.expect(countdown.failure?.code, is: .invalidArgument, "the failure")
        },
    ]
}
