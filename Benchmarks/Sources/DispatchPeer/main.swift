// DispatchSource timers: `DispatchPeer COUNT PERIOD SECONDS spread|aligned` prints by how many microseconds each tick was late where it
// was handled, one a line. Nothing is sent to anyone.
import Dispatch
import Glibc

/// A function, since the handlers of top-level code would be the main thread's.
func run() {
    let words = CommandLine.arguments.dropFirst().map { Int($0) ?? 0 }
    guard words.count == 4, words[0] > 0, words[1] > 0, words[2] > 0 else { exit(64) }
    let (count, period, seconds) = (words[0], words[1], words[2])
    let isAligned = CommandLine.arguments[4] == "aligned"

    let queue = DispatchQueue(label: "countdowns")
    let begin = DispatchTime.now().uptimeNanoseconds + 500_000_000
    let length = UInt64(period) * 1_000_000
    let end = begin + UInt64(seconds) * 1_000_000_000
    // All three are used on `queue` alone.
    nonisolated(unsafe) var late: [UInt32] = []
    nonisolated(unsafe) var due: [UInt64] = []
    nonisolated(unsafe) var timers: [any DispatchSourceTimer] = []
    late.reserveCapacity(count * (seconds * 1_000 / period + 2))
    queue.sync {
        for number in 0..<count {
            let first = begin + (isAligned ? 0 : length * UInt64(number) / UInt64(count))
            due.append(first)
            let timer = DispatchSource.makeTimerSource(flags: .strict, queue: queue)
            timer.schedule(
                deadline: DispatchTime(uptimeNanoseconds: first), repeating: .milliseconds(period), leeway: .nanoseconds(0))
            timer.setEventHandler {
                let now = DispatchTime.now().uptimeNanoseconds
                // A tick that came so late that another was due counts once, as what it is.
                if now >= due[number], now < end { late.append(UInt32(clamping: (now - due[number]) / 1_000)) }
                while due[number] <= now { due[number] += length }
            }
            timer.resume()
            timers.append(timer)
        }
    }
    usleep(UInt32(seconds) * 1_000_000 + 700_000)
    queue.sync { print(late.map { "\($0)" }.joined(separator: "\n")) }
    exit(0)
}

run()
