import DBusTypes
import DefaultsInterface
import DefaultsModel
import LibDBus

/// What every interface does with a call: checks its arguments, counts it, queues it behind the caller's earlier ones.
final class RequestRouter {
    let callers: Callers
    let clock: any TimeSource
    /// The GUID of the bus: unique names mean something on one bus only.
    let busGUID: String
    /// Called when a user's run has begun, whose time may run out.
    var onBegin: ((UserSession) -> Void)?
    private let hasLimits: Bool

    init(callers: Callers, clock: any TimeSource, busGUID: String, hasLimits: Bool) {
        self.callers = callers
        self.clock = clock
        self.busGUID = busGUID
        self.hasLimits = hasLimits
    }

    /// Runs `run` when `domains` are in memory and the caller's earlier calls are under way.
    ///
    /// The data is that of the object which was called: the caller's own, or another user's, for root.
    func accept(
        _ call: IncomingCall, needs domains: [DomainName] = [], _ run: @escaping (Request, UserSession) -> Void
    ) {
        let caller = callers.caller(call.sender)
        let request = Request(call, caller, callers)
        if caller.isIdentified { return begin(request, needs: domains, run) }
        caller.whenIdentified { [self] in begin(request, needs: domains, run) }
    }

    private func begin(_ request: Request, needs domains: [DomainName], _ run: @escaping (Request, UserSession) -> Void) {
        switch request.caller.session(at: request.call.path, of: callers.users) {
        case .success(let session):
            if request.caller.isFree(for: session, domains) { return run(request, session) }
            request.caller.perform(
                Caller.Job(
                    session: session, domains: domains, run: { session in run(request, session) },
                    fail: { error in request.answer(.failure(error)) }))
        case .failure(let error): request.answer(.failure(error))
        }
    }

    /// Runs `body` for what is no method call, in the caller's turn: a Start sent just before has then been handled.
    func inTurn(
        of sender: BusName, at path: ObjectPath = WellKnown.rootPath,
        _ body: @escaping (Result<UserSession, ModelError>, Caller) -> Void
    ) {
        let caller = callers.caller(sender)
        let finish = { [callers] (result: Result<UserSession, ModelError>) in
            body(result, caller)
            callers.forgetIfIdle(caller)
        }
        caller.whenIdentified { [callers] in
            switch caller.session(at: path, of: callers.users) {
            case .success(let session):
                caller.perform(
                    Caller.Job(
                        session: session, domains: [], run: { finish(.success($0)) }, fail: { finish(.failure($0)) }))
            case .failure(let error): finish(.failure(error))
            }
        }
    }

    /// Answers from what is on disk, or, where the caller has writes in flight, from what will be when they are (P6).
    func read(
        _ call: IncomingCall, needs domains: [DomainName], _ body: @escaping (StateView) throws(ModelError) -> [Value]
    ) {
        accept(call, needs: domains) { request, session in
            session.read(for: request.caller, body) { request.answer($0) }
        }
    }

    /// Computes a change, and answers when it is on disk.
    func write(
        _ call: IncomingCall, needs domain: DomainName,
        _ body: @escaping (StateView, Instant, Caller) throws(ModelError) -> Outcome
    ) {
        accept(call, needs: [domain]) { [clock] request, session in
            let now = clock.now
            session.write(for: request.caller, { view throws(ModelError) in try body(view, now, request.caller) }) {
                request.answer($0)
            }
        }
    }

    /// Why a caller may not watch one more domain; nil where it may.
    func refusal(toWatch domain: DomainName, of session: UserSession, _ caller: Caller) -> ModelError? {
        let isWatched = caller.watchedDomains[session.userID]?.contains(domain) == true
        guard hasLimits, !isWatched, caller.watchCount >= Callers.watchLimit else { return nil }
        return ModelError(
            .limitExceeded,
            "\(caller.name) watches \(caller.watchCount) domains already; a connection may watch at most \(Callers.watchLimit)."
        )
    }
}
