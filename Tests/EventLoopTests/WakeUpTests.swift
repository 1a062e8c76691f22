import EventLoop
import Support
import Synchronization
import Testing

/// A count that threads share.
private final class Count: Sendable {
    let value = Atomic<Int>(0)
}

@Suite("Wake-ups from other threads")
struct WakeUpTests {
    @Test("No signal is lost: the last of 40,000 from four threads is handled, with all that came before visible")
    func nothingLost() throws {
        let loop = try EventLoop()
        let count = Count()
        let each = 10_000
        var calls = 0
        let source = try loop.addWakeUp {
            calls += 1
            if count.value.load(ordering: .relaxed) == 4 * each { loop.exit() }
        }
        let wakeUp = source.wakeUp
        let threads = try (0..<4).map { _ in
            try TestThread {
                for _ in 0..<each {
                    count.value.add(1, ordering: .relaxed)
                    wakeUp.signal()
                }
            }
        }
        // Were one lost, the loop would wait here for ever.
        _ = try loop.run()
        for thread in threads { thread.join() }
        #expect((1...4 * each).contains(calls))
    }

    @Test("Signals before the loop looks are one call; a signal in the handler calls it again")
    func coalesced() throws {
        let loop = try EventLoop()
        var calls = 0
        var source: EventLoop.WakeUpSource?
        source = try loop.addWakeUp {
            calls += 1
            if calls == 1 { source?.wakeUp.signal() } else { loop.exit() }
        }
        for _ in 0..<100 { source?.wakeUp.signal() }
        _ = try loop.run()
        #expect(calls == 2)
    }

    @Test("A wake-up outlives its source and its loop: signalling does nothing")
    func outlives() throws {
        var calls = 0
        var wakeUp: EventLoop.WakeUp?
        do {
            let loop = try EventLoop()
            let source = try loop.addWakeUp { calls += 1 }
            wakeUp = source.wakeUp
            source.cancel()
            wakeUp?.signal()
            loop.defer { loop.defer { loop.exit() } }
            _ = try loop.run()
        }
        wakeUp?.signal()
        #expect(calls == 0)
    }
}
