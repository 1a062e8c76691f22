import DBusTypes
import DefaultsModel
import LibDBus

/// What every interface does with a call: checks its arguments, counts it, queues it behind the caller's earlier ones.
final class RequestRouter {
    let callers: Callers
    let clock: any TimeSource
    /// The GUID of the bus: unique names mean something on one bus only.
    let busGUID: String
    private let hasLimits: Bool

    init(callers: Callers, clock: any TimeSource, busGUID: String, hasLimits: Bool) {
        self.callers = callers
        self.clock = clock
        self.busGUID = busGUID
        self.hasLimits = hasLimits
    }

    /// Runs `run` when `domains` are in memory and the caller's earlier calls are under way.
    func accept(
        _ call: IncomingCall, needs domains: [DomainName] = [], _ run: @escaping (Request, UserSession) -> Void
    ) {
        let caller = callers.caller(call.sender)
        guard caller.unanswered < Callers.unansweredLimit || !hasLimits else {
            call.fail(
                DBusError(
                    ModelError(
                        .limitExceeded,
                        "\(call.sender) waits for \(caller.unanswered) answers already; at most \(Callers.unansweredLimit) calls may wait."
                    )))
            return
        }
        let request = Request(call, caller, callers)
        caller.perform(
            Caller.Job(
                domains: domains, run: { session in run(request, session) }, fail: { error in request.answer(.failure(error)) }))
    }

    /// Runs `body` for what is no method call, in the caller's turn: a Start sent just before has then been handled.
    func inTurn(of sender: BusName, _ body: @escaping (Result<UserSession, ModelError>) -> Void) {
        let caller = callers.caller(sender)
        let finish = { [callers] (result: Result<UserSession, ModelError>) in
            body(result)
            callers.forgetIfIdle(caller)
        }
        caller.perform(Caller.Job(domains: [], run: { finish(.success($0)) }, fail: { finish(.failure($0)) }))
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
    func refusal(toWatch domain: DomainName, _ caller: Caller) -> ModelError? {
        guard hasLimits, !caller.watchedDomains.contains(domain), caller.watchedDomains.count >= Callers.watchLimit else {
            return nil
        }
        return ModelError(
            .limitExceeded,
            "\(caller.name) watches \(caller.watchedDomains.count) domains already; a connection may watch at most \(Callers.watchLimit)."
        )
    }
}
