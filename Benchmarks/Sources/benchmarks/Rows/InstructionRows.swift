import CBusClient
import Glibc
import Harness

/// How many instructions the hot paths take, by valgrind: the same on a busy machine as on an idle one, so that changes can be told.
enum InstructionRows {
    static func measure(_ bench: Workbench) throws -> [Row] {
        let get = try calls(bench, BUS_GET)
        let echo = try calls(bench, BUS_GET, echo: true)
        let set = try calls(bench, BUS_SET)
        let read = try reads(bench)
        let command = try command(bench)
        return [
            row("Get in the daemon", get, peers: [Figure("C echo", echo, omits: CallRows.echoOmits)]),
            row("durable Set in the daemon, both threads", set),
            row("warm typed read", read), row("defaultsctl read, from exec to exit", command),
        ]
    }

    private static func row(_ what: String, _ count: Double, peers: [Figure] = []) -> Row {
        Row(
            what: what, unit: "instructions", goal: "recorded", ours: Figure("defaultsd", count), peers: peers, ratio: nil,
            isReached: nil)
    }

    private static let fewer = 200
    private static let more = 700

    /// What one call costs the daemon, or the peer that only answers: the difference that some more calls make.
    private static func calls(_ bench: Workbench, _ call: bus_call, echo: Bool = false) throws -> Double {
        let counts = try [fewer, more].map { count in
            let bus = try PrivateBus()
            defer { withExtendedLifetime(bus) {} }
            let log = bus.folder + "/valgrind"
            let service: ChildProcess
            if echo {
                service = try bench.startService(Workbench.daemon, on: bus, prefix: valgrind(log)) {
                    try withoutDebugInformation($0, bus)
                }
            } else {
                try bench.generate(on: bus, domains: 1, keys: 100)
                service = try bench.startDaemon(
                    on: bus, prefix: valgrind(log),
                    program: try withoutDebugInformation("\(bench.programs)/defaultsd", bus))
            }
            _ = try Caller(bus, Workbench.daemon).latencies(call, count)
            kill(service.identifier, SIGTERM)
            service.wait()
            return try collected(log)
        }
        return (counts[1] - counts[0]) / Double(more - fewer)
    }

    private static func reads(_ bench: Workbench) throws -> Double {
        let bus = try PrivateBus()
        try bench.generate(on: bus, domains: 1, keys: 100)
        try bench.startDaemon(on: bus)
        defer { withExtendedLifetime(bus) {} }
        let log = bus.folder + "/valgrind"
        let counts = try [1_000, 11_000].map { batch in
            let reader = try bus.startPeer(
                valgrind(log) + [
                    try withoutDebugInformation(bench.peer("MirrorReader"), bus), "mirror", bus.address, "100", "\(batch)",
                ])
            _ = try reader.ask(1)
            reader.closeInput()
            reader.wait()
            return try collected(log)
        }
        return (counts[1] - counts[0]) / 10_000
    }

    private static func command(_ bench: Workbench) throws -> Double {
        let bus = try PrivateBus()
        try bench.generate(on: bus, domains: 1, keys: 100)
        try bench.startDaemon(on: bus)
        defer { withExtendedLifetime(bus) {} }
        let log = bus.folder + "/valgrind"
        let process = try bus.start(
            valgrind(log) + [
                try withoutDebugInformation("\(bench.programs)/defaultsctl", bus), "read", Workbench.domain, "setting-1",
            ])
        guard process.readLine() != nil, process.wait() == 0 else {
            throw BenchmarkFailure("defaultsctl has failed under valgrind")
        }
        return try collected(log)
    }

    /// A copy of a program that valgrind can read: it gives up on the compiler's debugging information.
    private static func withoutDebugInformation(_ program: String, _ bus: PrivateBus) throws -> String {
        let copy = bus.folder + "/stripped"
        guard try bus.start(["strip", "--strip-debug", "-o", copy, program]).wait() == 0 else {
            throw BenchmarkFailure("strip can't copy \(program)")
        }
        return copy
    }

    private static func valgrind(_ log: String) -> [String] {
        ["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null", "--log-file=\(log)"]
    }

    /// The count in valgrind's log.
    private static func collected(_ log: String) throws -> Double {
        for line in ChildProcess.text(log).split(separator: "\n") where line.contains("Collected :") {
            if let count = line.split(separator: " ").last.flatMap({ Double($0) }) { return count }
        }
        throw BenchmarkFailure("valgrind has counted nothing: \(ChildProcess.text(log))")
    }
}
