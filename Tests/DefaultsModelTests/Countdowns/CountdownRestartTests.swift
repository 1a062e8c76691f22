import DBusTypes
import Testing

@testable import DefaultsModel

@Suite("Countdowns over a restart of the daemon")
struct CountdownRestartTests {
    /// A desk that keeps the records that the daemon would have on disk.
    private struct Disk {
        var desk = CountdownDesk()
        var records: [String: Value] = [:]
        var writes = 0

        mutating func take(_ reply: CountdownReply) {
            if let record = reply.record { write(reply.id.recordKey, record) }
            send(reply.beforeReply + reply.afterReply)
        }

        mutating func send(_ actions: [CountdownAction]) {
            desk.note(actions)
            for action in actions where action.forgets { write(action.id.recordKey, nil) }
        }

        private mutating func write(_ key: String, _ value: Value?) {
            writes += 1
            records[key] = value
        }

        mutating func start(_ token: String = "t", _ spec: CountdownSpec = CountdownSpec()) throws -> CountdownID {
            let reply = try desk.board.start(token: token, spec: spec, owner: CountdownDesk.alice, at: desk.now)
            take(reply)
            return reply.id
        }

        /// Kills the daemon and starts it again; time passes only by `run`.
        mutating func restart(
            boot: String = "boot", bus: String = "bus", connected: Bool = true
        ) -> CountdownRestoration {
            desk.board = CountdownBoard(bootID: boot, busGUID: bus)
            let restoration = desk.board.restore(records, user: 1000, isConnected: { $0 == ":1.42" && connected }, at: desk.now)
            send(restoration.actions)
            for key in restoration.forgotten { records[key] = nil }
            return restoration
        }
    }

    @Test("C9: killed at 3 s and back at 6 s: the ticks go on in phase, Finished at 10 s (scenario 35)")
    func goesOn() throws {
        var disk = Disk()
        let id = try disk.start()
        disk.desk.run(3_000)
        disk.desk.now = disk.desk.now.after(milliseconds: 3_200)
        _ = disk.desk.look()
        #expect(disk.restart().restored == [id])
        let state = try disk.desk.board.state(of: id, at: disk.desk.now)
        #expect((state.phase, state.remaining, state.remainingTicks, state.owner) == (.running, 3_800, 4, ":1.42"))
        disk.desk.run(10_000)
        #expect(
            disk.desk.look() == [
                .tick(7_000, 3, 3_000), .tick(8_000, 2, 2_000), .tick(9_000, 1, 1_000), .tick(10_000, 0, 0),
                .end(10_000, .elapsed),
            ])
    }

    @Test("C9: back at 15 s: finished once, at once, late 5000, then forgotten (scenario 35)")
    func late() throws {
        var disk = Disk()
        _ = try disk.start()
        disk.desk.run(3_000)
        disk.desk.now = disk.desk.now.after(milliseconds: 12_000)
        _ = disk.desk.look()
        _ = disk.restart()
        disk.send(disk.desk.board.advance(to: disk.desk.now))
        #expect(disk.desk.look() == [.tick(15_000, 0, 0), .end(15_000, .elapsed, late: 5_000)])
        #expect(disk.records.isEmpty)
        #expect(disk.restart().restored.isEmpty)
        #expect(disk.writes == 2, "one at Start, one at the end")
    }

    @Test("C4: a crash between Finished and forgetting it repeats it, and never loses it")
    func repeated() throws {
        var disk = Disk()
        _ = try disk.start("t", CountdownSpec(duration: 1_000))
        let kept = disk.records
        disk.desk.now = disk.desk.now.after(milliseconds: 1_000)
        disk.send(disk.desk.board.advance(to: disk.desk.now))
        disk.records = kept
        _ = disk.restart()
        #expect(disk.desk.board.advance(to: disk.desk.now).last?.event == .finished(.elapsed, lateMilliseconds: 0))
    }

    @Test(
        "C4: Skip or Cancel was stored and the daemon died: the same end is told again, and no tick",
        arguments: ["skip", "cancel"])
    func storedEnd(call: String) throws {
        var disk = Disk()
        let id = try disk.start("t", CountdownSpec { $0.start = call == "skip" ? .now : .whenReady })
        disk.take(
            call == "skip" ? try disk.desk.board.skip(id, at: disk.desk.now) : try disk.desk.board.cancel(id, at: disk.desk.now))
        let end = try #require(disk.desk.look().last)
        let restoration = disk.restart()
        disk.desk.run(20_000)
        #expect(disk.desk.look() == [end])
        #expect(restoration.restored.isEmpty && restoration.actions.map(\.forgets) == [true] && disk.records.isEmpty)
    }

    @Test("C9: the order started lasts over restarts, also with what was started in between")
    func order() throws {
        var disk = Disk()
        for token in ["z", "y", "x", "w"] { _ = try disk.start(token) }
        let gone = try [#require(CountdownID(recordKey: "1_42/z")), #require(CountdownID(recordKey: "1_42/y"))]
        for id in gone { disk.take(try disk.desk.board.cancel(id, at: disk.desk.now)) }
        disk.records = disk.records.filter { !gone.map(\.recordKey).contains($0.key) }
        _ = disk.restart()
        for token in ["v", "u"] { _ = try disk.start(token) }
        _ = disk.restart()
        #expect(disk.desk.board.list(user: 1000, at: disk.desk.now).map(\.id.token) == ["x", "w", "v", "u"])
    }

    @Test("C9: Ready, Pause, Resume and Extend are one write each; ticks, refusals and calls that change nothing are none")
    func writes() throws {
        var disk = Disk()
        let id = try disk.start("t", CountdownSpec { $0.start = .whenReady })
        disk.take(try disk.desk.board.ready(id, at: disk.desk.now))
        disk.take(try disk.desk.board.ready(id, at: disk.desk.now))
        disk.desk.run(2_000)
        disk.take(try disk.desk.board.pause(id, at: disk.desk.now))
        disk.take(try disk.desk.board.pause(id, at: disk.desk.now))
        disk.take(try disk.desk.board.extend(id, by: 1_000, at: disk.desk.now))
        disk.take(try disk.desk.board.extend(id, by: 0, at: disk.desk.now))
        #expect(throws: ModelError.self) { try disk.desk.board.extend(id, by: .max, at: disk.desk.now) }
        disk.take(try disk.desk.board.resume(id, at: disk.desk.now))
        disk.take(try disk.desk.board.resume(id, at: disk.desk.now))
        #expect(disk.writes == 5)
        disk.take(try disk.desk.board.skip(id, at: disk.desk.now))
        #expect(disk.writes == 6 && disk.restart().restored.isEmpty)
    }

    @Test("C9: every state comes back as it was: waiting, paused, stretched, unlimited, sleeping with the machine")
    func states() throws {
        var disk = Disk()
        var ids = [try disk.start("waiting", CountdownSpec { $0.start = .whenReady })]
        ids.append(
            try disk.start(
                "paused",
                CountdownSpec {
                    $0.skippableAfter = 9_000
                    $0.onOwnerLost = .continue
                    $0.purpose = "é"
                }))
        for (token, scale) in [("stretched", CountdownScale.stretched(2.5)), ("unlimited", .unlimited)] {
            let spec = CountdownSpec { $0.onSuspend = .pause }
            let reply = try disk.desk.board.start(
                token: token, spec: spec, scale: scale, owner: CountdownDesk.alice, at: disk.desk.now)
            disk.take(reply)
            ids.append(reply.id)
        }
        disk.desk.run(1_234.5)
        disk.take(try disk.desk.board.pause(ids[1], at: disk.desk.now))
        disk.take(try disk.desk.board.extend(ids[0], by: 77, at: disk.desk.now))
        disk.desk.now = disk.desk.now.after(awake: 700_000_000, asleep: 9_000_000_000)
        let before = disk.desk.board.list(user: 1000, at: disk.desk.now)
        let next = disk.desk.board.nextDeadline.monotonic
        #expect(disk.restart().restored == ids)
        let after = disk.desk.board.list(user: 1000, at: disk.desk.now)
        #expect(after.map(\.state) == before.map(\.state))
        #expect(after.map(\.id.token) == ["waiting", "paused", "stretched", "unlimited"])
        #expect(disk.desk.board.nextDeadline.monotonic == next)
        #expect(disk.restart().restored == ids, "and again")
    }

    @Test("C9: SkipAvailable comes again rather than never")
    func skipAvailable() throws {
        var disk = Disk()
        _ = try disk.start("t", CountdownSpec { $0.skippableAfter = 2_000 })
        disk.desk.now = disk.desk.now.after(milliseconds: 3_500)
        _ = disk.desk.look()
        _ = disk.restart()
        disk.desk.run(0)
        #expect(disk.desk.look() == [CountdownDesk.Sent(3_500, .skipAvailable)])
    }

    @Test("C9: an owner that left meanwhile: owner_lost, or on without it")
    func ownerGone() throws {
        var disk = Disk()
        let gone = try disk.start("a")
        let on = try disk.start("b", CountdownSpec { $0.onOwnerLost = .continue })
        _ = disk.desk.look()
        let restoration = disk.restart(connected: false)
        #expect(restoration.restored == [on])
        #expect(restoration.actions.map(\.id) == [gone])
        #expect(disk.desk.look().map(\.event) == [.finished(.ownerLost, lateMilliseconds: 0)])
        #expect(disk.records.count == 1)
    }

    @Test("C9: another boot or another bus forgets all, though the names are the same")
    func otherBoot() throws {
        for (boot, bus) in [("boot2", "bus"), ("boot", "bus2")] {
            var disk = Disk()
            _ = try disk.start("a")
            _ = try disk.start("b", CountdownSpec { $0.onOwnerLost = .continue })
            let restoration = disk.restart(boot: boot, bus: bus)
            #expect(restoration.restored.isEmpty && restoration.actions.isEmpty)
            #expect(restoration.forgotten == ["1_42/a", "1_42/b"])
            #expect(disk.desk.board.liveCount == 0)
        }
    }

    @Test("A record that can't be read, or isn't its key's, is forgotten and traps nothing")
    func damaged() throws {
        var disk = Disk()
        _ = try disk.start("t", CountdownSpec { $0.skippableAfter = 5 })
        let record = try #require(disk.records["1_42/t"])
        let entries = try #require(record.dictionary?.entries)
        var bad: [String: Value] = ["nonsense": record, "1_43/t": record, "1_42/": record, "": record, "1_42/x": .string("x")]
        for (place, entry) in entries.enumerated() {
            for value in [Value.double(0), .int64(.max), .int64(.min), .uint64(.max), .string("?"), .uint32(7)] {
                var wrong = entries
                wrong[place] = DictionaryValue.Entry(entry.key, .variant(value))
                let dictionary = DictionaryValue(unchecked: wrong, key: .string, value: .variant)
                if CountdownRecord(stored: .dictionary(dictionary)) == nil {
                    bad["1_42/w\(bad.count)"] = .dictionary(dictionary)
                } else {
                    try exercise(.dictionary(dictionary), at: disk.desk.now)
                }
            }
        }
        #expect(bad.count > 80)
        disk.records = bad
        let restoration = disk.restart()
        #expect(restoration.forgotten == bad.keys.sorted())
        #expect(restoration.restored.isEmpty)
    }

    /// What still reads as a record takes every call and runs to its end without harm.
    private func exercise(_ record: Value, at now: Instant) throws {
        var board = CountdownBoard(bootID: "boot", busGUID: "bus")
        let restored = board.restore(["1_42/t": record], user: 1, isConnected: { _ in true }, at: now).restored
        for id in restored {
            #expect(board.list(user: 1, at: now).map(\.id) == [id])
            _ = try? board.extend(id, by: 1, at: now)
            _ = try? board.ready(id, at: now)
            _ = try? board.pause(id, at: now)
            _ = try? board.resume(id, at: now)
            _ = try? board.extend(id, by: .max, at: now)
            _ = try? board.skip(id, at: now)
        }
        _ = board.advance(to: Instant(boottime: 1 << 62, monotonic: 1 << 62, wall: 0))
        #expect(board.list(user: 1, at: now).allSatisfy { $0.state.phase != .finished })
    }

    @Test("A token that was started again before its record was restored stays the new one's")
    func alreadyLive() throws {
        var disk = Disk()
        let id = try disk.start()
        let again = disk.desk.board.restore(disk.records, user: 1000, isConnected: { _ in true }, at: disk.desk.now)
        #expect(again.restored.isEmpty && disk.desk.board.liveCount == 1)
        #expect(try disk.desk.board.state(of: id, at: disk.desk.now).phase == .running)
    }
}
