import DBusTypes
import DefaultsInterface
import DefaultsModel
import LibDBus

/// `org.defaultsd1.Admin`: what the daemon is and how its store fares.
final class AdminHandler: InterfaceHandler {
    let description = AdminInterface.description
    let router: RequestRouter
    private let configuration: Configuration
    private let instance: UInt64

    init(router: RequestRouter, configuration: Configuration, instance: UInt64) {
        self.router = router
        self.configuration = configuration
        self.instance = instance
    }

    func handle(_ call: IncomingCall) {
        do throws(ModelError) {
            switch call.member {
            case AdminInterface.export: try export(call)
            case AdminInterface.importFile: try importFile(call)
            case AdminInterface.forget: try forget(call)
            case AdminInterface.acknowledgeLoss: acknowledgeLoss(call)
            default: preconditionFailure("\(call.member) is described and not served")
            }
        } catch {
            call.fail(DBusError(error))
        }
    }

    private func forget(_ call: IncomingCall) throws(ModelError) {
        let app = try Arguments(call).app(0)
        router.accept(call, needs: [app]) { request, session in
            session.write(for: request.caller) { view in
                session.sticky.forget(app: app)
                return view.forgetting(app)
            } completion: {
                request.answer($0)
            }
        }
    }

    private func acknowledgeLoss(_ call: IncomingCall) {
        router.accept(call) { request, session in session.acknowledgeLoss { request.answer($0.map { [] }) } }
    }

    func properties(_ request: PropertyRequest) {
        let caller = router.callers.caller(request.sender)
        caller.perform(
            Caller.Job(
                domains: [],
                run: { [self] session in
                    request.reply([
                        AdminInterface.version: .string(WellKnown.version),
                        // What was added after version 1 of the interface: nothing yet.
                        AdminInterface.features: .array([String]()),
                        AdminInterface.instance: .uint64(instance),
                        AdminInterface.storeState: .string(session.storeState?.rawValue ?? ""),
                        AdminInterface.storePath: .string(session.storePath ?? ""),
                        AdminInterface.policy: .vardict([
                            ("onboarding", .string("allow")), ("files", .array(configuration.files)),
                            ("errors", .array(configuration.errors)),
                        ]),
                    ])
                    router.callers.forgetIfIdle(caller)
                },
                fail: { [router] error in
                    request.fail(DBusError(error))
                    router.callers.forgetIfIdle(caller)
                }))
    }
}
