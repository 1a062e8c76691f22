import DBusTypes
import DefaultsInterface
import DefaultsModel
import LibDBus

/// `org.defaultsd1.Admin`: what the daemon is and how its store fares.
final class AdminHandler: RequestHandler {
    let description = AdminInterface.description
    let router: RequestRouter
    private let configuration: Configuration
    private let instance: UInt64

    init(router: RequestRouter, configuration: Configuration, instance: UInt64) {
        self.router = router
        self.configuration = configuration
        self.instance = instance
    }

    func route(_ call: IncomingCall) throws(ModelError) {
        switch call.member {
        case AdminInterface.export: try export(call)
        case AdminInterface.importFile: try importFile(call)
        case AdminInterface.forget: try forget(call)
        case AdminInterface.acknowledgeLoss: acknowledgeLoss(call)
        case AdminInterface.explain: try explain(call)
        case AdminInterface.statistics: try statistics(call)
        case AdminInterface.inhibit: try inhibit(call)
        case AdminInterface.uninhibit: try uninhibit(call)
        default: preconditionFailure("\(call.member) is described and not served")
        }
    }

    private func forget(_ call: IncomingCall) throws(ModelError) {
        let app = try Arguments(call).app(0)
        router.accept(call, needs: [app]) { [router] request, session in
            let now = router.clock.now
            session.write(for: request.caller) { view in
                session.sticky.forget(app: app)
                return view.forgetting(app, at: now)
            } completion: {
                request.answer($0)
            }
        }
    }

    private func acknowledgeLoss(_ call: IncomingCall) {
        router.accept(call) { request, session in session.acknowledgeLoss { request.answer($0.map { [] }) } }
    }

    func properties(_ request: PropertyRequest) {
        router.inTurn(of: request.sender, at: request.path) { [self] result, _ in
            switch result {
            case .success(let session):
                request.reply([
                    AdminInterface.version: .string(WellKnown.version),
                    // What was added after version 1 of the interface: nothing yet.
                    AdminInterface.features: .array([String]()),
                    AdminInterface.instance: .uint64(instance),
                    AdminInterface.storeState: .string(session.storeState?.rawValue ?? ""),
                    AdminInterface.storePath: .string(session.storePath ?? ""),
                    AdminInterface.policy: .vardict([
                        ("onboarding", .string(configuration.layers.policy.onboarding.rawValue)),
                        ("files", .array(configuration.files)),
                        ("errors", .array(configuration.errors)),
                    ]),
                ])
            case .failure(let error): request.fail(DBusError(error))
            }
        }
    }
}
