import DBusTypes
import DefaultsInterface
import DefaultsModel
import LibDBus

/// `org.defaultsd1.Countdown` of every countdown's object, found by its path.
final class CountdownHandler: InterfaceHandler {
    let description = CountdownInterface.description
    private let router: RequestRouter
    private let service: CountdownService

    init(router: RequestRouter, service: CountdownService) {
        self.router = router
        self.service = service
    }

    func handle(_ call: IncomingCall) {
        guard let id = CountdownID(path: call.path) else { preconditionFailure("\(call.path) is served and no countdown") }
        router.accept(call) { [self] request, session in
            if call.member == CountdownInterface.watch { return watch(id, request) }
            service.perform(session) { (board, now) throws(ModelError) in
                try Self.act(call, id, &board, now)
            } reply: { result in
                request.answer(result.map { [$0.state.dictionary] })
            }
        }
    }

    private static func act(
        _ call: IncomingCall, _ id: CountdownID, _ board: inout CountdownBoard, _ now: Instant
    ) throws(ModelError) -> CountdownReply {
        switch call.member {
        case CountdownInterface.ready: try board.ready(id, at: now)
        case CountdownInterface.pause: try board.pause(id, at: now)
        case CountdownInterface.resume: try board.resume(id, at: now)
        case CountdownInterface.skip: try board.skip(id, at: now)
        case CountdownInterface.cancel: try board.cancel(id, at: now)
        case CountdownInterface.extend: try board.extend(id, by: try Arguments(call).get(0), at: now)
        default: preconditionFailure("\(call.member) is described and not served")
        }
    }

    private func watch(_ id: CountdownID, _ request: Request) {
        router.callers.track(request.caller)
        service.watch(id, request.caller) { result in
            request.answer(result.map { [$0.dictionary] })
        }
    }

    func properties(_ request: PropertyRequest) {
        guard let id = CountdownID(path: request.path) else { preconditionFailure("\(request.path) is served and no countdown") }
        do throws(ModelError) {
            let state = try service.board.state(of: id, at: router.clock.now)
            request.reply([
                CountdownInterface.stateProperty: .string(state.phase.rawValue),
                CountdownInterface.durationProperty: .uint64(state.duration),
                CountdownInterface.tickProperty: .uint64(state.tick),
                CountdownInterface.remainingProperty: .uint64(state.remaining),
                CountdownInterface.remainingTicksProperty: .uint32(state.remainingTicks),
                CountdownInterface.skippableProperty: .boolean(state.isSkippable),
                CountdownInterface.ownerProperty: .string(state.owner.text),
                CountdownInterface.purposeProperty: .string(state.purpose),
            ])
        } catch {
            request.fail(DBusError(error))
        }
    }
}

/// The objects below `/org/defaultsd1/countdown`: those of the caller's user, and no one else's.
final class CountdownObjects: SubtreeHandler {
    private let router: RequestRouter
    private let service: CountdownService
    private let handler: any InterfaceHandler

    init(router: RequestRouter, service: CountdownService, admission: Admission) {
        self.router = router
        self.service = service
        handler = admission.guarding(CountdownHandler(router: router, service: service))
    }

    func handlers(at path: ObjectPath, for sender: BusName, completion: @escaping ([any InterfaceHandler]?) -> Void) {
        guard let id = CountdownID(path: path) else { return completion(nil) }
        router.inTurn(of: sender) { [router, service, handler] result, caller in
            let owner = service.board.owner(of: id, at: router.clock.now)
            completion(owner.map { Self.isVisible($0, to: caller, try? result.get()) } == true ? [handler] : nil)
        }
    }

    /// To its owner, to the owner's user, and of what is in a sandbox to the same application alone (P15).
    private static func isVisible(_ owner: CountdownOwner, to caller: Caller, _ session: UserSession?) -> Bool {
        guard let session else { return false }
        return owner.name == caller.name || owner.user == session.userID && (caller.app == nil || owner.app == caller.app)
    }

    func children(of path: ObjectPath, for sender: BusName, completion: @escaping ([String]) -> Void) {
        router.inTurn(of: sender) { [router, service] result, caller in
            guard let session = try? result.get() else { return completion([]) }
            let live = service.board.list(user: session.userID, app: caller.app, at: router.clock.now).map(\.id.path)
            let depth = path.elements.count
            let names = live.filter { $0.isBelow(path) }.map { String($0.elements[depth]) }
            completion(Set(names).sorted())
        }
    }
}
