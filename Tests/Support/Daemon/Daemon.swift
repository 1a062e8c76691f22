import Glibc

/// The real defaultsd, on a private bus, with a store of its own.
///
/// Ready to serve when it is made; ended with SIGKILL, if it still runs, when the last reference to this goes.
public final class Daemon {
    /// Whose data it serves.
    public enum Mode: String, Sendable {
        /// One user's, on a bus that is like a session's.
        case session
        /// Everyone's, on a bus that is like the system's: its policy must let the tests' user own the name.
        case system
    }

    /// The bus that it serves on.
    public let bus: PrivateBus
    /// The folder of its store.
    public let store: String
    /// The process that runs now, or ran last.
    public private(set) var process: ChildProcess
    private let mode: Mode
    private let arguments: [String]
    private let logPath: String
    private let notifySocket: NotifySocket

    /// Starts it and waits for READY=1.
    ///
    /// `store` is a folder, by default `store` in the bus's; `arguments` come after those that say where bus and store are.
    /// Its configuration is in `config` in the bus's folder, and not what the machine has.
    public init(on bus: PrivateBus, mode: Mode = .session, store: String? = nil, arguments: [String] = []) throws {
        self.bus = bus
        self.mode = mode
        self.store = store ?? bus.folder + "/store"
        self.arguments = arguments
        let number = Self.count(of: bus)
        logPath = bus.folder + "/daemon-\(number).log"
        notifySocket = try NotifySocket(path: bus.folder + "/notify-\(number)")
        let words = try Self.words(mode, bus, self.store, arguments)
        process = try Self.start(words, bus, notifySocket, logPath)
        try waitUntilReady()
    }

    /// Ends it as a power cut would, as far as a process can tell.
    public func kill9() throws {
        process.send(SIGKILL)
        let status = try process.wait()
        guard status == .signalled(SIGKILL) else {
            throw TestFailure("the daemon ended with \(status) before it was killed; its log:\n\(log)")
        }
    }

    /// Asks it to stop, and says how it did.
    @discardableResult
    public func terminate(until deadline: Deadline = .inTenSeconds) throws -> ExitStatus {
        process.send(SIGTERM)
        return try process.wait(until: deadline)
    }

    /// Starts it again on the same bus and store, once it has ended, and waits for READY=1.
    ///
    /// `wrapper` is a program with its first arguments that in the end executes, in its own process, the command that follows these.
    public func restart(through wrapper: [String] = []) throws {
        guard process.poll() != nil else { throw TestFailure("the daemon still runs: end it before starting it again") }
        process = try Self.start(wrapper + (try Self.words(mode, bus, store, arguments)), bus, notifySocket, logPath)
        try waitUntilReady()
    }

    /// Waits until it has told the service manager this status, word for word.
    public func waitForStatus(_ status: String) throws { try notifySocket.wait(for: "STATUS=" + status, from: process) }

    /// All that it has written to standard error, by all of its processes.
    public var log: String { (try? String(contentsOfFile: logPath)) ?? "" }

    private func waitUntilReady() throws {
        do {
            try notifySocket.wait(for: "READY=1", from: process)
        } catch {
            throw TestFailure("\(error); the daemon's log:\n\(log)")
        }
    }

    private static func words(_ mode: Mode, _ bus: PrivateBus, _ store: String, _ arguments: [String]) throws -> [String] {
        let program = try Programs.path("defaultsd")
        let places = ["--address=\(bus.address)", "--store=\(store)", "--config=\(bus.folder)/config"]
        return [program, "--\(mode.rawValue)"] + places + arguments
    }

    private static func start(
        _ words: [String], _ bus: PrivateBus, _ socket: NotifySocket, _ logPath: String
    ) throws -> ChildProcess {
        let log = open(logPath, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
        guard log >= 0 else { throw TestFailure("open \(logPath): \(String(cString: strerror(errno)))") }
        defer { close(log) }
        var variables = bus.environment.variables
        variables["NOTIFY_SOCKET"] = socket.path
        return try ChildProcess(words[0], Array(words.dropFirst()), environment: variables, output: log, errors: log)
    }

    /// How many daemons the bus has had: each has files of its own beside it.
    private static func count(of bus: PrivateBus) -> Int {
        var number = 0
        while access(bus.folder + "/daemon-\(number).log", F_OK) == 0 { number += 1 }
        return number
    }
}
