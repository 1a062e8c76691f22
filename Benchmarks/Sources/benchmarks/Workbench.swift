import CBusClient
import DBusTypes
import Glibc
import Harness
import LibDBus

/// Where the programs are, and how much is measured.
struct Workbench {
    /// The name of the domain that calls are about, in every store.
    static let domain = "org.example.App0"
    static let daemon = "org.defaultsd1"

    /// Where defaultsd and defaultsctl are.
    let programs: String
    /// Where this program and the peers are.
    let own: String
    /// The program that makes stores.
    let faults: String
    /// Whether only the correct form of the output counts.
    let isSmoke: Bool

    /// `full` in a full run, `smoke` in a short one.
    func pick<T>(_ full: T, _ smoke: T) -> T { isSmoke ? smoke : full }

    /// The path of one of the peers.
    func peer(_ name: String) -> String { "\(own)/\(name)" }

    /// Makes a store of so many domains and keys in the folder of a bus.
    func generate(on bus: PrivateBus, domains: Int, keys: Int) throws {
        let generator = try ChildProcess([
            faults, "generate", "--domains=\(domains)", "--keys=\(keys)", bus.folder + "/store",
        ])
        while generator.readLine() != nil {}
        guard generator.wait() == 0 else { throw BenchmarkFailure("\(faults) can't make a store in \(bus.folder)") }
    }

    /// What starts the daemon on a bus, with the store in the bus's folder.
    func command(on bus: PrivateBus, program: String? = nil, _ options: [String] = []) -> [String] {
        [program ?? "\(programs)/defaultsd", "--session", "--address=\(bus.address)", "--store=\(bus.folder)/store"] + options
    }

    /// Starts the daemon, or a copy of it, by another program where a prefix names one, and waits until it has its name.
    @discardableResult
    func startDaemon(on bus: PrivateBus, prefix: [String] = [], program: String? = nil) throws -> ChildProcess {
        let process = try bus.startServer(prefix + command(on: bus, program: program))
        try wait(for: Self.daemon, on: bus)
        return process
    }

    /// Starts a C service and waits until it has its name.
    @discardableResult
    func startService(
        _ name: String, on bus: PrivateBus, store: String? = nil, prefix: [String] = [],
        program: (String) throws -> String = { $0 }
    ) throws -> ChildProcess {
        let path = try program(peer("BusPeer"))
        let process = try bus.startServer(prefix + [path, bus.address, name] + (store.map { [$0] } ?? []))
        try wait(for: name, on: bus)
        return process
    }

    private func wait(for name: String, on bus: PrivateBus) throws {
        let connection = try BusConnection(address: bus.address)
        let deadline = boottime() + 60_000_000_000
        while boottime() < deadline {
            if try connection.call(.bus, .bus, .bus, "NameHasOwner", [.string(name)]) == [.boolean(true)] { return }
            usleep(1_000)
        }
        throw BenchmarkFailure("\(name) has no owner after a minute")
    }
}

/// Calls of one client to one service, in C.
final class Caller {
    /// The bus must not go before its callers.
    private let bus: PrivateBus
    private let client: OpaquePointer
    private let service: String
    private let keys: Int
    private var number: Int64 = 1_000_000

    /// Connects to a bus, to call about so many keys.
    init(_ bus: PrivateBus, _ service: String, keys: Int = 100) throws {
        guard let client = bus_client_open(bus.address) else { throw BenchmarkFailure("no connection to \(bus.address)") }
        self.bus = bus
        self.client = client
        self.service = service
        self.keys = keys
    }

    deinit { bus_client_close(client) }

    /// The nanoseconds of each of `count` calls, `outstanding` of them at once.
    func latencies(_ call: bus_call, _ count: Int, outstanding: Int32 = 1) throws -> [Double] {
        try run(call, count, outstanding).latencies.map(Double.init)
    }

    /// How many calls a second are answered.
    func rate(_ call: bus_call, _ count: Int, outstanding: Int32) throws -> Double {
        Double(count) * 1e9 / Double(try run(call, count, outstanding).duration)
    }

    private func run(_ call: bus_call, _ count: Int, _ outstanding: Int32) throws -> (duration: Int64, latencies: [Int64]) {
        var latencies = [Int64](repeating: 0, count: count)
        let duration = bus_client_calls(
            client, service, call, Workbench.domain, Int32(keys), number, Int32(count), outstanding, &latencies)
        guard duration > 0 else { throw BenchmarkFailure("\(service) doesn't answer as it should") }
        number += Int64(call == BUS_APPLY ? keys : count)
        return (duration, latencies)
    }
}
