import Glibc
import Harness

/// What one round of one service has shown.
struct Round {
    /// How many ticks came in a second.
    var rate = 0.0
    /// The processor time of one tick, in microseconds.
    var cpu = 0.0
    /// The share of ticks that were a millisecond or more late where they were made.
    var lateShare = 0.0
    /// The same of the ticks that came while the machine was steady.
    var steadyLateShare = 0.0
    /// The share of the time in which the machine took more than twice as long as usual.
    var slowShare = 0.0
    /// How late ticks came to their owner, beyond the fastest of their countdown: median and p99 in microseconds.
    var arrival = (median: 0.0, p99: 0.0)
    /// How long a Get took meanwhile: median and p99 in microseconds.
    var get = (median: 0.0, p99: 0.0)
    /// The same of those that were answered while the machine was steady; of all where it never was.
    var steadyGet = (median: 0.0, p99: 0.0)
    /// Memory in KiB.
    var memory = (resident: 0, anonymous: 0)
    /// Ticks that another has overtaken.
    var missed = 0

    /// By how much ticks came later as time went on, in milliseconds.
    var drift = 0.0

    /// The time between two ticks of one countdown, in milliseconds.
    private static let period: Int64 = 1_000

    /// Runs a service on a bus of its own.
    static func run(_ service: Service, _ bench: Workbench, _ plan: CountdownRows.Plan) throws -> Round {
        let bus = try PrivateBus()
        let process = try service.start(on: bus, bench)
        let receiver = try Receiver(service, on: bus, period: period * 1_000_000)
        try receiver.start(plan.count, aligned: plan.isAligned)
        receiver.receive(for: 1_500_000_000, measuring: false)
        let probe = try ChildProcess([bench.peer("benchmarks"), "--probe", bus.address, service.name.text])
        let steadiness = try Steadiness.start(bench, seconds: plan.seconds)
        let (cpuBefore, before) = (try process.cpuTime(), boottime())
        receiver.receive(for: Int64(plan.seconds) * 1_000_000_000, measuring: true)
        let (cpu, duration) = (try process.cpuTime() - cpuBefore, boottime() - before)
        kill(probe.identifier, SIGTERM)
        let machine = try Steadiness(steadiness)
        var (gets, answered) = (Samples(), [Int64]())
        while let line = probe.readLine() {
            let words = line.split(separator: " ")
            guard words.count == 2, let moment = Int64(words[0]), let time = Double(words[1]) else { continue }
            gets.add(time)
            answered.append(moment)
        }
        var round = Round()
        let ticks = receiver.lateAtService.count
        guard ticks > 0, gets.count > 0 else {
            throw BenchmarkFailure("\(service.rawValue) has sent no ticks, or answered no Get")
        }
        round.rate = Double(ticks) * 1e9 / Double(duration)
        round.cpu = Double(cpu) / 1_000 / Double(ticks)
        round.lateShare = receiver.lateAtService.share { $0 >= 1 }
        round.steadyLateShare = machine.steady(receiver.lateAtService, at: receiver.arrivals).share { $0 >= 1 }
        round.slowShare = machine.share
        let late = receiver.lateOnArrival()
        round.arrival = (late.median, late.quantile(0.99))
        round.get = (gets.median, gets.quantile(0.99))
        let steadyGets = machine.steady(gets, at: answered)
        round.steadyGet = (steadyGets.median, steadyGets.quantile(0.99))
        round.memory = process.memory()
        round.missed = receiver.missed
        round.drift = receiver.drift()
        return round
    }
}
