import DBusTypes
import DefaultsInterface
import DefaultsModel
import LibDBus

/// The countdowns while the daemon runs: the model's board, one alarm for all of them, their records on disk, their signals.
final class CountdownService {
    /// How many events are sent before other messages get their turn.
    private static let eventsAtOnce = 512

    private(set) var board: CountdownBoard
    private let clock: any TimeSource
    private let users: Users
    private let send: (BusName, ObjectPath, MemberName, [Value]) -> Void
    /// Who asked for a countdown's signals, beside its owner.
    private var watchers: [CountdownID: [BusName]] = [:]
    private var due: [CountdownAction] = []

    init(
        board: CountdownBoard, clock: any TimeSource, users: Users,
        send: @escaping (BusName, ObjectPath, MemberName, [Value]) -> Void
    ) {
        self.board = board
        self.clock = clock
        self.users = users
        self.send = send
        clock.onAlarm = { [unowned self] in advance() }
    }

    // MARK: Requests

    /// Carries out what a caller asked for: on disk first where it must be, then what precedes the reply, the reply, the rest.
    ///
    /// A disk that can't be written doesn't stop a countdown; it then doesn't survive the daemon (P11).
    func perform(
        _ session: UserSession, _ body: (inout CountdownBoard, Instant) throws(ModelError) -> CountdownReply,
        reply answer: @escaping (Result<CountdownReply, ModelError>) -> Void
    ) {
        let reply: CountdownReply
        do throws(ModelError) {
            reply = try body(&board, clock.now)
        } catch {
            return answer(.failure(error))
        }
        guard let record = reply.record else {
            emit(reply.beforeReply)
            answer(.success(reply))
            emit(reply.afterReply)
            return rearm()
        }
        board.hold(reply.id)
        session.writeForDaemon([.countdown(reply.id.recordKey, record)]) { [self] _ in
            emit(reply.beforeReply)
            answer(.success(reply))
            emit(reply.afterReply)
            emit(board.release(reply.id, at: clock.now))
            rearm()
        }
        rearm()
    }

    /// Sends a countdown's signals to one more connection, until it ends.
    func watch(_ id: CountdownID, _ name: BusName) {
        if board.owner(of: id, at: clock.now)?.name == name || watchers[id]?.contains(name) == true { return }
        watchers[id, default: []].append(name)
    }

    /// Ends or lets go what a connection that has left owned or watched.
    func connectionEnded(_ name: BusName) {
        for (id, names) in watchers where names.contains(name) { watchers[id] = names.filter { $0 != name } }
        emit(board.ownerLost(name, at: clock.now))
        rearm()
    }

    // MARK: After a restart

    /// Takes up the countdowns that an earlier run of the daemon has left (C9).
    func restore(_ records: [String: Value], of session: UserSession, isConnected: (BusName) -> Bool) -> [CountdownOwner] {
        let restoration = board.restore(records, user: session.userID, isConnected: isConnected, at: clock.now)
        emit(restoration.actions)
        session.writeForDaemon(restoration.forgotten.map { .countdown($0, nil) })
        let owners = restoration.restored.compactMap { board.owner(of: $0, at: clock.now) }
        advance()
        return owners
    }

    // MARK: Time

    private func advance() {
        due.removeAll(keepingCapacity: true)
        board.advance(to: clock.now, limit: Self.eventsAtOnce, into: &due)
        emit(due)
        rearm()
    }

    private func rearm() {
        let next = board.nextDeadline
        clock.setAlarm(Alarm(boottime: next.boottime, monotonic: next.monotonic))
    }

    private func emit(_ actions: [CountdownAction]) {
        for action in actions {
            let member: MemberName
            let arguments: [Value]
            switch action.event {
            case .tick(let ticks, let remaining, let missed):
                member = CountdownInterface.tickSignal
                arguments = [.uint32(ticks), .uint64(remaining), .uint32(missed)]
            case .skipAvailable:
                member = CountdownInterface.skipAvailable
                arguments = []
            case .finished(let reason, let late):
                member = CountdownInterface.finished
                arguments = [.string(reason.rawValue), .uint64(late)]
            }
            send(action.owner.name, action.id.path, member, arguments)
            for name in watchers[action.id] ?? [] { send(name, action.id.path, member, arguments) }
            if case .finished = action.event { watchers[action.id] = nil }
            if action.forgets {
                users.session(of: action.owner.user).writeForDaemon([.countdown(action.id.recordKey, nil)])
            }
        }
    }
}
