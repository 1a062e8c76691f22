import DBusTypes
import Support
import Testing

@testable import DefaultsModel

@Suite("Ticks of countdowns")
struct CountdownTickTests {
    @Test("C1: ten seconds are ticks 10…0 and the end at 10.000 s (scenario 30)")
    func tenSeconds() throws {
        var desk = CountdownDesk()
        try desk.start()
        desk.run(20_000)
        let ticks = (0...10).map { CountdownDesk.Sent.tick(Double($0) * 1000, UInt32(10 - $0), UInt64(10 - $0) * 1000) }
        #expect(desk.sent == ticks + [.end(10_000, .elapsed)])
        #expect(desk.board.liveCount == 0)
        #expect(desk.board.nextDeadline == CountdownDeadline(boottime: nil, monotonic: nil))
    }

    @Test("C1: 10.5 s by 1 s are 11 ticks, the first gap half as long")
    func oddDuration() throws {
        var desk = CountdownDesk()
        try desk.start("t", CountdownSpec(duration: 10_500))
        desk.run(600)
        #expect(desk.look() == [.tick(0, 11, 10_500), .tick(500, 10, 10_000)])
        desk.run(9_900)
        #expect(desk.ticks == [9, 8, 7, 6, 5, 4, 3, 2, 1, 0])
        #expect(desk.sent.last == .end(10_500, .elapsed))
    }

    @Test("C1: a tick longer than the duration gives 1 and 0")
    func longTick() throws {
        var desk = CountdownDesk()
        try desk.start("t", CountdownSpec(duration: 700, tick: 5_000))
        desk.run(1_000)
        #expect(desk.sent == [.tick(0, 1, 700), .tick(700, 0, 0), .end(700, .elapsed)])
    }

    @Test("C6: duration 0 is Tick(0) and Finished, both after the reply, and no record (scenario 36)")
    func zero() throws {
        for scale in [CountdownScale.standard, .unlimited, .stretched(10)] {
            var desk = CountdownDesk()
            let reply = try desk.board.start(
                token: "t", spec: CountdownSpec(duration: 0), scale: scale, owner: CountdownDesk.alice, at: desk.now)
            #expect(reply.beforeReply.isEmpty)
            #expect(
                reply.afterReply.map(\.event) == [
                    .tick(remainingTicks: 0, remainingMilliseconds: 0, missed: 0), .finished(.elapsed, lateMilliseconds: 0),
                ])
            #expect(reply.afterReply.allSatisfy { !$0.forgets } && reply.record == nil)
            #expect(reply.state.phase == .finished && reply.state.reason == .elapsed)
            #expect(desk.board.liveCount == 0)
        }
    }

    @Test("C3: a stall of 3.5 ticks at 8 is one tick, 5, with 2 missed; the end is on time (scenario 31)")
    func stall() throws {
        var desk = CountdownDesk()
        try desk.start()
        desk.run(2_000)
        _ = desk.look()
        desk.stall(3_500)
        #expect(desk.look() == [.tick(5_500, 5, 4_500, missed: 2)])
        desk.run(4_500)
        #expect(desk.ticks == [4, 3, 2, 1, 0])
        #expect(desk.sent.last == .end(10_000, .elapsed))
    }

    @Test("C3: a stall beyond the end gives Tick(0), what it missed, and Finished with how late it is")
    func stallBeyondEnd() throws {
        var desk = CountdownDesk()
        try desk.start()
        desk.stall(15_999.9)
        #expect(desk.sent.dropFirst() == [.tick(15_999.9, 0, 0, missed: 9), .end(15_999.9, .elapsed, late: 5_999)])
    }

    @Test("C3: a wake-up before its time sends nothing; one that is late shows the true rest, rounded up")
    func earlyAndLate() throws {
        var desk = CountdownDesk()
        try desk.start()
        _ = desk.look()
        desk.stall(999.999)
        #expect(desk.look() == [])
        desk.stall(0.101)
        #expect(desk.look().map(\.event) == [.tick(remainingTicks: 9, remainingMilliseconds: 9_000, missed: 0)])
        desk.stall(1_001.9)
        #expect(desk.look().map(\.event) == [.tick(remainingTicks: 8, remainingMilliseconds: 7_998, missed: 0)])
    }

    @Test("C3: no drift in an hour, though every wake-up is late")
    func drift() throws {
        var desk = CountdownDesk()
        try desk.start("t", CountdownSpec(duration: 3_600_000, tick: 100))
        let begun = desk.now.boottime
        var random = SeededGenerator(seed: 1)
        var expected: Int64 = 36_000
        while let next = desk.board.nextDeadline.boottime {
            expected -= 1
            #expect(next == begun + (36_000 - max(expected, 0)) * 100_000_000)
            desk.now = desk.now.after(awake: next - desk.now.boottime + .random(in: 0...90_000_000, using: &random))
            desk.note(desk.board.advance(to: desk.now))
        }
        #expect(desk.ticks == (0...36_000).reversed().map(UInt32.init))
        #expect(desk.board.liveCount == 0)
    }

    @Test("C2: continue ends at 10 s of boottime, pause at 10 s awake (scenario 33)")
    func suspend() throws {
        var desk = CountdownDesk()
        try desk.start("on")
        try desk.start("off", CountdownSpec { $0.onSuspend = .pause })
        desk.run(3_000)
        _ = desk.look()
        desk.sleep(5_000)
        #expect(
            desk.look() == [
                CountdownDesk.Sent(8_000, .tick(remainingTicks: 2, remainingMilliseconds: 2_000, missed: 4), token: "on")
            ])
        desk.run(2_000)
        #expect(
            desk.sent.last { $0.token == "on" }
                == CountdownDesk.Sent(10_000, .finished(.elapsed, lateMilliseconds: 0), token: "on"))
        desk.run(5_000)
        #expect(desk.sent.last == CountdownDesk.Sent(15_000, .finished(.elapsed, lateMilliseconds: 0), token: "off"))
        #expect(desk.sent.filter { $0.token == "off" }.count == 8)
    }

    @Test("C2: setting the wall clock changes nothing (scenario 33)")
    func wallClock() throws {
        var desk = CountdownDesk()
        try desk.start()
        desk.run(3_000)
        desk.now.wall -= 3_600_000_000
        desk.run(3_000)
        desk.now.wall += 86_400_000_000
        desk.run(4_000)
        #expect(desk.ticks == (0...10).reversed().map(UInt32.init))
        #expect(desk.sent.last == .end(10_000, .elapsed))
    }

    @Test("What falls due together fires in the order started; what fell due before it, before it, over both clocks")
    func dueOrder() throws {
        var desk = CountdownDesk()
        try desk.start("a", CountdownSpec(duration: 3_000))
        try desk.start("b", CountdownSpec(duration: 3_000) { $0.onSuspend = .pause })
        try desk.start("c", CountdownSpec(duration: 3_000))
        desk.run(500)
        try desk.start("d", CountdownSpec(duration: 3_000) { $0.onSuspend = .pause })
        desk.run(250)
        try desk.start("e", CountdownSpec(duration: 3_000))
        _ = desk.look()
        desk.stall(1_000)
        #expect(desk.look().map(\.token) == ["a", "b", "c", "d", "e"])
        desk.stall(5_000)
        #expect(desk.look().map(\.token) == ["a", "a", "b", "b", "c", "c", "d", "d", "e", "e"])
    }

    @Test("A limit on what advance gives leaves the rest due")
    func limit() throws {
        var desk = CountdownDesk()
        for number in 0..<10 { try desk.start("t\(number)") }
        desk.now = desk.now.after(milliseconds: 1_000)
        var tokens: [String] = []
        for expected in [4, 4, 2, 0] {
            var actions: [CountdownAction] = []
            desk.board.advance(to: desk.now, limit: 4, into: &actions)
            #expect(actions.count == expected)
            tokens += actions.map(\.id.token)
            let isDue = (desk.board.nextDeadline.boottime ?? .max) <= desk.now.boottime
            #expect(isDue == (tokens.count < 10))
        }
        #expect(tokens == (0..<10).map { "t\($0)" })
    }

    @Test("SkipAvailable comes once, skippable_after from t0, also while paused; never without skippable_after")
    func skipAvailable() throws {
        var desk = CountdownDesk()
        let id = try desk.start("t", CountdownSpec { $0.skippableAfter = 3_200 })
        desk.run(2_500)
        try desk.take(desk.board.pause(id, at: desk.now))
        _ = desk.look()
        desk.run(10_000)
        #expect(desk.look() == [CountdownDesk.Sent(3_200, .skipAvailable)])
        try desk.take(desk.board.resume(id, at: desk.now))
        desk.run(10_000)
        #expect(desk.sent.allSatisfy { $0.event != .skipAvailable })
        #expect(desk.ticks == [7, 6, 5, 4, 3, 2, 1, 0])

        var other = CountdownDesk()
        try other.start()
        other.run(20_000)
        #expect(other.sent.allSatisfy { $0.event != .skipAvailable })
    }

    @Test("SkipAvailable keeps its place among late ticks: before the newest one if it was due before that")
    func lateSkipAvailable() throws {
        for (after, stall, expected) in [(4_500, 6_000.0, [true, false]), (5_500, 5_700.0, [false, true])] {
            var desk = CountdownDesk()
            try desk.start("t", CountdownSpec { $0.skippableAfter = UInt64(after) })
            _ = desk.look()
            desk.stall(stall)
            #expect(desk.look().map { $0.event == .skipAvailable } == expected)
        }
        var atEnd = CountdownDesk()
        try atEnd.start("t", CountdownSpec(duration: 1_000) { $0.skippableAfter = 1_000 })
        atEnd.run(2_000)
        #expect(
            atEnd.sent.map(\.event) == [
                .tick(remainingTicks: 1, remainingMilliseconds: 1_000, missed: 0), .skipAvailable,
                .tick(remainingTicks: 0, remainingMilliseconds: 0, missed: 0), .finished(.elapsed, lateMilliseconds: 0),
            ])
        var never = CountdownDesk()
        try never.start("t", CountdownSpec(duration: 1_000) { $0.skippableAfter = 1_001 })
        never.run(2_000)
        #expect(never.sent.count == 3)
    }

    @Test("C10: the scale stretches the duration only; 0 is Tick(N) once and no deadline")
    func scale() throws {
        var desk = CountdownDesk()
        let id = try desk.start("t", CountdownSpec(duration: 3_000) { $0.skippableAfter = 1_000 }, scale: .stretched(1.5))
        #expect(try desk.board.state(of: id, at: desk.now).duration == 4_500)
        desk.run(5_000)
        #expect(desk.ticks == [5, 4, 3, 2, 1, 0])
        #expect(desk.sent.contains(CountdownDesk.Sent(1_000, .skipAvailable)))
        #expect(desk.look().last == .end(4_500, .elapsed))

        let unlimited = try desk.start("u", CountdownSpec(duration: 3_000) { $0.skippableAfter = 1_000 }, scale: .unlimited)
        desk.run(1_000_000)
        #expect(desk.look().map(\.event) == [.tick(remainingTicks: 3, remainingMilliseconds: 3_000, missed: 0), .skipAvailable])
        #expect(desk.board.nextDeadline == CountdownDeadline(boottime: nil, monotonic: nil))
        let state = try desk.board.state(of: unlimited, at: desk.now)
        #expect((state.phase, state.remaining, state.remainingTicks, state.isSkippable) == (.running, 3_000, 3, true))
        try desk.take(desk.board.pause(unlimited, at: desk.now))
        try desk.take(desk.board.resume(unlimited, at: desk.now))
        try desk.take(desk.board.extend(unlimited, by: 500, at: desk.now))
        #expect(desk.look().map(\.event) == [.tick(remainingTicks: 4, remainingMilliseconds: 3_500, missed: 0)])
        #expect(try desk.take(desk.board.skip(unlimited, at: desk.now)).state.reason == .skipped)
        #expect(desk.sent.map(\.event) == [.finished(.skipped, lateMilliseconds: 0)])
    }
}
