import Glibc
import Harness

/// How evenly the machine itself works: a little work once a millisecond, and the processor time that it takes, in a process of its own.
///
/// A virtual machine is slowed down, on all of its processors at once, by what its host does beside it; no clock and no count of stolen time tells.
/// The work is short system calls and some memory, like a tick's; its processor time doesn't count what waits for a turn.
struct Steadiness {
    /// The option that makes a process of this program measure it.
    static let option = "--steadiness"
    /// So long after a slow moment what was left undone in it is still being caught up with, in nanoseconds.
    private static let aftermath: Int64 = 100_000_000

    /// The moments, of CLOCK_BOOTTIME in nanoseconds and rising, at which the work took more than twice what it takes in the middle.
    private let slow: [Int64]
    /// The share of the moments that were slow.
    let share: Double

    /// Measures for so many seconds in a process that ends by itself.
    static func start(_ bench: Workbench, seconds: Int) throws -> ChildProcess {
        try ChildProcess([bench.peer("benchmarks"), option, "\(seconds)"])
    }

    /// Takes what the process has measured; waits for its end.
    init(_ process: ChildProcess) throws {
        var moments: [(moment: Int64, cost: Double)] = []
        while let line = process.readLine() {
            let words = line.split(separator: " ")
            guard words.count == 2, let moment = Int64(words[0]), let cost = Double(words[1]) else { continue }
            moments.append((moment, cost))
        }
        guard !moments.isEmpty else { throw BenchmarkFailure("the machine's steadiness was not measured") }
        let usual = Samples(moments.map(\.cost)).median
        slow = moments.filter { $0.cost > 2 * usual }.map(\.moment)
        share = Double(slow.count) / Double(moments.count)
    }

    /// Those of the samples that were taken, each at its moment, while the machine was steady; all of them where it never was.
    func steady(_ samples: Samples, at moments: [Int64]) -> Samples {
        let steady = Samples(zip(samples.values, moments).filter { isSteady(at: $0.1) }.map(\.0))
        return steady.count > 0 ? steady : samples
    }

    /// Whether the machine was at its usual speed at this moment, of CLOCK_BOOTTIME, and for a tenth of a second before.
    private func isSteady(at moment: Int64) -> Bool {
        // The last slow one that isn't later.
        var (low, high) = (0, slow.count)
        while low < high {
            let middle = (low + high) / 2
            if slow[middle] <= moment { low = middle + 1 } else { high = middle }
        }
        return low == 0 || slow[low - 1] < moment - Self.aftermath
    }

    /// Does the work of the process: a line for each moment, when and how many nanoseconds of processor time.
    static func run(seconds: Int) throws {
        var ends: [Int32] = [0, 0]
        guard socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) == 0 else {
            throw BenchmarkFailure("there are no sockets")
        }
        var (message, memory) = ([UInt8](repeating: 1, count: 256), [UInt8](repeating: 0, count: 1 << 20))
        var place: UInt32 = 1
        var lines = ""
        let end = boottime() + Int64(seconds) * 1_000_000_000
        while boottime() < end {
            usleep(1_000)
            let (moment, before) = (boottime(), threadTime())
            for _ in 0..<8 {
                guard write(ends[0], message, message.count) == message.count,
                    read(ends[1], &message, message.count) == message.count
                else {
                    throw BenchmarkFailure("a socket doesn't take what is written")
                }
                for _ in 0..<64 {
                    place = place &* 1_664_525 &+ 1_013_904_223
                    memory[Int(place >> 12)] &+= 1
                }
            }
            lines += "\(moment) \(threadTime() - before)\n"
        }
        print(lines, terminator: "")
    }

    private static func threadTime() -> Int64 {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }
}
