import DefaultsModel
import LibDBus

extension AdminHandler {
    /// Has nothing new shown to the user until the cookie is given back or the caller leaves.
    func inhibit(_ call: IncomingCall) throws(ModelError) {
        let reason = try Arguments(call).string(0)
        router.accept(call) { [router] request, session in
            router.callers.track(request.caller)
            let owner = router.connectionName(of: request.caller)
            session.write(for: request.caller, { view throws(ModelError) in try view.inhibiting(by: owner, reason: reason) }) {
                request.answer($0)
            }
        }
    }

    /// Gives a cookie back.
    func uninhibit(_ call: IncomingCall) throws(ModelError) {
        let cookie: UInt64 = try Arguments(call).get(0)
        router.accept(call) { [router] request, session in
            let owner = router.connectionName(of: request.caller)
            session.write(for: request.caller, { view throws(ModelError) in try view.uninhibiting(cookie, by: owner) }) {
                request.answer($0)
            }
        }
    }
}
