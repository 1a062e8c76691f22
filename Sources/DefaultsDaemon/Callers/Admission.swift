import DBusTypes
import DefaultsInterface
import DefaultsModel
import LibDBus

/// Stands before every interface: no call and no question for a property reaches a handler before it is known who asks, and that this caller may (P15).
///
/// Handlers are exported through ``guarding(_:)``, so none of them can forget to look. What a caller sends while the bus is asked who it is waits here, in
/// the order sent.
final class Admission {
    private let callers: Callers
    private let hasLimits: Bool

    init(callers: Callers, hasLimits: Bool) {
        self.callers = callers
        self.hasLimits = hasLimits
    }

    /// The handler, with this before it.
    func guarding(_ handler: any InterfaceHandler) -> any InterfaceHandler { GuardedHandler(handler, self) }

    fileprivate func admit(_ call: IncomingCall, to handler: any InterfaceHandler, _ rules: SandboxRules) {
        let caller = callers.caller(call.sender)
        if hasLimits, let refusal = callers.refusal(ofOneMore: caller) {
            callers.note(refusal, call)
            return call.fail(DBusError(refusal))
        }
        if caller.isIdentified { return pass(call, of: caller, to: handler, rules) }
        caller.whenIdentified { [self] in pass(call, of: caller, to: handler, rules) }
    }

    private func pass(_ call: IncomingCall, of caller: Caller, to handler: any InterfaceHandler, _ rules: SandboxRules) {
        guard let refusal = decide(call, caller, rules) else { return handler.handle(call) }
        call.fail(DBusError(refusal))
        callers.forgetIfIdle(caller)
    }

    private func decide(_ call: IncomingCall, _ caller: Caller, _ rules: SandboxRules) -> ModelError? {
        switch caller.session(at: call.path, of: callers.users) {
        case .failure(let error): return error
        case .success: return caller.app.flatMap { rules.refusal(of: call, by: $0) }
        }
    }

    fileprivate func admit(_ request: PropertyRequest, _ rules: SandboxRules, _ body: @escaping () -> Void) {
        let caller = callers.caller(request.sender)
        if hasLimits, let refusal = callers.refusal(ofOneMore: caller) { return request.fail(DBusError(refusal)) }
        caller.whenIdentified { [callers] in
            switch caller.session(at: request.path, of: callers.users) {
            case .success:
                guard let app = caller.app, !rules.allowsProperties else { return body() }
                request.fail(DBusError(SandboxRules.refused("the properties of \(request.interface)", app)))
            case .failure(let error): request.fail(DBusError(error))
            }
            callers.forgetIfIdle(caller)
        }
    }
}

/// A handler with the check before it.
private final class GuardedHandler: InterfaceHandler {
    private let handler: any InterfaceHandler
    private let admission: Admission
    private let rules: SandboxRules

    init(_ handler: any InterfaceHandler, _ admission: Admission) {
        self.handler = handler
        self.admission = admission
        rules = SandboxRules(handler.description)
    }

    var description: InterfaceDescription { handler.description }

    func handle(_ call: IncomingCall) { admission.admit(call, to: handler, rules) }

    func properties(_ request: PropertyRequest) { admission.admit(request, rules) { [handler] in handler.properties(request) } }
}
