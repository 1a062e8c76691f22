import DBusTypes
import DefaultsInterface
import Glibc
import LibDBus

/// A command, and the cookie that is held while it runs.
///
/// One thread only, the one that runs the loop.
final class Inhibition {
    private let daemon: Daemon
    private let why: String
    private let output: Output
    private let loop = PollLoop()
    /// What ends the inhibition; nil while the daemon is away.
    private var cookie: UInt64?
    private var status: ExitStatus?

    init(daemon: Daemon, why: String, output: Output) {
        self.daemon = daemon
        self.why = why
        self.output = output
    }

    /// Runs the command to its end, with `signals` as they are by default.
    ///
    /// It runs on where the daemon or the bus goes away: it is worth more than what is held back. A daemon that comes back is told again.
    func run(_ words: [String], restoring signals: [Int32]) throws(Failure) -> ExitStatus {
        let connection = daemon.connection
        connection.attach(to: loop)
        connection.onDisconnect = { [output] in output.inform("the connection to the bus was lost; nothing is held back any more")
        }
        do throws(DBusError) {
            _ = try connection.subscribe(daemon.ownerChanges) { [self] in ownerChanged($0) }
        } catch {
            throw Failure(error)
        }
        cookie = try daemon.call(AdminInterface.name, AdminInterface.inhibit, [.string(why)]).get(0, as: UInt64.self)
        let mask = ChildProgram.signalMask
        // What Ctrl-C and Ctrl-\ send, the command gets too, and decides.
        let signalDescriptor = try SignalDescriptor([SIGCHLD, SIGTERM, SIGHUP, SIGINT, SIGQUIT])
        let child = try ChildProgram(words, mask: mask, restoring: signals)
        _ = loop.addIO(fd: signalDescriptor.number, events: .readable) { [self] _ in
            for signal in signalDescriptor.take() {
                switch signal {
                case SIGCHLD: status = child.status
                case SIGTERM, SIGHUP: child.send(signal)
                default: break
                }
            }
        }
        _ = loop.run(until: { [self] in status != nil })
        // The end of the connection would do; this way nothing is held back once the command's end is known.
        if let cookie, connection.isConnected {
            _ = try? daemon.call(AdminInterface.name, AdminInterface.uninhibit, [.uint64(cookie)])
        }
        guard let status else { preconditionFailure("the loop ended before the command did") }
        return status
    }

    private func ownerChanged(_ signal: SignalMessage) {
        guard signal.arguments.count == 3 else { return }
        guard signal.arguments[2] != .string("") else {
            cookie = nil
            return output.inform("defaultsd went away; nothing is held back until it is back")
        }
        daemon.connection.send(
            WellKnown.busName, WellKnown.rootPath, AdminInterface.name, AdminInterface.inhibit, [.string(why)]
        ) { [self] result in
            switch result {
            case .success(let values): cookie = values.first?.integer()
            case .failure(let error): output.inform("nothing is held back any more: \(Failure(error).message)")
            }
        }
    }
}
