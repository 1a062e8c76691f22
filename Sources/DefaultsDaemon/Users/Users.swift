import DBusTypes
import DefaultsModel
import DefaultsStore
import Glibc

/// The users whose data the daemon serves: its own on a session bus, everyone on the system bus.
final class Users {
    /// How many stores are opened at start at most, those that changed last: opening costs time before the daemon is ready.
    static let openedAtStart = 64

    /// How many stores are open at most, while they can be closed: each takes four descriptors and some memory.
    static let openLimit = 64

    private var sessions: [UInt32: UserSession] = [:]
    private let make: (UInt32) -> UserSession
    private let directory: String?

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
        directory = nil
    }

    /// Serves whoever calls, with a session made on the first call, and a folder for each in `directory`.
    init(in directory: String, make: @escaping (UInt32) -> UserSession) {
        only = nil
        self.directory = directory
        self.make = make
    }

    /// The folder of a user's store.
    static func folder(of userID: UInt32, in directory: String) -> String { "\(directory)/\(userID)" }

    /// The users who have a store; none on a session bus, where there is but one.
    var withStore: [UInt32] { directory.map(UserFolders.list) ?? [] }

    /// Whether there is such a user: one with a store, or one that this machine knows.
    func isKnown(_ userID: UInt32) -> Bool {
        guard let directory else { return userID == only?.userID }
        if !UserFolders.isUnused(Self.folder(of: userID, in: directory)) { return true }
        var entry = passwd()
        var found: UnsafeMutablePointer<passwd>?
        var buffer = [CChar](repeating: 0, count: 16_384)
        return getpwuid_r(userID, &entry, &buffer, buffer.count, &found) == 0 && found != nil
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

    /// Closes the stores that were used least lately where too many are open.
    ///
    /// One in use stays: by a request, by someone who watches, by a live countdown. It is looked at again when the next is opened.
    func closeUnused() {
        let open = sessions.values.filter(\.isOpen)
        guard open.count > Self.openLimit else { return }
        let unused = open.filter(\.isIdle).sorted { ($0.lastUse, $0.userID) < ($1.lastUse, $1.userID) }
        for session in unused.prefix(open.count - Self.openLimit) { session.close() }
    }

    /// Sessions made so far, by user.
    var all: [UserSession] { sessions.keys.sorted().compactMap { sessions[$0] } }
}
