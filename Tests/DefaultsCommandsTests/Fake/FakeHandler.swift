import DBusTypes
import LibDBus

/// Serves the methods of an interface with a function.
final class FakeHandler: InterfaceHandler {
    let description: InterfaceDescription
    private let answer: (IncomingCall) throws(DBusError) -> [Value]

    init(_ description: InterfaceDescription, _ answer: @escaping (IncomingCall) throws(DBusError) -> [Value]) {
        self.description = description
        self.answer = answer
    }

    func handle(_ call: IncomingCall) {
        do throws(DBusError) {
            call.reply(try answer(call))
        } catch {
            call.fail(error)
        }
    }
}
