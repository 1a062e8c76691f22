import DBusTypes
import DefaultsInterface
import Glibc
import LibDBus
import Support
import Synchronization

/// A service with the daemon's name on a bus of its own, on a thread of its own.
final class FakeDaemon: Sendable {
    let bus: PrivateBus
    private let service: FakeServiceBox
    private let thread = Mutex<TestThread?>(nil)

    init() throws {
        bus = try PrivateBus()
        service = FakeServiceBox(try FakeService(address: bus.address))
        let thread = try TestThread { [service] in service.serve() }
        self.thread.withLock { $0 = thread }
    }

    deinit { stop() }

    /// The calls so far, as `Guides.Finish 3 released`.
    var log: [String] { service.log.withLock { $0 } }

    /// Ends it, so that the name goes from the bus; twice is no error.
    func stop() {
        service.isStopping.store(true, ordering: .releasing)
        if let thread = thread.withLock({ $0.take() }) { thread.join() }
    }

    /// Runs `defaultsctl` to its end.
    func run(_ arguments: String...) throws -> Command.Result {
        try Command.run(try Programs.path("defaultsctl"), arguments, environment: bus.clientVariables)
    }

    /// Starts a shell command in a terminal, in which `$DEFAULTSCTL` is the program.
    func terminal(_ script: String, columns: Int = 80, rows: Int = 24, _ variables: [String: String] = [:]) throws
        -> TerminalCommand
    {
        var environment = bus.clientVariables
        environment["DEFAULTSCTL"] = try Programs.path("defaultsctl")
        return try TerminalCommand(
            script, environment: environment.merging(variables) { $1 }, columns: columns, rows: rows)
    }
}

/// What the two threads share.
///
/// The service is the serving thread's alone once that has begun; log and flag are made for several.
final class FakeServiceBox: @unchecked Sendable {
    let log = Mutex<[String]>([])
    let isStopping = Atomic<Bool>(false)
    private let service: FakeService

    init(_ service: FakeService) {
        self.service = service
    }

    func serve() {
        service.onCall = { [log = self] call in log.log.withLock { $0.append(call) } }
        service.serve { isStopping.load(ordering: .acquiring) }
    }
}
