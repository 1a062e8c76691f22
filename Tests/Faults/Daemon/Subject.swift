import Glibc
import Support

/// The real defaultsd on a private bus and one store: it may fail to start, end, and be started again.
///
/// Ended with SIGKILL when the last reference to this goes.
final class Subject {
    let bus: PrivateBus
    /// The folder of its store.
    let store: String
    private(set) var process: ChildProcess?
    private let socket: NotifySocket
    private let tag: String
    private var tracer: pid_t = 0

    /// What became of a start.
    enum Start: Equatable {
        case ready
        case ended(ExitStatus)
    }

    /// `tag` keeps apart the files of several daemons beside one bus.
    init(on bus: PrivateBus, store: String, tag: String = "a") throws {
        self.bus = bus
        self.store = store
        self.tag = tag
        socket = try NotifySocket(path: bus.folder + "/notify-\(tag)")
    }

    private var logPath: String { bus.folder + "/daemon-\(tag).log" }
    private var tracePath: String { bus.folder + "/trace-\(tag)" }

    /// All that it wrote to standard error since it was last started.
    var log: String { (try? String(contentsOfFile: logPath)) ?? "" }

    /// Starts it, with a fault where one is given, and waits until it is ready or has ended.
    @discardableResult
    func start(under fault: Injection? = nil) throws -> Start {
        unlink(logPath)
        unlink(tracePath)
        let log = open(logPath, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
        guard log >= 0 else { throw TestFailure("open \(logPath): \(String(cString: strerror(errno)))") }
        defer { close(log) }
        var variables = bus.environment.variables
        variables["NOTIFY_SOCKET"] = socket.path
        let program = try Programs.path("defaultsd")
        let words = ["--session", "--address=" + bus.address, "--store=" + store]
        let process: ChildProcess
        if let fault {
            // -D: the process that is started is the daemon, and strace its child's. With -I1 it can be asked to let go.
            process = try ChildProcess(
                "strace",
                ["-D", "-f", fault.needsEveryStop ? "-I1" : "--seccomp-bpf", "-o", tracePath, "-e", "trace=" + fault.call]
                    + StoreFiles.paths(in: store).flatMap { ["-P", $0] } + ["-e", fault.expression, program] + words,
                environment: variables, output: log, errors: log)
        } else {
            process = try ChildProcess(program, words, environment: variables, output: log, errors: log)
        }
        self.process = process
        tracer = fault == nil ? 0 : try findTracer(of: process)
        while true {
            do {
                try socket.wait(for: "READY=1", from: process, until: .after(.seconds(20)))
                return .ready
            } catch {
                if let status = process.poll() { return .ended(status) }
                throw TestFailure("the daemon was neither ready nor ended: \(error)\n\(self.log)\n\(Self.threads(of: process))")
            }
        }
    }

    /// What each thread of a process is at: its name, its state, and where in the kernel it waits.
    private static func threads(of process: ChildProcess) -> String {
        let folder = "/proc/\(process.identifier)/task"
        return ((try? folder.namesInFolder()) ?? []).map { thread in
            let found = ["stat", "wchan", "syscall"].map { name in
                ((try? String(contentsOfFile: "\(folder)/\(thread)/\(name)")) ?? "?").split(separator: "\n").first ?? ""
            }
            return found.map { $0.prefix(120) }.joined(separator: "; ")
        }.joined(separator: "\n")
    }

    /// Starts it and throws where that fails.
    func startReady() throws {
        let start = try start()
        guard start == .ready else { throw TestFailure("the daemon didn't start: \(start)\n\(log)") }
    }

    /// Ends it as a power cut would, as far as a process can tell.
    func kill9() throws {
        guard let process else { return }
        process.send(SIGKILL)
        try process.wait()
    }

    /// Asks it to stop.
    @discardableResult
    func stop() throws -> ExitStatus {
        guard let process else { throw TestFailure("there is no daemon to stop") }
        process.send(SIGTERM)
        return try process.wait(until: .after(.seconds(20)))
    }

    /// How it ended; nil while it runs.
    var end: ExitStatus? { process?.poll() }

    /// Ends a lasting fault: from the return on, system calls do as the disk does.
    func endFault() throws {
        guard tracer != 0 else { return }
        kill(tracer, SIGTERM)
        try waitForTracer()
    }

    /// Whether the fault that it was started under has struck; call it once the daemon has ended or the fault was ended.
    func faultStruck() throws -> Bool {
        if tracer != 0 { try waitForTracer() }
        let trace = try String(contentsOfFile: tracePath)
        return trace.contains("(INJECTED)") || trace.contains("killed by SIGKILL")
    }

    /// Waits until strace has ended, and so has written all that it saw.
    private func waitForTracer() throws {
        let deadline = Deadline.inTenSeconds
        // Who inherits it may be slow to take note of its end.
        while let stat = try? String(contentsOfFile: "/proc/\(tracer)/stat"), !stat.contains(") Z ") {
            guard !deadline.isPast else { throw TestFailure("strace doesn't end") }
            usleep(500)
        }
    }

    /// The process that does the faults; 0 where there is none.
    private func findTracer(of process: ChildProcess) throws -> pid_t {
        let deadline = Deadline.inTenSeconds
        while process.poll() == nil {
            let status = (try? String(contentsOfFile: "/proc/\(process.identifier)/status")) ?? ""
            let line = status.split(separator: "\n").first { $0.hasPrefix("TracerPid:") }
            if let line, let tracer = pid_t(line.split(separator: "\t").last ?? ""), tracer != 0 { return tracer }
            guard !deadline.isPast else { throw TestFailure("strace doesn't begin") }
            usleep(500)
        }
        return 0
    }

    /// A connection of its own to the bus.
    func connect() throws -> StoreClient { try StoreClient(bus) }
}
