import CBusClient
import Glibc
import Harness

/// What a growing store costs.
enum GrowthRows {
    static func measure(_ bench: Workbench) throws -> [Row] { [try set(bench), try apply(bench)] }

    private static func set(_ bench: Workbench) throws -> Row {
        let domains = bench.pick(1_000, 10)
        let buses = [try PrivateBus(), try PrivateBus()]
        try bench.generate(on: buses[0], domains: 1, keys: 100)
        try bench.generate(on: buses[1], domains: domains, keys: 1_000)
        for bus in buses { try bench.startDaemon(on: bus) }
        let (large, small) = (try Caller(buses[1], Workbench.daemon), try Caller(buses[0], Workbench.daemon))
        let few = try buses[0].startPeer([bench.peer("DconfPeer"), "write", "100"])
        let keys = bench.pick(100_000, 1_000)
        let many = try buses[1].startPeer([bench.peer("DconfPeer"), "write", "\(keys)"])
        let comparison = try Comparison(
            [
                Subject(name: "defaultsd") { try large.latencies(BUS_SET, $0) },
                Subject(name: "with 100 keys") { try small.latencies(BUS_SET, $0) },
            ], rounds: bench.pick(40, 1), count: bench.pick(50, 5))
        let dconf = try Comparison(
            [
                Subject(name: "dconf with \(Table.number(Double(keys))) keys", omits: CallRows.dconfOmits) { try many.ask($0) },
                Subject(name: "dconf with 100 keys") { try few.ask($0) },
            ], rounds: bench.pick(3, 1), count: bench.pick(3, 1))
        return .ratio(
            "Set in a store of \(Table.number(Double(domains * 1_000))) keys", unit: "µs", goal: "≤ 1.3 × with 100 keys",
            ours: comparison.figure(0, scale: 1e-3),
            peers: comparison.peers(scale: 1e-3) + [dconf.figure(0, scale: 1e-3), dconf.figure(1, scale: 1e-3)],
            comparison.ratio(to: 1), atMost: 1.3)
    }

    private static func apply(_ bench: Workbench) throws -> Row {
        let keys = bench.pick(10_000, 500)
        let bus = try PrivateBus()
        try bench.startDaemon(on: bus)
        let ours = try Caller(bus, Workbench.daemon, keys: keys)
        let dconf = try bus.startPeer([bench.peer("DconfPeer"), "apply", "\(keys)"])
        let before = StoreFile.commits(of: bus)
        let comparison = try Comparison(
            [
                Subject(name: "defaultsd") { try ours.latencies(BUS_APPLY, $0) },
                Subject(name: "dconf", omits: CallRows.dconfOmits) { try dconf.ask($0) },
            ], rounds: bench.pick(10, 1), count: 1)
        // The first round isn't counted; it has committed all the same.
        let commits = Double(StoreFile.commits(of: bus) - before) / Double(bench.pick(10, 1) + 1)
        return .value(
            "\(Table.number(Double(keys))) keys in one Apply, of \(Table.number(commits)) transaction", unit: "ms",
            goal: "≤ 100 ms, one fdatasync", ours: comparison.figure(0, scale: 1e-6), peers: comparison.peers(scale: 1e-6),
            atMost: commits == 1 ? 100 : 0)
    }
}

/// What a store says of itself by its files.
enum StoreFile {
    /// How many transactions have been committed: the number in the side file.
    static func commits(of bus: PrivateBus) -> Int {
        let file = open(bus.folder + "/store/commit", O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return 0 }
        defer { close(file) }
        var number: UInt64 = 0
        guard read(file, &number, 8) == 8 else { return 0 }
        return Int(UInt64(littleEndian: number))
    }

    /// Waits until the daemon has made its backup, after which nothing is left to be done.
    static func waitForBackup(of bus: PrivateBus) throws {
        let deadline = boottime() + 120_000_000_000
        while access(bus.folder + "/store/defaults.backup.sqlite", F_OK) != 0 {
            guard boottime() < deadline else { throw BenchmarkFailure("there was no backup in two minutes") }
            usleep(50_000)
        }
    }
}
