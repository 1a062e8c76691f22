import DefaultsModel
import LibDBus

/// Serves an interface of the daemon's: the model's errors answer a call.
protocol RequestHandler: InterfaceHandler {
    /// Sends a call to what serves its member, which answers it later; what is wrong with the arguments is thrown at once.
    func route(_ call: IncomingCall) throws(ModelError)
}

extension RequestHandler {
    func handle(_ call: IncomingCall) {
        do throws(ModelError) {
            try route(call)
        } catch {
            call.fail(DBusError(error))
        }
    }
}
