import CBusClient
import DBusTypes
import Glibc
import Harness
import LibDBus

/// What other processes see of a write, and when.
enum VisibilityRows {
    static func measure(_ bench: Workbench) throws -> [Row] { try callbacks(bench) + [try fanOut(bench)] }

    private static func callbacks(_ bench: Workbench) throws -> [Row] {
        let bus = try PrivateBus()
        try bench.startDaemon(on: bus)
        let (domain, key) = ("org.example.Seen", "value")
        let checker = try bus.startPeer([bench.peer("MirrorReader"), "check", bus.address, domain, key])
        let listener = try bus.startPeer([bench.peer("MirrorReader"), "notify", bus.address, domain, key])
        let connection = try BusConnection(address: bus.address)
        let writer = try bus.startPeer([bench.peer("DconfPeer"), "stamp", "1"])
        let told = try bus.startPeer([bench.peer("DconfPeer"), "notify", "1"])
        var number: Int64 = 0
        func write() throws -> Double {
            number += 1
            _ = try connection.call(
                "org.defaultsd1", "/org/defaultsd1", "org.defaultsd1.Preferences", "Set",
                [.string(domain), .string(key), .variant(.int64(number))])
            return Double(monotonic())
        }
        var (old, reads) = (0, 0)
        let comparison = try Comparison(
            [
                Subject(name: "defaultsd") { count in
                    try (0..<count).map { _ in
                        let answered = try write()
                        guard let line = listener.readLine(), let moment = Double(line) else {
                            throw BenchmarkFailure("no change was told of")
                        }
                        return moment - answered
                    }
                },
                Subject(name: "dconf", omits: CallRows.dconfOmits) { count in
                    try (0..<count).map { _ in
                        let answered = try writer.ask(1)[0]
                        guard let line = told.readLine(), let moment = Double(line) else {
                            throw BenchmarkFailure("dconf has told of no change")
                        }
                        return moment - answered
                    }
                },
            ], rounds: bench.pick(20, 1), count: bench.pick(20, 3))
        for _ in 0..<bench.pick(2_000, 20) {
            _ = try write()
            reads += 1
            if try checker.ask(1)[0] != Double(number) { old += 1 }
        }
        return [
            .value(
                "another process's callback after the writer's answer", unit: "µs", goal: "≤ 60 µs",
                ours: comparison.figure(0, scale: 1e-3), peers: comparison.peers(scale: 1e-3), atMost: 60),
            .value(
                "reads in another process that missed a write answered before, of \(Table.number(Double(reads)))", unit: "reads",
                goal: "0", ours: Figure("defaultsd", Double(old)), atMost: 0),
        ]
    }

    /// One change, and how many of those who watch other domains are woken by it.
    private static func fanOut(_ bench: Workbench) throws -> Row {
        let count = bench.pick(200, 10)
        let bus = try PrivateBus()
        try bench.startDaemon(on: bus)
        defer { withExtendedLifetime(bus) {} }
        let ours = try (0..<count).map {
            try bus.startPeer([bench.peer("MirrorReader"), "idle", bus.address, "org.example.App\($0)", "-"])
        }
        let theirs = try (0..<count).map { try bus.startPeer([bench.peer("XfconfPeer"), "watch", "/app\($0)"]) }
        let caller = try Caller(bus, Workbench.daemon)
        // All must have gone to sleep.
        usleep(500_000)
        let ourWoken = try woken(ours) { _ = try caller.latencies(BUS_SET, 1) }
        let theirWoken = try woken(theirs) {
            let connection = try BusConnection(address: bus.address)
            _ = try connection.call(
                "org.xfce.Xfconf", "/org/xfce/Xfconf", "org.xfce.Xfconf", "SetProperty",
                [.string("benchmark"), .string("/app0/setting"), .variant(.int32(1))])
        }
        return .value(
            "others woken by a change, of \(count) processes that each watch another domain", unit: "processes", goal: "0",
            ours: Figure("defaultsd", Double(ourWoken)),
            peers: [Figure("xfconf", Double(theirWoken), omits: "sends every change of a channel to all who have it open")],
            atMost: 0)
    }

    /// How many but the first were woken by what `body` does; the first must be.
    private static func woken(_ processes: [ChildProcess], _ body: () throws -> Void) throws -> Int {
        let before = try processes.map { try $0.wakeUps() }
        try body()
        usleep(300_000)
        let after = try processes.map { try $0.wakeUps() }
        guard after[0] > before[0] else { throw BenchmarkFailure("who watches the domain was not woken by its change") }
        return zip(before, after).dropFirst().count { $0 != $1 }
    }
}
