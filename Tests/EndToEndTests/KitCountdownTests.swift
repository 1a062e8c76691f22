import DBusTypes
import DefaultsInterface
import DefaultsKit
import Glibc
import Support
import Testing

extension Kit {
    @Suite("countdowns")
    struct KitCountdownTests {
        private let fixture: KitFixture
        private let clock: TestClock
        private var defaults: Defaults { fixture.defaults }

        init() throws {
            fixture = try KitFixture(arguments: ["--test-clock"])
            clock = TestClock(fixture.client.connection)
        }

        private func tick(_ event: Countdown.Event?) -> Int? {
            if case .tick(let tick)? = event { tick.remainingTicks } else { nil }
        }

        @Test("C1: ten seconds are the ticks 10 to 0 and then the end, and the loop is over")
        func ticks() async throws {
            let events = defaults.countdown(.seconds(10)).makeAsyncIterator()
            #expect(tick(await events.next()) == 10)
            for left in (0..<10).reversed() {
                try clock.advance(milliseconds: 1_000)
                #expect(tick(await events.next()) == left)
            }
            #expect(await events.next() == .finished(.elapsed))
            #expect(await events.next() == nil)
        }

        @Test("A daemon that hangs is found out, its countdown goes on here meanwhile, and there once it goes on")
        func hang() async throws {
            let fixture = try KitFixture()
            let countdown = fixture.defaults.countdown(
                .seconds(600), Countdown.Options(tick: .milliseconds(100), token: "hung"))
            let events = countdown.makeAsyncIterator()
            let first = try #require(tick(await events.next()))
            fixture.daemon.process.send(SIGSTOP)
            let start = ContinuousClock.now
            // Half a second until the daemon is asked, and another for its answer, are ten ticks; what comes after them is counted here.
            while ContinuousClock.now - start < .seconds(2) {
                let left = try #require(tick(await events.next()))
                #expect(left <= first)
            }
            fixture.daemon.process.send(SIGCONT)
            let path = try #require(try fixture.client.listCountdowns().first?.path)
            try await Deadline.ask("the daemon's countdown, skipped, to be over here") {
                _ = try? fixture.client.countdown(CountdownInterface.skip, at: path)
                return countdown.reason == .skipped
            }
        }

        @Test("C3: a loop that is slow gets the newest tick, which says how many it stands for; each loop has its own")
        func slow() async throws {
            let countdown = defaults.countdown(.seconds(10))
            let (slow, quick) = (countdown.makeAsyncIterator(), countdown.makeAsyncIterator())
            #expect(tick(await slow.next()) == 10)
            #expect(tick(await quick.next()) == 10)
            for left in 6...9 {
                try clock.advance(milliseconds: 1_000)
                #expect(tick(await quick.next()) == 15 - left)
            }
            #expect(await slow.next() == .tick(Countdown.Tick(remainingTicks: 6, remaining: .seconds(6), missed: 3)))
        }

        @Test("C5: it can't be skipped before its time, which is told; then it is over at once, and over for who comes later")
        func skip() async throws {
            let countdown = defaults.countdown(.seconds(10), Countdown.Options(skippableAfter: .seconds(3)))
            let events = countdown.makeAsyncIterator()
            #expect(tick(await events.next()) == 10)
            #expect(await code { try await countdown.skip() } == .notYetSkippable)
            try clock.advance(milliseconds: 3_000)
            var event = await events.next()
            while event != nil && event != .skipAvailable { event = await events.next() }
            #expect(event == .skipAvailable)
            try await countdown.skip()
            var last = await events.next()
            while let next = await events.next() { last = next }
            #expect(last == .finished(.skipped) && countdown.reason == .skipped)
            #expect(await code { try await countdown.skip() } == .alreadyFinished)
            await countdown.cancel()
            let late = countdown.makeAsyncIterator()
            var seen: [Countdown.Event] = []
            while let event = await late.next() { seen.append(event) }
            #expect(seen.last == .finished(.skipped))
        }

        @Test("C6: one that waits for ready begins then; pause keeps what is left, and extend adds to it")
        func ready() async throws {
            let countdown = defaults.countdown(
                .seconds(4), Countdown.Options(startsWhenReady: true, purpose: "Splash", token: "splash"))
            let events = countdown.makeAsyncIterator()
            try await Deadline.ask("the countdown") { try !fixture.client.listCountdowns().isEmpty }
            #expect(try fixture.client.listCountdowns().first?.state.text("purpose") == "Splash")
            try clock.advance(milliseconds: 60_000)
            try await countdown.ready()
            #expect(tick(await events.next()) == 4)
            try clock.advance(milliseconds: 1_000)
            #expect(tick(await events.next()) == 3)
            try await countdown.pause()
            try clock.advance(milliseconds: 60_000)
            try await countdown.extend(by: .seconds(2))
            try await countdown.resume()
            try clock.advance(milliseconds: 1_000)
            #expect(tick(await events.next()) == 4)
            #expect(await code { try await countdown.extend(by: .seconds(31 * 86_400)) } == .invalidArgument)
            await countdown.cancel()
            #expect(await events.next() == .finished(.cancelled))
        }

        @Test("Structured cancellation cancels the countdown, and so does letting go of it")
        func cancellation() async throws {
            let defaults = defaults
            let task = testTask {
                var seen = 0
                for await _ in defaults.countdown(.seconds(100)) { seen += 1 }
                return seen
            }
            try await Deadline.ask("the countdown") { try fixture.client.listCountdowns().count == 1 }
            task.cancel()
            _ = await task.value
            try await Deadline.ask("its end") { try fixture.client.listCountdowns().isEmpty }
            var countdown: Countdown? = defaults.countdown(.seconds(100))
            try await Deadline.ask("the countdown") { try fixture.client.listCountdowns().count == 1 }
            #expect(countdown?.reason == nil)
            countdown = nil
            try await Deadline.ask("its end") { try fixture.client.listCountdowns().isEmpty }
        }

        @Test("One that the daemon refuses ends at once, and says why")
        func refused() async throws {
            for (countdown, expected) in [
                (
                    defaults.countdown(.seconds(10), Countdown.Options(tick: .milliseconds(10))),
                    DefaultsError.Code.invalidArgument
                ),
                (defaults.countdown(.seconds(-1)), .invalidArgument),
                (defaults.countdown(.seconds(1), Countdown.Options(token: "no token")), .invalidName),
            ] {
                let events = countdown.makeAsyncIterator()
                #expect(await events.next() == .finished(.refused))
                #expect(countdown.failure?.code == expected)
            }
        }

        @Test("Scenario 37: with no bus it counts here, by the same rules")
        func noBus() async throws {
            let defaults = Defaults(app: KitFixture.app, at: .address("unix:path=\(fixture.bus.folder)/none"))
            let countdown = defaults.countdown(.milliseconds(350), Countdown.Options(tick: .milliseconds(100)))
            var ticks: [Int] = []
            var reason: Countdown.Reason?
            let start = ContinuousClock.now
            for await event in countdown {
                switch event {
                case .tick(let tick): ticks.append(tick.remainingTicks)
                case .skipAvailable: break
                case .finished(let why): reason = why
                }
            }
            #expect(ContinuousClock.now - start >= .milliseconds(340))
            #expect(ticks.first == 4 && ticks.last == 0 && ticks == ticks.sorted(by: >) && reason == .elapsed)
            let skipped = defaults.countdown(.seconds(100), Countdown.Options(skippableAfter: .seconds(2)))
            let events = skipped.makeAsyncIterator()
            #expect(tick(await events.next()) == 100)
            #expect(await code { try await skipped.skip() } == .notYetSkippable)
            var event = await events.next()
            while event != nil && event != .skipAvailable { event = await events.next() }
            #expect(event == .skipAvailable)
            try await skipped.skip()
            var last = event
            while let next = await events.next() { last = next }
            #expect(last == .finished(.skipped))
        }
    }
}

extension Kit {
    @Suite("countdowns over the daemon's absence")
    struct KitCountdownAwayTests {
        private let fixture: KitFixture
        private var defaults: Defaults { fixture.defaults }

        init() throws { fixture = try KitFixture() }

        /// What a loop sees that has begun already.
        private static func end(
            _ countdown: Countdown, _ events: Countdown.Iterator
        ) async -> (ticks: [Int], reason: Countdown.Reason?) {
            var ticks: [Int] = []
            while let event = await events.next() { if case .tick(let tick) = event { ticks.append(tick.remainingTicks) } }
            return (ticks, countdown.reason)
        }

        @Test("The daemon dies and stays away: the countdown goes on here, in phase, and ends on time")
        func dies() async throws {
            let countdown = defaults.countdown(.milliseconds(1_500), Countdown.Options(tick: .milliseconds(100)))
            let start = ContinuousClock.now
            let events = countdown.makeAsyncIterator()
            _ = await events.next()
            try fixture.daemon.kill9()
            let (ticks, reason) = await Self.end(countdown, events)
            let took = ContinuousClock.now - start
            #expect(took >= .milliseconds(1_490) && took < .seconds(30), "\(took)")
            #expect(
                reason == .elapsed && ticks.last == 0 && Set(ticks).count == ticks.count && ticks == ticks.sorted(by: >),
                "\(ticks)")
        }

        @Test("C9: the daemon is restarted on the way: no tick is told twice, there is one end, and it is on time")
        func restarted() async throws {
            let countdown = defaults.countdown(.seconds(4), Countdown.Options(tick: .milliseconds(100)))
            let start = ContinuousClock.now
            let events = countdown.makeAsyncIterator()
            _ = await events.next()
            let result = testTask { await Self.end(countdown, countdown.makeAsyncIterator()) }
            for _ in 0..<2 {
                try fixture.daemon.kill9()
                try fixture.daemon.restart()
            }
            let (ticks, reason) = await result.value
            let took = ContinuousClock.now - start
            #expect(took >= .milliseconds(3_990) && took < .seconds(30), "\(took)")
            #expect(
                reason == .elapsed && ticks.last == 0 && Set(ticks).count == ticks.count && ticks == ticks.sorted(by: >),
                "\(ticks)")
        }

        @Test("What is done to it while the daemon is away counts, and the daemon that comes back doesn't bring it back")
        func actedOnWhileAway() async throws {
            let countdown = defaults.countdown(.seconds(100))
            let events = countdown.makeAsyncIterator()
            _ = await events.next()
            try fixture.daemon.kill9()
            try await countdown.skip()
            var last = await events.next()
            while let next = await events.next() { last = next }
            #expect(last == .finished(.skipped))
            try fixture.daemon.restart()
            let paused = defaults.countdown(.seconds(100))
            let second = paused.makeAsyncIterator()
            _ = await second.next()
            try fixture.daemon.kill9()
            try await paused.pause()
            try fixture.daemon.restart()
            try await Deadline.ask("the daemon's own to be cancelled") { try fixture.client.listCountdowns().isEmpty }
            #expect(paused.reason == nil)
            await paused.cancel()
            #expect(paused.reason == .cancelled)
        }
    }
}
