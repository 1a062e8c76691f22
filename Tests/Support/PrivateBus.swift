import Glibc
import Synchronization

/// A dbus-daemon of a test's own, in a temporary folder, stopped and cleaned up when the last reference goes.
///
/// Connect by `address`: the tests share one process, so its environment stays as it is. What the bus starts gets a home and
/// XDG folders inside `folder`, never the real ones.
public final class PrivateBus: Sendable {
    /// Which configuration the bus has.
    public enum Kind: Sendable {
        /// Everything allowed, as on a session bus.
        case session
        /// The distribution's system.conf, with the policy files of these folders instead of the installed ones.
        case system(policies: [String])
    }

    /// Why a bus doesn't run.
    public struct Failure: Error, CustomStringConvertible {
        /// What went wrong.
        public let description: String
    }

    /// The address to connect to.
    public let address: String
    /// The temporary folder: `home/`, `run/`, `services/` for activation files, `bus.conf`, `log`.
    public let folder: String
    /// The daemon's process.
    public let processID: pid_t
    private let isStopped = Mutex(false)

    /// Starts a bus and waits until it listens.
    ///
    /// - Parameter services: a folder of activation files; nil for `services/` in the bus's own folder, which is empty at first.
    public init(kind: Kind = .session, services: String? = nil) throws {
        var template = Array("/tmp/defaultsd-test-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { throw Failure(description: "mkdtemp: \(Self.lastError)") }
        let folder = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        for name in ["home", "run", "services"] { mkdir(folder + "/" + name, 0o700) }
        let configuration = try Self.configuration(kind, socket: folder + "/bus", services: services ?? folder + "/services")
        try Self.write(configuration, to: folder + "/bus.conf")
        (processID, address) = try Self.start(folder)
        self.folder = folder
    }

    deinit {
        stop()
        let remove = ["rm", "-rf", "--", folder]
        if let process = try? Self.spawn("/bin/rm", remove, environment: [], output: nil, log: nil) {
            waitpid(process, nil, 0)
        }
    }

    /// Ends the bus, as when it crashes; its clients lose their connections.
    ///
    /// Twice is no error.
    public func stop() {
        let wasStopped = isStopped.withLock { stopped in
            defer { stopped = true }
            return stopped
        }
        guard !wasStopped else { return }
        kill(processID, SIGKILL)
    }

    // MARK: Configuration

    private static func configuration(_ kind: Kind, socket: String, services: String) throws -> String {
        switch kind {
        case .session:
            return """
                <!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
                 "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
                <busconfig>
                  <type>session</type>
                  <keep_umask/>
                  <listen>unix:path=\(socket)</listen>
                  <auth>EXTERNAL</auth>
                  <servicedir>\(services)</servicedir>
                  <policy context="default">
                    <allow send_destination="*" eavesdrop="true"/>
                    <allow eavesdrop="true"/>
                    <allow own="*"/>
                  </policy>
                  <limit name="max_incoming_bytes">1000000000</limit>
                  <limit name="max_outgoing_bytes">1000000000</limit>
                  <limit name="max_message_size">1000000000</limit>
                  <limit name="service_start_timeout">120000</limit>
                  <limit name="max_completed_connections">100000</limit>
                  <limit name="max_incomplete_connections">10000</limit>
                  <limit name="max_connections_per_user">100000</limit>
                  <limit name="max_match_rules_per_connection">50000</limit>
                  <limit name="max_replies_per_connection">50000</limit>
                </busconfig>

                """
        case .system(let policies):
            // What needs root's folders or the real bus is left out, one element a line as the file has it.
            let unwanted = [
                "<user>", "<fork/>", "<standard_system_servicedirs/>", "<servicehelper>", "<pidfile>", "<syslog/>",
                "<include ", "<includedir>", "<listen>",
            ]
            var lines: [Substring] = []
            for line in try read("/usr/share/dbus-1/system.conf").split(separator: "\n", omittingEmptySubsequences: false) {
                if unwanted.contains(where: { line.contains($0) }) { continue }
                if line.contains("</busconfig>") {
                    lines.append("  <listen>unix:path=\(socket)</listen>")
                    lines.append("  <servicedir>\(services)</servicedir>")
                    for policy in policies { lines.append("  <includedir>\(policy)</includedir>") }
                }
                lines.append(line)
            }
            return lines.joined(separator: "\n")
        }
    }

    // MARK: The process

    private static func start(_ folder: String) throws -> (pid_t, String) {
        var pipes: [Int32] = [0, 0]
        guard pipe(&pipes) == 0 else { throw Failure(description: "pipe: \(lastError)") }
        // Other tests start programs at the same time, which would keep the pipe open.
        for descriptor in pipes { _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC) }
        defer { close(pipes[0]) }
        let environment = [
            "PATH=/usr/local/bin:/usr/bin:/bin", "HOME=\(folder)/home", "XDG_CONFIG_HOME=\(folder)/home/.config",
            "XDG_DATA_HOME=\(folder)/home/.local/share", "XDG_STATE_HOME=\(folder)/home/.local/state",
            "XDG_CACHE_HOME=\(folder)/home/.cache", "XDG_RUNTIME_DIR=\(folder)/run", "SWIFT_BACKTRACE=enable=no",
        ]
        let process: pid_t
        do {
            defer { close(pipes[1]) }
            process = try spawn(
                "/usr/bin/dbus-daemon",
                ["dbus-daemon", "--fork", "--print-address=1", "--print-pid=1", "--config-file=\(folder)/bus.conf"],
                environment: environment, output: pipes[1], log: folder + "/log")
        }
        // The daemon leaves for the background: the exit tests' monitor spins on any dead child that isn't one of its own.
        var status: Int32 = 0
        waitpid(process, &status, 0)
        let address = readLine(pipes[0])
        guard status == 0, !address.isEmpty, let daemon = pid_t(readLine(pipes[0])) else {
            let log = (try? read(folder + "/log")) ?? ""
            throw Failure(description: "dbus-daemon didn't start: \(log)")
        }
        return (daemon, address)
    }

    private static func spawn(
        _ program: String, _ arguments: [String], environment: [String], output: Int32?, log: String?
    ) throws -> pid_t {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        if let output { posix_spawn_file_actions_adddup2(&actions, output, 1) }
        if let log { posix_spawn_file_actions_addopen(&actions, 2, log, O_WRONLY | O_CREAT | O_TRUNC, 0o600) }
        var argumentPointers = arguments.map { strdup($0) } + [nil]
        var environmentPointers = environment.map { strdup($0) } + [nil]
        defer { for pointer in argumentPointers + environmentPointers { free(pointer) } }
        var process: pid_t = 0
        let status = posix_spawn(&process, program, &actions, nil, &argumentPointers, &environmentPointers)
        guard status == 0 else { throw Failure(description: "\(program): \(String(cString: strerror(status)))") }
        return process
    }

    // MARK: Files

    private static var lastError: String { String(cString: strerror(errno)) }

    /// Reads up to the end of the line or of the file.
    private static func readLine(_ descriptor: Int32) -> String {
        var bytes: [UInt8] = []
        var byte: UInt8 = 0
        while Glibc.read(descriptor, &byte, 1) == 1, byte != UInt8(ascii: "\n") { bytes.append(byte) }
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func read(_ path: String) throws -> String {
        guard let file = fopen(path, "re") else { throw Failure(description: "\(path): \(lastError)") }
        defer { fclose(file) }
        var bytes: [UInt8] = []
        var byte = fgetc(file)
        while byte != EOF {
            bytes.append(UInt8(byte))
            byte = fgetc(file)
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func write(_ text: String, to path: String) throws {
        guard let file = fopen(path, "we") else { throw Failure(description: "\(path): \(lastError)") }
        let written = fputs(text, file)
        guard fclose(file) == 0, written >= 0 else { throw Failure(description: "\(path): \(lastError)") }
    }
}
