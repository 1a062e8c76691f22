import EventLoop
import Glibc
import Testing

@Suite("Event loop")
struct EventLoopTests {
    @Test("run returns the code of the first exit")
    func exitCode() throws {
        let loop = try EventLoop()
        loop.defer {
            loop.exit(75)
            loop.exit(0)
        }
        #expect(try loop.run() == 75)
    }

    @Test("An exit before run ends it at once, and what is due does not run")
    func exitBeforeRun() throws {
        let loop = try EventLoop()
        var ran = false
        loop.defer { ran = true }
        loop.exit(3)
        #expect(try loop.run() == 3)
        #expect(!ran)
    }

    @Test("A second run is an error with the system's text")
    func secondRun() throws {
        let loop = try EventLoop()
        loop.exit()
        _ = try loop.run()
        let error = try #require(throws: EventLoopError.self) { try loop.run() }
        #expect(error.operation == "sd_event_loop")
        #expect(error.description == "sd_event_loop: \(String(cString: strerror(error.code)))")
    }

    @Test("What is still done with a loop that has ended has no effect")
    func afterTheEnd() throws {
        let loop = try EventLoop()
        var ran = false
        let timer = try loop.addTimer { ran = true }
        var ends: [Int32] = [-1, -1]
        try #require(pipe(&ends) == 0)
        defer { for end in ends { close(end) } }
        let source = try loop.addIO(fd: ends[1], events: []) { _ in ran = true }
        loop.exit(2)
        #expect(try loop.run() == 2)
        timer.arm(at: 0)
        source.events = .writable
        loop.defer { ran = true }
        loop.exit(1)
        source.cancel()
        #expect(throws: EventLoopError.self) { try loop.run() }
        #expect(!ran)
    }

    @Test("Deferred handlers run once, in order, those deferred meanwhile in the next round")
    func deferOrder() throws {
        let loop = try EventLoop()
        var order: [String] = []
        for number in 0..<50 {
            loop.defer {
                order.append("first \(number)")
                loop.defer { order.append("second \(number)") }
                if number == 0 { loop.defer { loop.defer { loop.exit() } } }
            }
        }
        _ = try loop.run()
        #expect(order == (0..<50).map { "first \($0)" } + (0..<50).map { "second \($0)" })
    }

    @Test("Before each wait: what the hook defers runs in the same round, without a wait")
    func beforeWait() throws {
        let loop = try EventLoop()
        var rounds = 0
        var hook: EventLoop.BeforeWaitSource?
        hook = try loop.addBeforeWait {
            rounds += 1
            // Nothing else ever wakes this loop: were there a wait in between, the test would hang.
            loop.defer { if rounds == 3 { loop.exit() } }
        }
        _ = try loop.run()
        #expect(rounds == 3)
        #expect(hook?.isCancelled == false)
    }

    @Test("Before each wait: the hook runs after everything that was due")
    func beforeWaitOrder() throws {
        let loop = try EventLoop()
        var order: [String] = []
        loop.defer { order.append("deferred") }
        let hook = try loop.addBeforeWait { order.append("hook") }
        let timer = try loop.addTimer {
            hook.cancel()
            loop.exit()
        }
        timer.arm(at: SystemTime.boottime + 1_000_000)
        _ = try loop.run()
        // The first round's hook comes before its dispatch, the next before the wait for the timer.
        #expect(order.prefix(3) == ["hook", "deferred", "hook"])
    }

    @Test("Of sources due in one round the lower priority number runs first")
    func priorities() throws {
        let loop = try EventLoop()
        var order: [Int64] = []
        for priority: Int64 in [5, -100, 0, 100] {
            let timer = try loop.addTimer {
                order.append(priority)
                if order.count == 4 { loop.exit() }
            }
            timer.priority = priority
            #expect(timer.priority == priority)
            timer.arm(at: 0)
        }
        _ = try loop.run()
        #expect(order == [-100, 0, 5, 100])
    }

    @Test("The loop holds its sources and, when it goes, lets go of their handlers")
    func ownership() throws {
        final class Token {}
        weak var token: Token?
        var kept: EventLoop.TimerSource?
        do {
            let loop = try EventLoop()
            let strong = Token()
            token = strong
            kept = try loop.addTimer { _ = strong }
            #expect(kept?.isCancelled == false)
        }
        #expect(token == nil)
        #expect(kept?.isCancelled == true)
        // All that a handle can still be asked is harmless.
        kept?.arm(at: 0)
        kept?.disarm()
        kept?.priority = 1
        #expect(kept?.priority == 0)
        #expect(kept?.isArmed == false)
        kept?.cancel()
    }
}
