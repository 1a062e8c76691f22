import DBusTypes
import Glibc
import LibDBus
import Support
import Testing

@Suite("The poll loop")
struct LoopTests {
    @Test("timers fire in the order of their times, each once, unless disarmed or cancelled")
    func timers() {
        let loop = PollLoop()
        var order: [Int] = []
        for milliseconds in [30, 10, 20] { loop.addTimer { order.append(milliseconds) }.arm(afterMilliseconds: milliseconds) }
        let disarmed = loop.addTimer { Issue.record("a disarmed timer fired") }
        disarmed.arm(afterMilliseconds: 5)
        disarmed.disarm()
        let cancelled = loop.addTimer { Issue.record("a cancelled timer fired") }
        cancelled.arm(afterMilliseconds: 5)
        cancelled.cancel()
        let start = ContinuousClock.now
        #expect(loop.run(until: { order.count == 3 }, deadline: .now + .seconds(10)))
        #expect(order == [10, 20, 30])
        #expect(.now - start >= .milliseconds(30))
        #expect(!loop.run(deadline: .now + .milliseconds(20)))
        #expect(order.count == 3)
    }

    @Test("a handler that a wait is preceded by runs once; what it adds runs in the next round")
    func beforeWait() {
        let loop = PollLoop()
        var rounds: [Int] = []
        _ = loop.addBeforeWait {
            rounds.append(1)
            _ = loop.addBeforeWait { rounds.append(2) }
        }
        loop.addBeforeWait { Issue.record("a cancelled source ran") }.cancel()
        loop.iterate()
        #expect(rounds == [1])
        loop.iterate()
        #expect(rounds == [1, 2])
        loop.iterate(deadline: .now)
        #expect(rounds == [1, 2])
    }

    @Test("descriptors report what is waited for, and hang-ups always")
    func descriptors() throws {
        let loop = PollLoop()
        var ends: [Int32] = [0, 0]
        try #require(pipe(&ends) == 0)
        var seen: [IOEvents] = []
        let source = loop.addIO(fd: ends[0], events: []) { seen.append($0) }
        write(ends[1], "x", 1)
        loop.iterate(deadline: .now)
        #expect(seen.isEmpty)
        source.events = .readable
        loop.iterate(deadline: .now + .seconds(10))
        #expect(seen == [.readable])
        source.events = []
        close(ends[1])
        loop.iterate(deadline: .now + .seconds(10))
        #expect(seen.last?.contains(.hangUp) == true)
        source.cancel()
        loop.iterate(deadline: .now)
        #expect(seen.count == 2)
        close(ends[0])
    }

    @Test("a source cancelled by another handler of the same round isn't called")
    func cancelledInside() throws {
        let loop = PollLoop()
        var descriptors: [Int32] = [0, 0]
        try #require(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &descriptors) == 0)
        var sources: [any IOSource] = []
        var calls = 0
        for descriptor in descriptors {
            sources.append(
                loop.addIO(fd: descriptor, events: .writable) { _ in
                    calls += 1
                    for source in sources { source.cancel() }
                })
        }
        loop.iterate(deadline: .now + .seconds(10))
        loop.iterate(deadline: .now)
        #expect(calls == 1)
        for descriptor in descriptors { close(descriptor) }
    }

    @Test("stop ends the run after the handler")
    func stop() {
        let loop = PollLoop()
        _ = loop.addBeforeWait { loop.stop() }
        #expect(!loop.run(deadline: .now + .seconds(60)))
    }

    @Test("P12: reading paused, calls wait; resumed, they are answered without new traffic")
    func paused() throws {
        let pair = try Pair()
        pair.service.isReadingPaused = true
        var sums = 0
        for _ in 0..<10 {
            pair.client.send(
                pair.service.uniqueName, "/org/example/echo", EchoHandler.interface, "Add", [.int32(1), .int32(1)]
            ) { _ in sums += 1 }
        }
        #expect(!pair.loop.run(until: { sums > 0 }, deadline: .now + .milliseconds(200)))
        pair.service.isReadingPaused = false
        pair.wait(for: "the answers") { sums == 10 }
    }

    @Test("P12: reading paused inside a handler, the calls read already wait too")
    func pausedInside() throws {
        let pair = try Pair()
        var order: [Int] = []
        for number in 0..<3 {
            pair.client.send(pair.service.uniqueName, "/org/example/echo", EchoHandler.interface, "Later") { _ in
                order.append(number)
            }
        }
        pair.echo.onPostponed = { pair.service.isReadingPaused = true }
        pair.wait(for: "the first call") { pair.echo.postponed.count == 1 }
        #expect(!pair.loop.run(until: { pair.echo.postponed.count > 1 }, deadline: .now + .milliseconds(200)))
        pair.echo.onPostponed = nil
        pair.service.isReadingPaused = false
        pair.wait(for: "the others") { pair.echo.postponed.count == 3 }
        for call in pair.echo.postponed { call.reply() }
        pair.wait(for: "the answers") { order == [0, 1, 2] }
    }

    @Test("P12: with too much waiting for a bus that doesn't read, requests wait until half is gone")
    func congestion() throws {
        let pair = try Pair()
        pair.service.outgoingLimit = 1 << 20
        kill(pair.bus.processID, SIGSTOP)
        while !pair.service.isCongested {
            try pair.service.emit("/", "a.b", "Bulk", [.bytes([UInt8](repeating: 0, count: 100_000))])
        }
        #expect(pair.service.outgoingBytes > 1 << 20)
        kill(pair.bus.processID, SIGCONT)
        #expect(try pair.ask(EchoHandler.interface, "Add", [.int32(1), .int32(1)]) == [.int32(2)])
        #expect(!pair.service.isCongested)
        #expect(pair.service.outgoingBytes == 0)
    }

    @Test("whoever has much to send is told of room once, when the bus has taken most of it, and never at once")
    func room() throws {
        let pair = try Pair()
        var told = 0
        pair.service.whenRoomToSend { told += 1 }
        #expect(told == 0)
        pair.wait(for: "room in an empty socket") { told == 1 }
        kill(pair.bus.processID, SIGSTOP)
        while pair.service.outgoingBytes == 0 {
            try pair.service.emit("/", "a.b", "Bulk", [.bytes([UInt8](repeating: 0, count: 10_000))])
        }
        pair.service.whenRoomToSend { told += 1 }
        #expect(!pair.loop.run(until: { told > 1 }, deadline: .now + .milliseconds(200)), "the bus has taken nothing")
        kill(pair.bus.processID, SIGCONT)
        pair.wait(for: "room") { told == 2 }
        #expect(pair.service.outgoingBytes == 0)
        #expect(try pair.ask(EchoHandler.interface, "Add", [.int32(1), .int32(1)]) == [.int32(2)])
        #expect(told == 2)
    }

    @Test("a bus lost while reading is paused is noticed")
    func lostWhilePaused() throws {
        let pair = try Pair()
        var isLost = false
        pair.service.onDisconnect = { isLost = true }
        pair.service.isReadingPaused = true
        pair.bus.stop()
        pair.wait(for: "the loss") { isLost }
    }
}
