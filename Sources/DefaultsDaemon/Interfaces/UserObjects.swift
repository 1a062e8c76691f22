import DBusTypes
import DefaultsInterface
import DefaultsModel
import LibDBus

/// The objects below `/org/defaultsd1/user`: each user's data, for root.
///
/// The interfaces are the root object's own; the path says whose data a call is about. To anyone but root every user's object answers AccessDenied, whether
/// there is such a user or not.
final class UserObjects: SubtreeHandler {
    private let callers: Callers
    private let handlers: [any InterfaceHandler]

    /// Serves these interfaces, which have the check before them, for each user.
    init(callers: Callers, handlers: [any InterfaceHandler]) {
        self.callers = callers
        self.handlers = handlers
    }

    func handlers(at path: ObjectPath, for sender: BusName, completion: @escaping ([any InterfaceHandler]?) -> Void) {
        guard let userID = WellKnown.user(in: path) else { return completion(nil) }
        asked(by: sender) { [callers, handlers] isRoot in
            completion(!isRoot || callers.users.isKnown(userID) ? handlers : nil)
        }
    }

    func children(of path: ObjectPath, for sender: BusName, completion: @escaping ([String]) -> Void) {
        guard path == WellKnown.usersPath else { return completion([]) }
        asked(by: sender) { [callers] isRoot in completion(isRoot ? callers.users.withStore.map(String.init) : []) }
    }

    private func asked(by sender: BusName, _ body: @escaping (_ isRoot: Bool) -> Void) {
        let caller = callers.caller(sender)
        caller.whenIdentified { [callers] in
            body(caller.session?.userID == 0)
            callers.forgetIfIdle(caller)
        }
    }
}
