import DBusTypes
import Support
import Testing

@testable import DefaultsModel

@Suite("Calls on countdowns")
struct CountdownCallTests {
    /// Whether a call throws this error, and changes nothing.
    private func refuses(
        _ code: ModelError.Code, _ desk: CountdownDesk, _ call: (inout CountdownBoard) throws -> CountdownReply
    ) -> ModelError? {
        var board = desk.board
        let error = #expect(throws: ModelError.self) { try call(&board) }
        #expect(error?.code == code)
        #expect(board.nextDeadline == desk.board.nextDeadline && board.liveCount == desk.board.liveCount)
        let states = board.list(user: 1000, at: desk.now).map(\.state)
        #expect(states == desk.board.list(user: 1000, at: desk.now).map(\.state))
        return error
    }

    @Test("C4: after Skip, Cancel and Pause nothing more comes but one Finished, with the right reason")
    func skipAndCancel() throws {
        for reason in [CountdownReason.skipped, .cancelled, .policy] {
            var desk = CountdownDesk()
            let id = try desk.start()
            desk.run(2_500)
            _ = desk.look()
            let reply =
                switch reason {
                case .skipped: try desk.board.skip(id, at: desk.now)
                case .cancelled: try desk.board.cancel(id, at: desk.now)
                case .elapsed, .ownerLost, .policy: try desk.board.finish(id, reason: reason, at: desk.now)
                }
            // The end by a call is stored before its reply; that with a guide is stored with that.
            #expect(reply.beforeReply.isEmpty && (reply.record == nil) == (reason == .policy))
            #expect(reply.afterReply.map(\.event) == [.finished(reason, lateMilliseconds: 0)])
            #expect(reply.afterReply.map(\.forgets) == [reason == .policy])
            #expect((reply.state.phase, reply.state.remaining, reply.state.reason) == (.finished, 0, reason))
            #expect(!reply.state.isSkippable)
            desk.run(60_000)
            #expect(desk.sent.isEmpty)
        }
    }

    @Test(
        "C4: 10,000 skips and cancels against the tick: at most one tick before the reply, none after, one Finished (scenario 32)"
    )
    func races() throws {
        var random = SeededGenerator(seed: 32)
        for _ in 0..<10_000 {
            var desk = CountdownDesk()
            let id = try desk.start("t", CountdownSpec(duration: 300, tick: 100))
            _ = desk.look()
            // The call comes within a millisecond of a tick or of the end, before the loop has seen the timer.
            desk.now = desk.now.after(
                awake: .random(in: 1...3, using: &random) * 100_000_000 + .random(in: -5...5, using: &random))
            let isSkip = Bool.random(using: &random)
            do {
                let reply = try isSkip ? desk.board.skip(id, at: desk.now) : desk.board.cancel(id, at: desk.now)
                #expect(reply.beforeReply.count <= 1)
                #expect(reply.afterReply.map(\.event) == [.finished(isSkip ? .skipped : .cancelled, lateMilliseconds: 0)])
                desk.stall(1_000)
                #expect(desk.sent.isEmpty)
            } catch {
                #expect(error.code == .alreadyFinished)
                desk.stall(0)
                #expect(desk.sent.map(\.event).last == .finished(.elapsed, lateMilliseconds: 0))
                #expect(desk.ticks == [0])
            }
        }
    }

    @Test("A call sends what fell due before it before its reply, so that no tick comes late")
    func dueBeforeCall() throws {
        var desk = CountdownDesk()
        let id = try desk.start()
        desk.now = desk.now.after(milliseconds: 2_300)
        let reply = try desk.board.pause(id, at: desk.now)
        #expect(reply.beforeReply.map(\.event) == [.tick(remainingTicks: 8, remainingMilliseconds: 7_700, missed: 1)])
        #expect(reply.afterReply.isEmpty)
        #expect(reply.state.remaining == 7_700)
    }

    @Test("C5: Skip before skippable_after or before Ready is NotYetSkippable with the milliseconds left (scenario 34)")
    func notYetSkippable() throws {
        var desk = CountdownDesk()
        let id = try desk.start(
            "t",
            CountdownSpec {
                $0.start = .whenReady
                $0.skippableAfter = 3_000
            })
        desk.run(1_000)
        #expect(refuses(.notYetSkippable, desk) { try $0.skip(id, at: desk.now) }?.message.contains("3000 milliseconds") == true)
        try desk.take(desk.board.ready(id, at: desk.now))
        desk.run(1_000)
        #expect(refuses(.notYetSkippable, desk) { try $0.skip(id, at: desk.now) }?.message.contains("2000 milliseconds") == true)
        #expect(try !desk.board.state(of: id, at: desk.now).isSkippable)
        desk.run(1_999.5)
        #expect(refuses(.notYetSkippable, desk) { try $0.skip(id, at: desk.now) }?.message.contains(" 1 milliseconds") == true)
        desk.run(0.5)
        #expect(try desk.board.state(of: id, at: desk.now).isSkippable)
        #expect(try desk.board.skip(id, at: desk.now).state.reason == .skipped)
    }

    @Test("C5: when_ready waits for Ready; Tick(N) then, a second Ready changes nothing (scenario 34)")
    func ready() throws {
        var desk = CountdownDesk()
        let id = try desk.start("t", CountdownSpec(duration: 3_000) { $0.start = .whenReady })
        let waiting = try desk.board.state(of: id, at: desk.now)
        #expect((waiting.phase, waiting.remaining, waiting.remainingTicks) == (.waiting, 3_000, 3))
        #expect(!waiting.isSkippable)
        desk.run(2_000)
        #expect(desk.sent.isEmpty && desk.board.nextDeadline.boottime == nil)
        let reply = try desk.take(desk.board.ready(id, at: desk.now))
        #expect(reply.beforeReply.isEmpty && reply.record != nil)
        desk.run(500)
        let second = try desk.take(desk.board.ready(id, at: desk.now))
        #expect(second.record == nil && second.afterReply.isEmpty && second.state.remaining == 2_500)
        desk.run(10_000)
        #expect(
            desk.sent == [
                .tick(2_000, 3, 3_000), .tick(3_000, 2, 2_000), .tick(4_000, 1, 1_000), .tick(5_000, 0, 0), .end(5_000, .elapsed),
            ])
    }

    @Test("C6: Pause and Resume keep the milliseconds, and the phase of the ticks; the second of each changes nothing")
    func pause() throws {
        var desk = CountdownDesk()
        let id = try desk.start("t", CountdownSpec(duration: 3_000))
        desk.run(1_234)
        _ = desk.look()
        let paused = try desk.take(desk.board.pause(id, at: desk.now))
        #expect((paused.state.phase, paused.state.remaining, paused.state.remainingTicks) == (.paused, 1_766, 2))
        #expect(paused.record != nil)
        desk.run(5_000)
        #expect(try desk.board.pause(id, at: desk.now).record == nil)
        #expect(try desk.board.state(of: id, at: desk.now) == paused.state)
        let resumed = try desk.take(desk.board.resume(id, at: desk.now))
        #expect((resumed.state.phase, resumed.state.remaining) == (.running, 1_766))
        #expect(resumed.record != nil)
        #expect(try desk.board.resume(id, at: desk.now).record == nil)
        #expect(desk.look() == [])
        desk.run(5_000)
        #expect(desk.look() == [.tick(7_000, 1, 1_000), .tick(8_000, 0, 0), .end(8_000, .elapsed)])
    }

    @Test("C6: a hundred pauses of a countdown lose not a nanosecond")
    func manyPauses() throws {
        var desk = CountdownDesk()
        let id = try desk.start("t", CountdownSpec(duration: 10_000))
        var random = SeededGenerator(seed: 9)
        var ran: Int64 = 0
        for _ in 0..<100 {
            let run = Int64.random(in: 0...90_000_000, using: &random)
            ran += run
            desk.now = desk.now.after(awake: run)
            try desk.take(desk.board.pause(id, at: desk.now))
            desk.now = desk.now.after(awake: .random(in: 0...90_000_000, using: &random))
            try desk.take(desk.board.resume(id, at: desk.now))
        }
        desk.note(desk.board.advance(to: desk.now))
        let end = desk.now.boottime + 10_000_000_000 - ran
        desk.run(60_000)
        #expect(desk.sent.last?.milliseconds == Double(end - Instant.start.boottime) / 1e6)
        #expect(desk.ticks == (0...10).reversed().map(UInt32.init))
    }

    @Test("While it waits no time runs that Pause could stop: Pause and Resume change nothing")
    func pauseWhileWaiting() throws {
        var desk = CountdownDesk()
        let id = try desk.start("t", CountdownSpec { $0.start = .whenReady })
        #expect(try desk.board.pause(id, at: desk.now).state.phase == .waiting)
        #expect(try desk.board.resume(id, at: desk.now).state.phase == .waiting)
        #expect(try desk.board.ready(id, at: desk.now).state.phase == .running)
    }

    @Test("C6: Extend moves the deadline and sends one tick with the new value after the reply")
    func extend() throws {
        var desk = CountdownDesk()
        let id = try desk.start("t", CountdownSpec(duration: 2_000))
        desk.run(1_500)
        _ = desk.look()
        let reply = try desk.take(desk.board.extend(id, by: 2_200, at: desk.now))
        #expect(reply.beforeReply.isEmpty && reply.record != nil)
        #expect((reply.state.duration, reply.state.remaining, reply.state.remainingTicks) == (4_200, 2_700, 3))
        desk.run(10_000)
        #expect(
            desk.look() == [
                .tick(1_500, 3, 2_700), .tick(2_200, 2, 2_000), .tick(3_200, 1, 1_000), .tick(4_200, 0, 0), .end(4_200, .elapsed),
            ])
    }

    @Test("C6: Extend while it waits or is paused changes what remains and sends nothing")
    func extendWhileStanding() throws {
        var desk = CountdownDesk()
        let waiting = try desk.start("w", CountdownSpec(duration: 1_000) { $0.start = .whenReady })
        let paused = try desk.start("p", CountdownSpec(duration: 1_000))
        desk.run(100)
        try desk.take(desk.board.pause(paused, at: desk.now))
        _ = desk.look()
        for (id, remaining) in [(waiting, 3_000 as UInt64), (paused, 2_900)] {
            let reply = try desk.take(desk.board.extend(id, by: 2_000, at: desk.now))
            #expect(reply.state.remaining == remaining && reply.state.remainingTicks == 3 && reply.state.duration == 3_000)
            #expect(reply.record != nil)
        }
        desk.run(10_000)
        #expect(desk.sent.isEmpty)
        try desk.take(desk.board.resume(paused, at: desk.now))
        desk.run(10_000)
        #expect(desk.ticks == [2, 1, 0])
    }

    @Test("C6: Extend by 0 changes nothing; beyond 30 days left it is InvalidArgument saying how much would do")
    func extendBounds() throws {
        var desk = CountdownDesk()
        let id = try desk.start()
        desk.run(1_000)
        let none = try desk.board.extend(id, by: 0, at: desk.now)
        #expect(none.record == nil && none.afterReply.isEmpty)
        let most = CountdownSpec.maximumDuration - 9_000
        for by in [most + 1, .max, UInt64(Int64.max), CountdownSpec.maximumDuration] {
            let error = refuses(.invalidArgument, desk) { try $0.extend(id, by: by, at: desk.now) }
            #expect(error?.message.contains("by is \(by)") == true && error?.message.contains("at most \(most)") == true)
        }
        #expect(try desk.board.extend(id, by: most, at: desk.now).state.remaining == CountdownSpec.maximumDuration)
        let stretched = try desk.start("s", CountdownSpec(duration: CountdownSpec.maximumDuration), scale: .stretched(10))
        #expect(refuses(.invalidArgument, desk) { try $0.extend(stretched, by: 1, at: desk.now) } != nil)
        #expect(try desk.board.extend(stretched, by: 0, at: desk.now).state.remaining == CountdownSpec.maximumDuration * 10)
    }

    @Test("C7: Start of a live token is AlreadyExists; with replace the old one's end comes before the reply, Tick(N) after it")
    func replace() throws {
        var desk = CountdownDesk()
        try desk.start()
        desk.run(2_500)
        let again = refuses(.alreadyExists, desk) {
            try $0.start(token: "t", spec: CountdownSpec(), owner: CountdownDesk.alice, at: desk.now)
        }
        #expect(again?.message.contains("\"t\"") == true && again?.message.contains("replace") == true)
        let reply = try desk.board.start(
            token: "t", spec: CountdownSpec(duration: 5_000) { $0.replace = true }, owner: CountdownDesk.alice, at: desk.now)
        #expect(reply.beforeReply.map(\.event) == [.finished(.cancelled, lateMilliseconds: 0)])
        #expect(reply.beforeReply.map(\.forgets) == [false], "the record is now the new one's")
        #expect(reply.afterReply.map(\.event) == [.tick(remainingTicks: 5, remainingMilliseconds: 5_000, missed: 0)])
        #expect(desk.board.liveCount == 1)
        #expect(try desk.start("other", CountdownSpec { $0.replace = true }).token == "other", "nothing to replace is no error")
        let owner = CountdownOwner(name: ":1.43", user: 1000)
        #expect(try desk.start("t", owner: owner).path == "/org/defaultsd1/countdown/1_43/t", "another owner's token is another")
    }

    @Test("C7: replaced by one that is over at once, the old record is forgotten by its Finished")
    func replaceByNothing() throws {
        var desk = CountdownDesk()
        try desk.start()
        let reply = try desk.board.start(
            token: "t", spec: CountdownSpec(duration: 0) { $0.replace = true }, owner: CountdownDesk.alice, at: desk.now)
        #expect(reply.record == nil && desk.board.liveCount == 0)
        #expect(reply.beforeReply.map(\.forgets) == [false])
        #expect(reply.afterReply.map(\.forgets) == [false, true])
    }

    @Test("C7: a token whose deadline has just passed can be started again; the old end comes first, as elapsed")
    func startOverElapsed() throws {
        var desk = CountdownDesk()
        try desk.start("t", CountdownSpec(duration: 1_000))
        desk.now = desk.now.after(milliseconds: 1_007)
        let reply = try desk.board.start(token: "t", spec: CountdownSpec(), owner: CountdownDesk.alice, at: desk.now)
        #expect(
            reply.beforeReply.map(\.event) == [
                .tick(remainingTicks: 0, remainingMilliseconds: 0, missed: 0), .finished(.elapsed, lateMilliseconds: 7),
            ])
        #expect(reply.beforeReply.allSatisfy { !$0.forgets })
        #expect(reply.state.remaining == 10_000)
    }

    @Test(
        "For 5 s after its end a countdown is AlreadyFinished with the reason, until its token is used again; then UnknownObject")
    func afterEnd() throws {
        var desk = CountdownDesk()
        let id = try desk.start()
        try desk.take(desk.board.skip(id, at: desk.now))
        desk.run(4_999)
        for call in [
            refuses(.alreadyFinished, desk) { try $0.skip(id, at: desk.now) },
            refuses(.alreadyFinished, desk) { try $0.pause(id, at: desk.now) },
            refuses(.alreadyFinished, desk) { try $0.extend(id, by: 1, at: desk.now) },
        ] {
            #expect(call?.message.contains("skipped") == true)
        }
        #expect(throws: ModelError.self) { try desk.board.state(of: id, at: desk.now) }
        #expect(desk.board.owner(of: id, at: desk.now) == CountdownDesk.alice)
        desk.run(1)
        #expect(refuses(.unknownObject, desk) { try $0.skip(id, at: desk.now) } != nil)
        #expect(desk.board.owner(of: id, at: desk.now) == nil)
        try desk.start()
        try desk.take(desk.board.cancel(id, at: desk.now))
        #expect(refuses(.alreadyFinished, desk) { try $0.ready(id, at: desk.now) }?.message.contains("cancelled") == true)
        try desk.start()
        #expect(try desk.board.state(of: id, at: desk.now).phase == .running)
    }

    @Test("State is an a{sv} with every entry")
    func dictionary() throws {
        var desk = CountdownDesk()
        let id = try desk.start("t", CountdownSpec(duration: 10_500) { $0.purpose = "Splash" })
        desk.run(600.5)
        #expect(
            try desk.board.state(of: id, at: desk.now).dictionary
                == .vardict([
                    ("state", .string("running")), ("duration", .uint64(10_500)), ("tick", .uint64(1_000)),
                    ("remaining", .uint64(9_900)), ("remaining_ticks", .uint32(10)), ("skippable", .boolean(true)),
                    ("owner", .string(":1.42")), ("purpose", .string("Splash")), ("reason", .string("")),
                ]))
        #expect(try desk.board.cancel(id, at: desk.now).state.dictionary.dictionary?["reason"] == .string("cancelled"))
    }
}
