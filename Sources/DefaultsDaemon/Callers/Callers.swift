import DBusTypes
import DefaultsModel
import LibDBus

/// All connections that the daemon knows, by their unique names.
final class Callers {
    /// How many calls of one connection may wait for their answers (P12).
    static let unansweredLimit = 256
    /// How many domains one connection may watch (P12).
    static let watchLimit = 1_024
    /// How often one connection may get the generation page: each descriptor on its way takes up one of the bus's.
    static let pageLimit = 16

    private let connection: BusConnection
    private let users: Users
    private var callers: [BusName: Caller] = [:]
    private var tracks: [BusName: PeerTrack] = [:]
    private var nextNumber: UInt64 = 1

    /// Called when a tracked caller's connection has ended.
    var onGone: ((Caller) -> Void)?

    init(connection: BusConnection, users: Users) {
        self.connection = connection
        self.users = users
    }

    /// The caller behind a unique name, made when it calls for the first time.
    func caller(_ name: BusName) -> Caller {
        if let caller = callers[name] { return caller }
        let caller = Caller(id: CallerID(nextNumber), name: name, identity: .asking)
        nextNumber += 1
        callers[name] = caller
        identify(caller)
        return caller
    }

    /// Calls back when every job that waits now for this user's data, in any connection's queue, has had its turn.
    func whenDrained(_ session: UserSession, completion: @escaping () -> Void) {
        var left = 1
        let done = {
            left -= 1
            if left == 0 { completion() }
        }
        for caller in callers.values {
            guard case .user(let other) = caller.identity, other === session, caller.hasWaitingJobs else { continue }
            left += 1
            caller.perform(Caller.Job(domains: [], run: { _ in done() }, fail: { _ in done() }))
        }
        done()
    }

    /// Keeps the caller until its connection ends, and says so then.
    func track(_ caller: Caller) {
        guard !caller.isTracked else { return }
        caller.isTracked = true
        tracks[caller.name] = connection.peers.track(caller.name) { [self] in
            caller.isGone = true
            tracks[caller.name] = nil
            onGone?(caller)
            forgetIfIdle(caller)
        }
    }

    /// Counts a request as answered.
    func answered(_ caller: Caller) {
        caller.unanswered -= 1
        forgetIfIdle(caller)
    }

    /// Lets go of a caller that nothing is kept for; unique names are never used again, so they would pile up.
    func forgetIfIdle(_ caller: Caller) {
        if caller.isIdle && callers[caller.name] === caller { callers[caller.name] = nil }
    }

    private func identify(_ caller: Caller) {
        if let session = users.only {
            // A session bus lets in no one but its user, and what is sent just before leaving must still count.
            caller.identity = .user(session)
            return
        }
        connection.credentials(of: caller.name) { [users] result in
            switch result {
            case .success(let credentials):
                caller.identity = .user(users.session(of: credentials.userID))
            case .failure(let error):
                caller.identity = .refused(
                    ModelError(.accessDenied, "The bus doesn't say which user \(caller.name) is: \(error.message)."))
            }
            caller.resume()
        }
    }
}
