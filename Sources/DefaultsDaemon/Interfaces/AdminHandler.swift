import DBusTypes
import DefaultsInterface
import DefaultsModel
import LibDBus

/// `org.defaultsd1.Admin`: what the daemon is and how its store fares.
final class AdminHandler: InterfaceHandler {
    let description = AdminInterface.description
    private let router: RequestRouter
    private let configuration: Configuration
    private let instance: UInt64

    init(router: RequestRouter, configuration: Configuration, instance: UInt64) {
        self.router = router
        self.configuration = configuration
        self.instance = instance
    }

    func handle(_ call: IncomingCall) { preconditionFailure("\(call.member) is described and not served") }

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
