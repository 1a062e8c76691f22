import DBusTypes
import DefaultsModel
import DefaultsStore

/// The users whose data the daemon serves: its own on a session bus, everyone on the system bus.
final class Users {
    private var sessions: [UInt32: UserSession] = [:]
    private let make: (UInt32) -> UserSession

    /// Called for every session, those there are already and those to come.
    var onMake: ((UserSession) -> Void)? {
        didSet { for session in all { onMake?(session) } }
    }

    /// The one user of a session instance; nil on the system bus, where the bus says who calls.
    let only: UserSession?

    /// Serves one user.
    init(only session: UserSession) {
        only = session
        sessions[session.userID] = session
        make = { _ in session }
    }

    /// Serves whoever calls, with a session made on the first call.
    init(make: @escaping (UInt32) -> UserSession) {
        only = nil
        self.make = make
    }

    func session(of userID: UInt32) -> UserSession {
        if let session = sessions[userID] { return session }
        let session = make(userID)
        sessions[userID] = session
        onMake?(session)
        return session
    }

    /// Has the configuration files as they are now take effect for everyone; `completion` is called when they have.
    func takeFiles(completion: @escaping () -> Void) {
        var left = 1
        let done = {
            left -= 1
            if left == 0 { completion() }
        }
        for session in all {
            left += 1
            session.takeFiles(completion: done)
        }
        done()
    }

    /// Sessions made so far, by user.
    var all: [UserSession] { sessions.keys.sorted().compactMap { sessions[$0] } }
}
