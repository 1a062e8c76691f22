import Testing

@testable import DefaultsKit

@Suite("A countdown's clockwork in the client")
struct LocalCountdownTests {
    private static let second: Int64 = 1_000_000_000

    private func make(_ duration: Int64, tick: Int64 = second, skippableAfter: Int64 = 0, scale: Double = 1) -> Clockwork {
        Clockwork(LocalCountdown(duration: duration, tick: tick, skippableAfter: skippableAfter, scale: scale))
    }

    /// A countdown whose calls can stand in an expectation, which takes its parts as constants.
    private final class Clockwork {
        private var countdown: LocalCountdown
        init(_ countdown: LocalCountdown) { self.countdown = countdown }

        var nextDue: Int64? { countdown.nextDue }
        var phase: LocalCountdown.Phase { countdown.phase }
        func advance(to now: Int64) -> [Countdown.Event] { countdown.advance(to: now) }
        func act(_ action: CountdownAction, at now: Int64) throws(DefaultsError) -> [Countdown.Event] {
            try countdown.act(action, at: now)
        }
        func follow(_ tick: Countdown.Tick, at now: Int64, isDuplicate: Bool) -> Bool {
            countdown.follow(tick, at: now, isDuplicate: isDuplicate)
        }
    }

    private func tick(_ ticks: Int, _ nanoseconds: Int64, missed: Int = 0) -> Countdown.Event {
        .tick(Countdown.Tick(remainingTicks: ticks, remaining: .nanoseconds(nanoseconds), missed: missed))
    }

    /// Runs until nothing falls due any more, waking exactly when something does.
    private func run(_ countdown: Clockwork, from start: Int64) -> [(at: Int64, Countdown.Event)] {
        var events: [(at: Int64, Countdown.Event)] = []
        while let due = countdown.nextDue { events += countdown.advance(to: due).map { (due - start, $0) } }
        return events
    }

    @Test(
        "C1: ten seconds are ticks 10…0 and the end at 10.000 s; a duration that is no multiple has its short step first",
        arguments: [
            10 * second, 10 * second - 1, 9 * second + 1,
        ])
    func ticks(duration: Int64) throws {
        let countdown = make(duration)
        #expect(try countdown.act(.ready, at: 7) == [tick(10, duration)])
        let events = run(countdown, from: 7)
        #expect(events.map(\.at) == (0..<10).reversed().map { duration - Int64($0) * Self.second } + [duration])
        #expect(events.last?.1 == .finished(.elapsed) && events.dropLast().last?.1 == tick(0, 0))
    }

    @Test("C3: a late wake-up is one tick that says how many it stands for, and 0 and the end always come")
    func late() throws {
        let countdown = make(10 * Self.second)
        _ = try countdown.act(.ready, at: 0)
        #expect(countdown.advance(to: 4 * Self.second + 1) == [tick(6, 6 * Self.second - 1, missed: 3)])
        #expect(countdown.advance(to: 4 * Self.second + 2).isEmpty)
        #expect(countdown.advance(to: 100 * Self.second) == [tick(0, 0, missed: 5), .finished(.elapsed)])
        #expect(countdown.nextDue == nil)
    }

    @Test("C5: not skippable before its time, which is told once; then skipped, and nothing after it")
    func skip() throws {
        let countdown = make(10 * Self.second, skippableAfter: 3 * Self.second)
        #expect(throws: DefaultsError.self) { try countdown.act(.skip, at: 0) }
        _ = try countdown.act(.ready, at: 0)
        #expect(throws: DefaultsError.self) { try countdown.act(.skip, at: 3 * Self.second - 1) }
        #expect(countdown.advance(to: 3 * Self.second).contains(.skipAvailable))
        #expect(try countdown.act(.skip, at: 4 * Self.second - 1) == [.finished(.skipped)])
        #expect(throws: DefaultsError.self) { try countdown.act(.cancel, at: 5 * Self.second) }
    }

    @Test("C6: pause keeps what is left to the nanosecond, a second one changes nothing; extend tells one tick while it runs")
    func pause() throws {
        let countdown = make(4 * Self.second)
        #expect(try countdown.act(.pause, at: 0).isEmpty && countdown.phase == .waiting(left: 4 * Self.second))
        _ = try countdown.act(.ready, at: 0)
        #expect(try countdown.act(.ready, at: 1).isEmpty)
        #expect(try countdown.act(.pause, at: Self.second / 2).isEmpty)
        #expect(try countdown.act(.pause, at: Self.second).isEmpty && countdown.nextDue == nil)
        #expect(try countdown.act(.extend(.seconds(1)), at: Self.second).isEmpty)
        #expect(try countdown.act(.resume, at: 10 * Self.second).isEmpty)
        #expect(countdown.phase == .running(deadline: 14 * Self.second + Self.second / 2))
        #expect(try countdown.act(.extend(.seconds(2)), at: 10 * Self.second).last == tick(7, 6 * Self.second + Self.second / 2))
        #expect(throws: DefaultsError.self) { try countdown.act(.extend(.seconds(-1)), at: 10 * Self.second) }
        #expect(throws: DefaultsError.self) { try countdown.act(.extend(.seconds(31 * 86_400)), at: 10 * Self.second) }
    }

    @Test("C10: the user's scale stretches it; 0 is one tick and no end but a skip")
    func scale() throws {
        let long = make(2 * Self.second, scale: 1.5)
        #expect(try long.act(.ready, at: 0) == [tick(3, 3 * Self.second)])
        let endless = make(2 * Self.second, scale: 0)
        #expect(try endless.act(.ready, at: 0) == [tick(2, 2 * Self.second)])
        #expect(endless.nextDue == nil && endless.advance(to: 100 * Self.second).isEmpty)
        #expect(try endless.act(.skip, at: 100 * Self.second) == [.finished(.skipped)])
        let nothing = make(0)
        #expect(try nothing.act(.ready, at: 0) == [tick(0, 0), .finished(.elapsed)])
    }

    @Test("What the daemon has told is not told again when it leaves, and its deadline is kept")
    func handover() throws {
        let countdown = make(10 * Self.second)
        #expect(countdown.follow(Countdown.Tick(remainingTicks: 10, remaining: .seconds(10)), at: 0, isDuplicate: false))
        #expect(
            countdown.follow(Countdown.Tick(remainingTicks: 8, remaining: .seconds(8)), at: 2 * Self.second, isDuplicate: false))
        #expect(countdown.advance(to: 2 * Self.second + 5).isEmpty)
        #expect(countdown.advance(to: 3 * Self.second) == [tick(7, 7 * Self.second)])
        #expect(
            !countdown.follow(Countdown.Tick(remainingTicks: 7, remaining: .seconds(7)), at: 3 * Self.second, isDuplicate: true))
        #expect(
            countdown.follow(Countdown.Tick(remainingTicks: 6, remaining: .seconds(6)), at: 4 * Self.second, isDuplicate: true))
    }
}
