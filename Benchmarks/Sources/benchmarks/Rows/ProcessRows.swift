import CBusClient
import DBusTypes
import Glibc
import Harness
import LibDBus

/// What programs cost as processes: to be started, to be kept, to do nothing.
enum ProcessRows {
    static let dconfName = "ca.desrt.dconf"
    static let xfconfName = "org.xfce.Xfconf"

    static func measure(_ bench: Workbench) throws -> [Row] {
        try activations(bench) + [try commands(bench)] + rest(bench) + [try unchangedSet(bench), try countdownLife(bench)]
    }

    // MARK: Activation

    private static func activations(_ bench: Workbench) throws -> [Row] {
        let domains = bench.pick(1_000, 10)
        let service = "\(bench.programs)/defaultsd --session --store=FOLDER/store"
        let buses = try [PrivateBus(services: [Workbench.daemon: service]), PrivateBus(services: [Workbench.daemon: service])]
        try bench.generate(on: buses[0], domains: 1, keys: 100)
        try bench.generate(on: buses[1], domains: domains, keys: 1_000)
        let get: (BusConnection) throws -> Void = { connection in
            _ = try connection.call(
                "org.defaultsd1", "/org/defaultsd1", "org.defaultsd1.Preferences", "Get",
                [.string(Workbench.domain), .string("setting-1")])
        }
        // A database to open, as ours has one.
        for words in [["DconfPeer", "write", "100"], ["XfconfPeer", "write", "100"]] {
            try buses[0].startPeer([bench.peer(words[0])] + words[1...])
        }
        let comparison = try Comparison(
            [
                Subject(name: "defaultsd") { try starts($0, on: buses[1], "org.defaultsd1", get) },
                Subject(name: "with 100 keys") { try starts($0, on: buses[0], "org.defaultsd1", get) },
                Subject(name: "dconf", omits: CallRows.dconfOmits) {
                    try starts($0, on: buses[0], "ca.desrt.dconf") { connection in
                        _ = try connection.call(
                            "ca.desrt.dconf", "/ca/desrt/dconf/Writer/user", "ca.desrt.dconf.Writer", "Init")
                    }
                },
                Subject(name: "xfconf", omits: CallRows.xfconfOmits) {
                    try starts($0, on: buses[0], "org.xfce.Xfconf") { connection in
                        _ = try connection.call(
                            "org.xfce.Xfconf", "/org/xfce/Xfconf", "org.xfce.Xfconf", "GetProperty",
                            [.string("benchmark"), .string("/setting-1")])
                    }
                },
            ], rounds: bench.pick(15, 1), count: 1)
        return [
            .value(
                "from D-Bus activation to the first answer, store of \(Table.number(Double(domains * 1_000))) keys", unit: "ms",
                goal: "≤ 12 ms", ours: comparison.figure(0, scale: 1e-6), peers: comparison.peers(scale: 1e-6), atMost: 12)
        ]
    }

    /// Starts a service by calling it, so many times; it is ended each time.
    private static func starts(
        _ count: Int, on bus: PrivateBus, _ name: BusName, _ call: (BusConnection) throws -> Void
    ) throws -> [Double] {
        let connection = try BusConnection(address: bus.address)
        return try (0..<count).map { _ in
            try stop(name, connection)
            let begin = monotonic()
            try call(connection)
            let duration = Double(monotonic() - begin)
            try stop(name, connection)
            return duration
        }
    }

    private static func processOf(_ name: BusName, _ connection: BusConnection) throws -> pid_t? {
        do throws(DBusError) {
            let reply = try connection.call(.bus, .bus, .bus, "GetConnectionUnixProcessID", [.string(name.text)])
            guard case .uint32(let process)? = reply.first else { return nil }
            return pid_t(process)
        } catch {
            // Not there yet, or on its way out.
            guard error.name == "org.freedesktop.DBus.Error.NameHasNoOwner" else { throw error }
            return nil
        }
    }

    /// Ends the owner of a name and waits until it has gone.
    private static func stop(_ name: BusName, _ connection: BusConnection) throws {
        guard let process = try processOf(name, connection) else { return }
        kill(process, SIGTERM)
        let deadline = boottime() + 10_000_000_000
        while kill(process, 0) == 0 {
            // The bus that started it takes note of its end; until then it is a zombie.
            if ChildProcess.text("/proc/\(process)/stat").contains(") Z ") { break }
            guard boottime() < deadline else { throw BenchmarkFailure("\(name) doesn't end") }
            usleep(500)
        }
        while try processOf(name, connection) != nil { usleep(500) }
    }

    // MARK: Command lines

    private static func commands(_ bench: Workbench) throws -> Row {
        let bus = try PrivateBus()
        try bench.generate(on: bus, domains: 1, keys: 100)
        try bench.startDaemon(on: bus)
        try bus.startPeer([bench.peer("DconfPeer"), "write", "100"])
        func subject(_ name: String, _ words: [String], omits: String = "") -> Subject {
            Subject(name: name, omits: omits) { count in
                try (0..<count).map { _ in
                    let begin = monotonic()
                    let process = try bus.start(words)
                    guard process.readLine() != nil, process.wait() == 0 else { throw BenchmarkFailure("\(words) has failed") }
                    return Double(monotonic() - begin)
                }
            }
        }
        let comparison = try Comparison(
            [
                subject("defaultsctl read", ["\(bench.programs)/defaultsctl", "read", Workbench.domain, "setting-1"]),
                subject(
                    "dconf read", ["dconf", "read", "/org/example/app-0/setting-1"],
                    omits: "reads the database file itself, without the bus: nobody is asked whether it may"),
                subject(
                    "busctl call",
                    [
                        "busctl", "--address=\(bus.address)", "call", "org.defaultsd1", "/org/defaultsd1",
                        "org.defaultsd1.Preferences", "Get", "ss", Workbench.domain, "setting-1",
                    ]),
            ], rounds: bench.pick(30, 1), count: bench.pick(5, 2))
        let ratio = comparison.ratio(to: 1)
        let isBelow = comparison.ratio(to: 2) < 1
        return .ratio(
            "defaultsctl read, as a process", unit: "ms", goal: "≤ 1.3 × dconf read, below busctl",
            ours: comparison.figure(0, scale: 1e-6), peers: comparison.peers(scale: 1e-6), ratio, atMost: isBelow ? 1.3 : 0)
    }

    // MARK: At rest

    private static func rest(_ bench: Workbench) throws -> [Row] {
        let (small, large) = (try PrivateBus(), try PrivateBus())
        let keys = bench.pick(100_000, 1_000)
        try bench.generate(on: small, domains: 1, keys: 100)
        try bench.generate(on: large, domains: keys / 1_000, keys: 1_000)
        defer { withExtendedLifetime((small, large)) {} }
        let daemon = try bench.startDaemon(on: small)
        let other = try bench.startDaemon(on: large)
        let connection = try BusConnection(address: small.address)
        var peers: [(name: String, process: pid_t)] = []
        for (program, name) in [("DconfPeer", dconfName), ("XfconfPeer", xfconfName)] {
            try small.startPeer([bench.peer(program), "write", "100"])
            guard let name = BusName(name) else { throw BenchmarkFailure("\(name) is no name") }
            // Xfconf's library says that a value is set while its service is still being started.
            let deadline = ContinuousClock.now + .seconds(10)
            var found = try processOf(name, connection)
            while found == nil && ContinuousClock.now < deadline {
                usleep(10_000)
                found = try processOf(name, connection)
            }
            guard let process = found else { throw BenchmarkFailure("\(name) isn't on its bus") }
            peers.append((name.text, process))
        }
        let largeConnection = try BusConnection(address: large.address)
        if !bench.isSmoke {
            for bus in [small, large] { try StoreFile.waitForBackup(of: bus) }
            // At rest the daemon has given back its code; what serving needs of that is no domain's, and so is there before it is measured.
            _ = try largeConnection.call(
                "org.defaultsd1", "/org/defaultsd1", "org.defaultsd1.Preferences", "Get",
                [.string("org.example.App1"), .string("setting-1")])
        }
        let before = other.memory()
        _ = try Caller(large, Workbench.daemon).latencies(BUS_GET, 20)
        let serving = other.memory()
        try large.startPeer([bench.peer("DconfPeer"), "write", "\(keys)"])
        let dconf = try processOf("ca.desrt.dconf", largeConnection).map { ChildProcess.memory(of: $0).resident } ?? 0
        let memory = daemon.memory()
        let mebi = { (kibibytes: Int) in Double(kibibytes) / 1_024 }
        let residents = peers.map { Figure($0.name, mebi(ChildProcess.memory(of: $0.process).resident)) }
        let anonymous = peers.map { Figure($0.name, mebi(ChildProcess.memory(of: $0.process).anonymous)) }
        let seconds = bench.pick(10, 2)
        let start = try daemon.wakeUps()
        let starts = try peers.map { try ChildProcess.wakeUps(of: $0.process) }
        sleep(UInt32(seconds))
        let woken = try daemon.wakeUps() - start
        let others = try zip(peers, starts).map { peer, start in
            // A thread that has ended takes its count with it.
            Figure(peer.name, Double(max(0, try ChildProcess.wakeUps(of: peer.process) - start)))
        }
        let count = Table.number(Double(keys))
        return [
            .value(
                "memory at rest, resident", unit: "MiB", goal: "≤ 10 MB", ours: Figure("defaultsd", mebi(memory.resident)),
                peers: residents, atMost: 10),
            .value(
                "memory at rest, of it anonymous", unit: "MiB", goal: "≤ 2.5 MB",
                ours: Figure("defaultsd", mebi(memory.anonymous)), peers: anonymous, atMost: 2.5),
            .value(
                "memory more for serving one domain of a store of \(count) keys", unit: "MiB", goal: "≤ 1 MB",
                ours: Figure("defaultsd", mebi(serving.resident - before.resident)),
                peers: [Figure("dconf in all, after one write to \(count) keys", mebi(dconf), omits: CallRows.dconfOmits)],
                atMost: 1),
            .value(
                "wake-ups at rest in \(seconds) s", unit: "wake-ups", goal: "0", ours: Figure("defaultsd", Double(woken)),
                peers: others, atMost: 0),
        ]
    }

    // MARK: Writes

    private static func unchangedSet(_ bench: Workbench) throws -> Row {
        let bus = try PrivateBus()
        defer { withExtendedLifetime(bus) {} }
        try bench.startDaemon(on: bus)
        let connection = try BusConnection(address: bus.address)
        let set = {
            _ = try connection.call(
                "org.defaultsd1", "/org/defaultsd1", "org.defaultsd1.Preferences", "Set",
                [.string(Workbench.domain), .string("same"), .variant(.int64(1))])
        }
        try set()
        let before = StoreFile.commits(of: bus)
        for _ in 0..<100 { try set() }
        return .value(
            "transactions of 100 Sets that change nothing", unit: "transactions", goal: "0",
            ours: Figure("defaultsd", Double(StoreFile.commits(of: bus) - before)), atMost: 0)
    }

    private static func countdownLife(_ bench: Workbench) throws -> Row {
        let bus = try PrivateBus()
        defer { withExtendedLifetime(bus) {} }
        try bench.startDaemon(on: bus)
        let connection = try BusConnection(address: bus.address)
        let loop = PollLoop()
        connection.attach(to: loop)
        var (ticks, hasEnded) = (0, false)
        let interface: InterfaceName = "org.defaultsd1.Countdown"
        try connection.subscribe(MatchRule(sender: "org.defaultsd1", interface: interface)) { signal in
            if signal.member == "Tick" { ticks += 1 }
            if signal.member == "Finished" { hasEnded = true }
        }
        let before = StoreFile.commits(of: bus)
        let spec: [(String, Value)] = [("duration", .uint64(1_000)), ("tick", .uint64(50))]
        _ = try connection.call(
            "org.defaultsd1", "/org/defaultsd1", "org.defaultsd1.Countdowns", "Start", [.string("life"), .vardict(spec)])
        guard loop.run(until: { hasEnded }, deadline: .now + .seconds(10)) else {
            throw BenchmarkFailure("a countdown of a second has not ended in ten")
        }
        // What is forgotten after the end is written with the next wait of the daemon.
        usleep(300_000)
        connection.close()
        return .value(
            "transactions of a countdown's life of \(ticks) ticks", unit: "transactions", goal: "≤ 2",
            ours: Figure("defaultsd", Double(StoreFile.commits(of: bus) - before)), atMost: 2)
    }
}
