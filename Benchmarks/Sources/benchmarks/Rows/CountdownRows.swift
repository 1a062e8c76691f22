import Glibc
import Harness

/// Live countdowns: whether they are on time, what they cost, and what others feel of them.
enum CountdownRows {
    private static let peerOmits = "ticks from a heap and one timerfd on libdbus: nothing is kept, paused, owned or resumed"
    private static let dispatchOmits = "DispatchSource timers: late where they are handled, and nothing is sent to anyone"

    private static let machineOmits =
        "how much of the time work of some microseconds takes more than twice its usual processor time"

    /// One set-up: how many countdowns, and whether all tick at one moment.
    struct Plan {
        let count: Int
        let isAligned: Bool
        let seconds: Int
        let rounds: Int
    }

    static func measure(_ bench: Workbench) throws -> [Row] {
        let count = bench.pick(10_000, 200)
        let spread = Plan(count: count, isAligned: false, seconds: bench.pick(6, 2), rounds: bench.pick(3, 1))
        let aligned = Plan(count: count, isAligned: true, seconds: bench.pick(6, 2), rounds: bench.pick(3, 1))
        return try rows(bench, spread) + rows(bench, aligned)
    }

    private static func rows(_ bench: Workbench, _ plan: Plan) throws -> [Row] {
        var rounds: [Service: [Round]] = [:]
        var dispatch = Samples()
        for _ in 0..<plan.rounds {
            for service in Service.allCases { rounds[service, default: []].append(try Round.run(service, bench, plan)) }
            for late in try dispatchLateness(bench, plan) { dispatch.add(late) }
        }
        func figure(_ service: Service, _ value: (Round) -> Double, _ p99: ((Round) -> Double)? = nil) -> Figure {
            let all = rounds[service] ?? []
            let omits = service == .peer ? peerOmits : ""
            let median = Samples(all.map(value)).median
            guard let p99 else { return Figure(service.rawValue, median, omits: omits) }
            return Figure(service.rawValue, median: median, p99: Samples(all.map(p99)).median, omits: omits)
        }
        let title = "\(Table.number(Double(plan.count))) countdowns at 1 Hz, \(plan.isAligned ? "aligned" : "spread")"
        let (ours, theirs) = (figure(.daemon) { $0.cpu }, figure(.peer) { $0.cpu })
        let late = figure(.daemon) { $0.lateShare * 100 }
        let drift = figure(.daemon) { $0.drift }
        let timers = Figure(
            "DispatchSource", median: dispatch.share { $0 >= 1_000 } * 100, p99: nil, omits: dispatchOmits)
        let all = rounds.values.joined().map { $0.slowShare * 100 }
        let machine = Figure("the machine, at less than half its speed", Samples(all).median, omits: machineOmits)
        let get = figure(.daemon, { $0.get.median }, { $0.get.p99 })
        let steadyGet = figure(.daemon, { $0.steadyGet.median }, { $0.steadyGet.p99 })
        var rows: [Row] = []
        if plan.isAligned {
            let missed = figure(.daemon) { Double($0.missed) }
            rows.append(
                .value(
                    "\(title): Get meanwhile", unit: "µs", goal: "p99 ≤ 5 ms", ours: get,
                    peers: [figure(.peer, { $0.get.median }, { $0.get.p99 })], atMost: 5_000, of: get.p99))
            rows.append(
                .value(
                    "\(title): the same, where the machine was steady", unit: "µs", goal: "p99 ≤ 5 ms", ours: steadyGet,
                    peers: [figure(.peer, { $0.steadyGet.median }, { $0.steadyGet.p99 })], atMost: 5_000, of: steadyGet.p99))
            rows.append(
                .value(
                    "\(title): last tick of a second after the first, p99", unit: "ms", goal: "in order, none overtaken",
                    ours: figure(.daemon) { $0.arrival.p99 / 1_000 },
                    peers: [
                        figure(.peer) { $0.arrival.p99 / 1_000 },
                        Figure("DispatchSource", dispatch.quantile(0.99) / 1_000, omits: dispatchOmits),
                    ], atMost: 0, of: missed.median))
        } else {
            rows.append(
                .value(
                    "\(title): ticks 1 ms late or more where made", unit: "%", goal: "p99 ≤ 1 ms: ≤ 1 %", ours: late,
                    peers: [figure(.peer) { $0.lateShare * 100 }, timers, machine], atMost: 1))
            rows.append(
                .value(
                    "\(title): the same, where the machine was steady", unit: "%", goal: "≤ 1 %",
                    ours: figure(.daemon) { $0.steadyLateShare * 100 }, peers: [figure(.peer) { $0.steadyLateShare * 100 }],
                    atMost: 1))
            rows.append(
                .ratio(
                    "\(title): CPU of a tick", unit: "µs", goal: "≤ 1.5 × C", ours: ours, peers: [theirs],
                    ours.median / theirs.median, atMost: 1.5))
            rows.append(
                .value(
                    "\(title): drift over \(plan.seconds) s", unit: "ms", goal: "0, to half a millisecond", ours: drift,
                    peers: [figure(.peer) { $0.drift }], atMost: 0.5, of: abs(drift.median)))
        }
        return rows
    }

    /// Microseconds that each of DispatchSource's ticks was late.
    private static func dispatchLateness(_ bench: Workbench, _ plan: Plan) throws -> [Double] {
        let peer = try ChildProcess([
            bench.peer("DispatchPeer"), "\(plan.count)", "1000", "\(plan.seconds)", plan.isAligned ? "aligned" : "spread",
        ])
        var late: [Double] = []
        while let line = peer.readLine() { if let value = Double(line) { late.append(value) } }
        guard !late.isEmpty else { throw BenchmarkFailure("DispatchSource has made no tick") }
        return late
    }
}
