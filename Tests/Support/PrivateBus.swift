import Glibc

/// A dbus-daemon of a test's own, in a temporary folder; it ends when the last reference to this goes.
///
/// Tests share one process, whose environment they leave alone: connect by ``address``. What the bus starts gets ``environment``, and so nothing of the
/// user who runs the tests.
public final class PrivateBus: Sendable {
    /// Which configuration a bus has.
    public enum Kind: Sendable {
        /// Everything allowed, as on a session bus.
        case session
        /// The distribution's system.conf, with the policy files of these folders in place of the installed ones.
        case system(policies: [String])
    }

    /// Where it listens.
    public let address: String
    /// What the bus, and all that it starts, has for an environment.
    public let environment: PrivateEnvironment
    private let temporaryFolder: TemporaryFolder
    private let process: ChildProcess

    /// Starts a bus, which listens when this returns.
    ///
    /// `services` is a folder of activation files; by default `services` in the bus's own folder, which is empty at first.
    public init(kind: Kind = .session, services: String? = nil) throws {
        let folder = try TemporaryFolder()
        let own = try folder.makeFolder("services")
        let configuration = try Self.configuration(kind, socket: folder.path("bus"), services: services ?? own)
        try configuration.write(toNewFile: folder.path("bus.conf"))
        if case .system = kind { try folder.letOthersThrough() }
        temporaryFolder = folder
        environment = try PrivateEnvironment(in: folder)
        (process, address) = try Self.start(folder, environment)
    }

    /// The path of its temporary folder: `home/`, `run/`, `services/`, and `log`, which has the bus's own messages.
    public var folder: String { temporaryFolder.path }

    /// The dbus-daemon's number.
    public var processID: pid_t { process.identifier }

    /// The environment of a program that is to have this for its session bus.
    public var clientVariables: [String: String] {
        environment.variables.merging(["DBUS_SESSION_BUS_ADDRESS": address]) { _, new in new }
    }

    /// Ends it as a crash would: its clients lose their connections; twice is no error.
    public func stop() { process.end() }

    private static func start(_ folder: TemporaryFolder, _ environment: PrivateEnvironment) throws -> (ChildProcess, String) {
        let logPath = folder.path("log")
        let log = open(logPath, O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
        guard log >= 0 else { throw TestFailure("open \(logPath): \(String(cString: strerror(errno)))") }
        defer { close(log) }
        let pipe = try Pipe()
        let process = try ChildProcess(
            "dbus-daemon", ["--config-file=" + folder.path("bus.conf"), "--nofork", "--print-address=1"],
            environment: environment.variables, output: pipe.writeEnd, errors: log)
        pipe.closeWriteEnd()
        guard let address = try pipe.readLine(until: .inTenSeconds) else {
            throw TestFailure("dbus-daemon ended before it listened: \(try String(contentsOfFile: logPath))")
        }
        return (process, address)
    }
}
