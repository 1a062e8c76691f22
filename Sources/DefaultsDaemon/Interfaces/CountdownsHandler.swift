import DBusTypes
import DefaultsInterface
import DefaultsModel
import LibDBus

/// `org.defaultsd1.Countdowns`: starts and lists countdowns.
final class CountdownsHandler: RequestHandler {
    let description = CountdownsInterface.description
    private let router: RequestRouter
    private let service: CountdownService

    init(router: RequestRouter, service: CountdownService) {
        self.router = router
        self.service = service
    }

    func route(_ call: IncomingCall) throws(ModelError) {
        switch call.member {
        case CountdownsInterface.start: try start(call)
        case CountdownsInterface.list: list(call)
        default: preconditionFailure("\(call.member) is described and not served")
        }
    }

    private func start(_ call: IncomingCall) throws(ModelError) {
        let arguments = Arguments(call)
        let token = try arguments.string(0)
        let spec = try CountdownSpec(try arguments.dictionary(1))
        router.accept(call) { [router, service] request, session in
            router.callers.track(request.caller)
            let owner = CountdownOwner(name: request.caller.name, user: session.userID, app: request.caller.app)
            let scale = session.countdownScale(for: request.caller)
            service.perform(session) { (board, now) throws(ModelError) in
                try service.checkFree(token, of: owner)
                return try board.start(token: token, spec: spec, scale: scale, owner: owner, at: now)
            } reply: { result in
                request.answer(result.map { [.objectPath($0.id.path), $0.state.dictionary] })
            }
        }
    }

    private func list(_ call: IncomingCall) {
        router.accept(call) { [router, service] request, session in
            let live = service.board.list(user: session.userID, app: request.caller.app, at: router.clock.now)
            let values = live.map { Value.structure([.objectPath($0.id.path), $0.state.dictionary]) }
            let element = DBusType.structure([.objectPath, .dictionary(key: .string, value: .variant)])
            request.answer(.success([.array(ArrayValue(unchecked: values, of: element))]))
        }
    }
}
