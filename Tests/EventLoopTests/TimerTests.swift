import Glibc
import Testing

@testable import EventLoop

@Suite("Timers")
struct TimerTests {
    @Test("A timer fires once, never before its time", arguments: [EventLoop.TimerClock.boottime, .monotonic])
    func firesOnce(clock: EventLoop.TimerClock) throws {
        let loop = try EventLoop()
        let now = { clock == .boottime ? SystemTime.boottime : SystemTime.monotonic }
        // No whole number of microseconds: rounded down, it would be early.
        let due = now() / 1_000 * 1_000 + 20_000_001
        var fired: [Int64] = []
        let timer = try loop.addTimer(on: clock) { fired.append(now()) }
        let end = try loop.addTimer { loop.exit() }
        #expect(!timer.isArmed)
        timer.arm(at: due)
        #expect(timer.isArmed)
        end.arm(at: SystemTime.boottime + 60_000_000)
        _ = try loop.run()
        #expect(fired.count == 1)
        #expect(try #require(fired.first) >= due)
        #expect(!timer.isArmed)
    }

    @Test("A time that is past, 0 or negative fires at once; the end of time never")
    func extremes() throws {
        let loop = try EventLoop()
        var fired: [String] = []
        for (name, time) in [("past", SystemTime.boottime - 1), ("zero", 0), ("negative", Int64.min)] {
            let timer = try loop.addTimer {
                fired.append(name)
                if fired.count == 3 { loop.exit() }
            }
            timer.arm(at: time)
        }
        let never = try loop.addTimer { fired.append("never") }
        never.arm(at: .max)
        _ = try loop.run()
        #expect(fired.sorted() == ["negative", "past", "zero"])
        #expect(never.isArmed)
    }

    @Test("The accuracy is 1 µs, not sd-event's default of 250 ms")
    func accuracy() throws {
        let loop = try EventLoop()
        let timer = try loop.addTimer {}
        #expect(timer.accuracy == 1)
    }

    @Test("A timer that is due can still be disarmed, re-armed or cancelled by a handler of the same round")
    func disarmWhenDue() throws {
        let loop = try EventLoop()
        var fired: [String] = []
        let first = try loop.addTimer { fired.append("disarmed") }
        let second = try loop.addTimer { fired.append("cancelled") }
        let third = try loop.addTimer {
            fired.append("moved")
            loop.exit()
        }
        let control = try loop.addTimer {
            first.disarm()
            second.cancel()
            third.arm(at: SystemTime.boottime + 5_000_000)
            fired.append("control")
        }
        control.priority = -1
        for timer in [first, second, third, control] { timer.arm(at: 0) }
        _ = try loop.run()
        #expect(fired == ["control", "moved"])
        #expect(second.isCancelled)
        #expect(!second.isArmed)
    }

    @Test("A handler may arm its own timer again, and cancel it")
    func rearmInside() throws {
        let loop = try EventLoop()
        var count = 0
        var timer: EventLoop.TimerSource?
        timer = try loop.addTimer {
            count += 1
            if count < 5 {
                timer?.arm(at: SystemTime.boottime + 1)
            } else {
                timer?.cancel()
                timer?.arm(at: 0)
                loop.defer { loop.defer { loop.exit() } }
            }
        }
        timer?.arm(at: 0)
        _ = try loop.run()
        #expect(count == 5)
        #expect(timer?.isCancelled == true)
    }

    @Test("The clocks run forward, and boottime is never behind monotonic")
    func clocks() {
        let boottime = SystemTime.boottime
        #expect(SystemTime.boottime >= boottime)
        let monotonic = SystemTime.monotonic
        #expect(SystemTime.monotonic >= monotonic)
        #expect(SystemTime.boottime >= monotonic)
        #expect(abs(SystemTime.wall / 1_000_000 - Int64(time(nil))) <= 1)
    }
}
