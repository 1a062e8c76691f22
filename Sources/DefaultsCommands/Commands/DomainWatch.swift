import DBusTypes
import DefaultsInterface
import Glibc
import LibDBus

/// One watch, from its first call to its end.
///
/// One thread only, the one that runs the loop.
final class DomainWatch {
    private let daemon: Daemon
    private let domain: String
    private let output: Output
    private var values: WatchedValues
    private let loop = PollLoop()
    /// How it ends; nil while it goes on.
    private var end: Result<Void, Failure>?

    init(daemon: Daemon, domain: String, keys: [String], output: Output) {
        self.daemon = daemon
        self.domain = domain
        self.output = output
        values = WatchedValues(keys: keys)
    }

    func run() throws(Failure) {
        let connection = daemon.connection
        connection.attach(to: loop)
        connection.onDisconnect = { [self] in
            end = end ?? .failure(Failure("the connection to the bus was lost", status: .unavailable))
        }
        let change = MatchRule(
            sender: WellKnown.busName, path: WellKnown.rootPath, interface: PreferencesInterface.name,
            member: PreferencesInterface.changed, arguments: [0: domain])
        do throws(DBusError) {
            // Both before Watch, so that nothing falls between what it answers and the first signal.
            _ = try connection.subscribe(daemon.ownerChanges) { [self] in ownerChanged($0) }
            _ = try connection.subscribe(change) { [self] in changed($0) }
        } catch {
            throw Failure(error)
        }
        _ = values.replace(
            with: try daemon.call(PreferencesInterface.name, PreferencesInterface.watch, [.string(domain)]).dictionary(0))
        // Until here a signal ends the process as usual, so that a daemon that doesn't answer can be left.
        let signals = try SignalDescriptor([SIGINT, SIGTERM, SIGHUP])
        output.inform("watching \(domain)")
        _ = loop.addIO(fd: signals.number, events: .readable) { [self] _ in end = end ?? .success(()) }
        // A pipe whose reader has gone says so without being written to.
        _ = loop.addIO(fd: STDOUT_FILENO, events: []) { [self] _ in end = end ?? .success(()) }
        _ = loop.run(until: { [self] in end != nil })
        try end?.get()
    }

    private func changed(_ signal: SignalMessage) {
        guard signal.arguments.count >= 3, let changed = signal.arguments[1].dictionary,
            let removed = signal.arguments[2].get(as: [String].self)
        else { return }
        print(values.apply(changed: changed, removed: removed))
    }

    /// Called when the daemon's name got another owner, or none.
    private func ownerChanged(_ signal: SignalMessage) {
        guard signal.arguments.count == 3, let owner = signal.arguments[2].get(as: String.self) else { return }
        guard !owner.isEmpty else {
            output.inform("defaultsd went away; waiting for it to come back")
            return
        }
        daemon.connection.send(
            WellKnown.busName, WellKnown.rootPath, PreferencesInterface.name, PreferencesInterface.watch, [.string(domain)]
        ) { [self] result in
            switch result {
            case .success(let values): watchedAgain(Reply(member: PreferencesInterface.watch, values: values))
            case .failure(let error):
                let failure = Failure(error)
                // Gone again before it answered: its next arrival is another occasion.
                if failure.status != .unavailable { end = end ?? .failure(failure) }
            }
        }
    }

    private func watchedAgain(_ reply: Reply) {
        do throws(Failure) {
            print(values.replace(with: try reply.dictionary(0)))
        } catch {
            end = end ?? .failure(error)
        }
    }

    /// One line a change, on its way at once: whoever reads them waits for them.
    private func print(_ changes: [WatchedValues.Change]) {
        do throws(Failure) {
            for change in changes { try output.line(change.line(output.json)) }
            try output.flush()
        } catch {
            end = end ?? .failure(error)
        }
    }
}
