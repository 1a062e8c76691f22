import DBusTypes
import DefaultsInterface
import DefaultsModel
import LibDBus

/// The countdowns while the daemon runs: the model's board, one alarm for all of them, their records on disk, their signals.
final class CountdownService {
    /// How many events are sent before other messages get their turn: so many take a quarter to half a millisecond.
    private static let eventsAtOnce = 16

    private(set) var board: CountdownBoard
    private let clock: any TimeSource
    private var alarm: Alarms.Slot?
    private let users: Users
    private let send: (BusName, ObjectPath, MemberName, [Value]) -> Void
    /// Calls back when the bus has taken most of what was sent; nil where time stands still meanwhile.
    private let whenRoom: ((@escaping () -> Void) -> Void)?
    /// Whether more is due than the bus has room for.
    private var isWaitingForRoom = false
    /// Who asked for a countdown's signals, beside its owner.
    private var watchers: [CountdownID: [BusName]] = [:]
    private var due: [CountdownAction] = []
    /// What waits to be sent because a reply before it waits for the disk.
    private let deliveries = CountdownDeliveries()
    /// Those that begin when what they belong to is on disk: their tokens are taken already.
    private var coming: Set<CountdownID> = []
    /// The keys of records that only say that a countdown has ended, which was told: they go with the next record of the user that is written,
    /// since an end may cost one write (C9).
    private var endedRecords: [UInt32: Set<String>] = [:]
    /// Called after the end of a countdown was told.
    var onFinish: ((CountdownID, CountdownOwner, CountdownReason) -> Void)?

    init(
        board: CountdownBoard, clock: any TimeSource, alarms: Alarms, users: Users,
        whenRoom: ((@escaping () -> Void) -> Void)?,
        send: @escaping (BusName, ObjectPath, MemberName, [Value]) -> Void
    ) {
        self.board = board
        self.clock = clock
        self.users = users
        self.whenRoom = whenRoom
        self.send = send
        alarm = alarms.add { [unowned self] in advance() }
        deliveries.onDrained = { [unowned self] id in
            emit(self.board.release(id, at: self.clock.now))
            rearm()
        }
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
        let send = sending(reply) { answer(.success(reply)) }
        if let record = reply.record {
            let delivery = deliveries.wait(for: reply.id, send)
            if !board.isHeld(reply.id) { board.hold(reply.id) }
            let forgotten = takeEndedRecords(of: session.userID, but: reply.id.recordKey)
            session.writeForDaemon([.countdown(reply.id.recordKey, record)] + forgotten.map { .countdown($0, nil) }) {
                [self] result in
                if case .failure = result { endedRecords[session.userID, default: []].formUnion(forgotten) }
                deliveries.resume(delivery)
                if reply.state.phase == .finished { endedRecords[session.userID, default: []].insert(reply.id.recordKey) }
            }
        } else {
            deliveries.deliver(reply.id, send)
        }
        rearm()
    }

    /// Sends a countdown's signals to one more connection, from the answer on and until it ends.
    func watch(_ id: CountdownID, _ caller: Caller, reply answer: @escaping (Result<CountdownState, ModelError>) -> Void) {
        let state: CountdownState
        do throws(ModelError) {
            state = try board.state(of: id, at: clock.now)
        } catch {
            return answer(.failure(error))
        }
        // Behind what waits: those signals were caused before this call.
        deliveries.deliver(id) { [self] in
            let isKnown = board.owner(of: id, at: clock.now)?.name == caller.name || watchers[id]?.contains(caller.name) == true
            if !isKnown && !caller.isGone { watchers[id, default: []].append(caller.name) }
            answer(.success(state))
        }
    }

    /// Ends or lets go what a connection that has left owned or watched.
    func connectionEnded(_ name: BusName) {
        for (id, names) in watchers where names.contains(name) { watchers[id] = names.filter { $0 != name } }
        emit(board.ownerLost(name, at: clock.now))
        rearm()
    }

    // MARK: Countdowns that belong to a presentation

    /// Checks whether a planned countdown would be taken, and takes its token until it begins or comes to nothing.
    ///
    /// Returns the record for the transaction of what it begins with.
    func plan(_ start: CountdownStart) throws(ModelError) -> Value? {
        try board.check(start)
        coming.insert(start.id)
        return try board.record(of: start)
    }

    /// Checks that a token isn't taken by a countdown that hasn't begun.
    func checkFree(_ token: String, of owner: CountdownOwner) throws(ModelError) {
        guard !coming.isEmpty, coming.contains(try CountdownID(owner: owner.name, token: token)) else { return }
        throw .alreadyExists("token \"\(token)\" is that of a countdown which begins with a guide; use another token")
    }

    /// Gives the token of a planned countdown free again.
    func forget(_ start: CountdownStart) { coming.remove(start.id) }

    /// Begins a planned countdown, whose record is on disk.
    func begin(_ start: CountdownStart) {
        coming.remove(start.id)
        do throws(ModelError) {
            let reply = try board.start(start)
            deliveries.deliver(reply.id, sending(reply))
        } catch {
            Log.write(.warning, "Countdown \(start.id) can't begin with its guide: \(error.message)")
        }
        rearm()
    }

    /// Ends a countdown with what it belongs to, which has stored that; one that has ended already has told so.
    func end(_ recordKey: String, _ reason: CountdownReason, in session: UserSession) {
        guard let id = board.id(recordKey: recordKey) else { return session.writeForDaemon([.countdown(recordKey, nil)]) }
        do throws(ModelError) {
            let reply = try board.finish(id, reason: reason, at: clock.now)
            deliveries.deliver(reply.id, sending(reply))
        } catch {
            // It ended by itself in the meantime.
        }
        rearm()
    }

    // MARK: Records of ends that were told

    /// Has the records removed that only say that a countdown has ended, for which the daemon that stops has no other write.
    func forgetEnded(of session: UserSession) {
        session.writeForDaemon(takeEndedRecords(of: session.userID).map { .countdown($0, nil) })
    }

    /// Takes the keys of such records, but for one; where a token lives again, the record under its key is the new countdown's.
    private func takeEndedRecords(of user: UInt32, but key: String? = nil) -> [String] {
        let taken = endedRecords.removeValue(forKey: user) ?? []
        return taken.subtracting([key].compactMap { $0 }).filter { key in
            !coming.contains { $0.recordKey == key } && board.id(recordKey: key) == nil
        }.sorted()
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

    /// Sends what is due, some events at a time: an answer to a call that comes meanwhile must not wait behind thousands of them, here
    /// or in the socket.
    private func advance() {
        guard !isWaitingForRoom else { return }
        due.removeAll(keepingCapacity: true)
        board.advance(to: clock.now, limit: Self.eventsAtOnce, into: &due)
        emit(due)
        guard let whenRoom, due.count >= Self.eventsAtOnce else { return rearm() }
        isWaitingForRoom = true
        whenRoom { [unowned self] in
            isWaitingForRoom = false
            advance()
        }
    }

    private func rearm() {
        let next = board.nextDeadline
        alarm?.set(Alarm(boottime: next.boottime, monotonic: next.monotonic))
    }

    /// Sends events, each behind what waits to be sent about its countdown.
    private func emit(_ actions: [CountdownAction]) {
        for action in actions { deliveries.deliver(action.id) { [self] in sendNow([action]) } }
    }

    /// What a change has to tell, to be sent in its turn: what precedes the answer, the answer, the rest.
    private func sending(_ reply: CountdownReply, _ answer: @escaping () -> Void = {}) -> () -> Void {
        { [self] in
            sendNow(reply.beforeReply)
            answer()
            sendNow(reply.afterReply)
        }
    }

    private func sendNow(_ actions: [CountdownAction]) {
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
            // Where the token lives again, the record under its key is the new countdown's.
            if action.forgets && !board.isLive(action.id) {
                users.session(of: action.owner.user).writeForDaemon([.countdown(action.id.recordKey, nil)])
            }
            if case .finished(let reason, _) = action.event {
                watchers[action.id] = nil
                onFinish?(action.id, action.owner, reason)
            }
        }
    }
}
