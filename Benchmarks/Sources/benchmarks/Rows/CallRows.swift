import CBusClient
import Glibc
import Harness

/// Calls over the bus, one at a time and many at once.
enum CallRows {
    static let echoOmits = "a constant answer on libdbus alone: nothing is looked up, checked, queued or kept"
    private static let prototypeOmits =
        "one table on SQLite (WAL, synchronous=FULL) on the thread of the bus: no layers, locks, limits, checksums, backup or signals, and reads wait for the disk"
    static let dconfOmits =
        "copies the whole database for each write; no types beyond GVariant's, no compare-and-set, no answer to who wrote"
    static let xfconfOmits = "answers before anything is on disk: what it said is lost in a crash for up to some seconds"

    /// A file that is overwritten and flushed as a -wal is: header and page of the leaf, the domain's row and the user's.
    private static let flushedBytes: Int32 = 3 * (4_096 + 24)

    static func measure(_ bench: Workbench) throws -> [Row] {
        let bus = try PrivateBus()
        try bench.generate(on: bus, domains: 1, keys: 1_000)
        try bench.startDaemon(on: bus)
        try bench.startService("org.defaultsd1.Echo", on: bus)
        try bench.startService("org.defaultsd1.Prototype", on: bus, store: bus.folder + "/prototype.sqlite")
        let ours = try Caller(bus, Workbench.daemon)
        let bare = try Caller(bus, "org.defaultsd1.Echo")
        let simple = try Caller(bus, "org.defaultsd1.Prototype")
        return [
            try get(bench, ours, bare), try set(bench, bus, ours, bare, simple), try manySets(bench, ours, bare, simple),
            try getAll(bench, bus),
        ]
    }

    private static func get(_ bench: Workbench, _ ours: Caller, _ echo: Caller) throws -> Row {
        let comparison = try Comparison(
            [
                Subject(name: "defaultsd") { try ours.latencies(BUS_GET, $0) },
                Subject(name: "C echo", omits: echoOmits) { try echo.latencies(BUS_GET, $0) },
            ], rounds: bench.pick(60, 2), count: bench.pick(200, 20))
        return .ratio(
            "Get over the bus", unit: "µs", goal: "≤ 1.10 × echo", ours: comparison.figure(0, scale: 1e-3),
            peers: comparison.peers(scale: 1e-3), comparison.ratio(to: 1), atMost: 1.10)
    }

    private static func set(
        _ bench: Workbench, _ bus: PrivateBus, _ ours: Caller, _ echo: Caller, _ prototype: Caller
    ) throws -> Row {
        let file = open(bus.folder + "/flushed", O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw BenchmarkFailure("no file to flush: \(String(cString: strerror(errno)))") }
        defer { close(file) }
        let dconf = try bus.startPeer([bench.peer("DconfPeer"), "write", "100"])
        let xfconf = try bus.startPeer([bench.peer("XfconfPeer"), "write", "100"])
        let comparison = try Comparison(
            [
                Subject(name: "defaultsd") { try ours.latencies(BUS_SET, $0) },
                Subject(name: "C echo", omits: echoOmits) { try echo.latencies(BUS_SET, $0) },
                Subject(name: "one fdatasync", omits: "12 KiB overwritten in a file and flushed, by nobody's request") { count in
                    (0..<count).map { _ in Double(bus_client_fdatasync(file, flushedBytes)) }
                },
                Subject(name: "C on SQLite", omits: prototypeOmits) { try prototype.latencies(BUS_SET, $0) },
                Subject(name: "dconf", omits: dconfOmits) { try dconf.ask($0) },
                Subject(name: "xfconf", omits: xfconfOmits) { try xfconf.ask($0) },
            ], rounds: bench.pick(40, 2), count: bench.pick(50, 10))
        return .ratio(
            "durable Set, one at a time", unit: "µs", goal: "≤ 1.15 × (echo + fdatasync)",
            ours: comparison.figure(0, scale: 1e-3), peers: comparison.peers(scale: 1e-3), comparison.ratio { $0[1] + $0[2] },
            atMost: 1.15)
    }

    private static func manySets(_ bench: Workbench, _ ours: Caller, _ echo: Caller, _ prototype: Caller) throws -> Row {
        let count = bench.pick(4_000, 256)
        let comparison = try Comparison(
            [
                Subject(name: "defaultsd") { _ in [try ours.rate(BUS_SET, count, outstanding: 64)] },
                Subject(name: "C echo", omits: echoOmits) { _ in [try echo.rate(BUS_SET, count, outstanding: 64)] },
                Subject(name: "C on SQLite", omits: prototypeOmits) { _ in [try prototype.rate(BUS_SET, count, outstanding: 64)]
                },
            ], rounds: bench.pick(15, 1), count: 1)
        return .ratio(
            "durable Set, 64 outstanding", unit: "a second", goal: "≥ 0.85 × echo", ours: comparison.figure(0),
            peers: comparison.peers(), comparison.ratio(to: 1), atLeast: 0.85)
    }

    private static func getAll(_ bench: Workbench, _ bus: PrivateBus) throws -> Row {
        let ours = try Caller(bus, Workbench.daemon)
        let echo = try Caller(bus, "org.defaultsd1.Echo")
        let comparison = try Comparison(
            [
                Subject(name: "defaultsd") { try ours.latencies(BUS_GET_ALL, $0) },
                Subject(name: "C echo", omits: echoOmits) { try echo.latencies(BUS_GET_ALL, $0) },
            ], rounds: bench.pick(20, 1), count: bench.pick(25, 3))
        return .ratio(
            "GetAll of 1,000 keys", unit: "ms", goal: "≤ 1.3 × echo", ours: comparison.figure(0, scale: 1e-6),
            peers: comparison.peers(scale: 1e-6), comparison.ratio(to: 1), atMost: 1.3)
    }
}
