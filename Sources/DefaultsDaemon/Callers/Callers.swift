import CLinux
import DBusTypes
import DefaultsModel
import EventLoop
import LibDBus

/// All connections that the daemon knows, by their unique names.
final class Callers {
    /// How many calls of one connection may wait for their answers (P12).
    static let unansweredLimit = 256
    /// How many domains one connection may watch (P12).
    static let watchLimit = 1_024
    /// How often one connection may get the generation page: each descriptor on its way takes up one of the bus's.
    static let pageLimit = 16

    /// What of a reply must be left for the bus to take, in bytes, for the reply to count as large.
    private static let largeReply = 256 << 10

    private let connection: BusConnection
    let users: Users
    private var identities = IdentityCache()
    private var sandboxes = SandboxTraces()
    private var callers: [BusName: Caller] = [:]
    /// The caller of the last call, kept though idle: most calls come in runs of one connection's, and need no look-up then.
    private var last: Caller?
    private var tracks: [BusName: PeerTrack] = [:]
    private var quotaNotes = QuotaNotes()
    /// Whether memory is given back once the bus has taken what it was for.
    private var isReleasing = false
    private var nextNumber: UInt64 = 1

    /// Called when a tracked caller's connection has ended.
    var onGone: ((Caller) -> Void)?

    init(connection: BusConnection, users: Users) {
        self.connection = connection
        self.users = users
    }

    /// The caller behind a unique name, made when it calls for the first time.
    func caller(_ name: BusName) -> Caller {
        if let last, last.name == name { return last }
        let known = callers[name]
        let caller = known ?? Caller(id: CallerID(nextNumber), name: name)
        let previous = last
        last = caller
        if let previous { forgetIfIdle(previous) }
        guard known == nil else { return caller }
        nextNumber += 1
        callers[name] = caller
        identify(caller)
        return caller
    }

    /// The caller behind a unique name, where it is known.
    func find(_ name: BusName) -> Caller? { callers[name] }

    /// Calls back when every job that waits now for this user's data, in any connection's queue, has had its turn.
    func whenDrained(_ session: UserSession, completion: @escaping () -> Void) {
        var left = 1
        let done = {
            left -= 1
            if left == 0 { completion() }
        }
        for caller in callers.values {
            guard caller.waits(for: session) else { continue }
            left += 1
            caller.perform(Caller.Job(session: session, domains: [], run: { _ in done() }, fail: { _ in done() }))
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

    /// Lets go of a caller that nothing is kept for, unless it is the last; unique names are never used again, so they would pile up.
    func forgetIfIdle(_ caller: Caller) {
        guard caller.isIdle else { return }
        if caller === last {
            // Why it was refused may be over by its next call.
            guard case .refused = caller.identity else { return }
            last = nil
        }
        if callers[caller.name] === caller { callers[caller.name] = nil }
    }

    /// Names a caller that met a limit in the log, once a minute.
    func note(_ error: ModelError, _ call: IncomingCall) {
        guard error.code == .limitExceeded, quotaNotes.isDue(call.sender, at: SystemTime.monotonic) else { return }
        let user = callers[call.sender]?.session.map { String($0.userID) } ?? "unknown"
        let domain = call.arguments.first?.get(as: String.self).flatMap(DomainName.init)?.text ?? ""
        Log.write(
            .warning, "\(call.sender), of user \(user), met a limit: \(error.message)", .quotaReached,
            [.user: user, .caller: call.sender.text, .domain: domain, .method: "\(call.interface).\(call.member)"])
    }

    /// Has a caller's next requests wait, after a large reply to it of so many bytes, until the bus has taken that.
    ///
    /// Who asks for much, and more before it has read that, then waits for itself and not others for it: between two of its replies everyone else's turn
    /// comes, and no more than one of them is on its way in this process.
    func pace(_ caller: Caller, after size: Int) {
        if size > UserSession.worthReleasing { releaseMemoryOnceSent() }
        guard size > Self.largeReply, connection.outgoingBytes > Self.largeReply, caller.holdIfFree() else { return }
        connection.whenOutgoing(isAtMost: Self.largeReply) { caller.resume() }
    }

    /// Gives back what a very large reply has taken in memory, once the bus has it: its values take many times what its message does.
    ///
    /// While more such replies are on their way they use it again.
    private func releaseMemoryOnceSent() {
        guard !isReleasing else { return }
        isReleasing = true
        connection.whenOutgoing(isAtMost: Self.largeReply) { [self] in
            isReleasing = false
            clinux_release_memory()
        }
    }

    /// Why a caller may not have one more call unanswered; nil where it may.
    func refusal(ofOneMore caller: Caller) -> ModelError? {
        guard caller.pendingCalls >= Self.unansweredLimit else { return nil }
        return ModelError(
            .limitExceeded,
            "\(caller.name) waits for \(caller.pendingCalls) answers already; at most \(Self.unansweredLimit) calls may wait.")
    }

    // MARK: Who they are

    private func identify(_ caller: Caller) {
        if let session = users.only { return findSandbox(of: caller, session) }
        connection.credentials(of: caller.name) { [users] result in
            switch result {
            case .success(let credentials):
                caller.identified(as: .user(users.session(of: credentials.userID), app: nil))
            case .failure(let error):
                caller.identified(
                    as: .refused(ModelError(.accessDenied, "The bus doesn't say which user \(caller.name) is: \(error.message)."))
                )
            }
        }
    }

    /// A session bus lets in no one but its user, so what there is to find out is in whose sandbox the caller is (P15).
    private func findSandbox(of caller: Caller, _ session: UserSession) {
        if let app = identities.find(caller.name) { return caller.identified(as: .user(session, app: app)) }
        connection.askCredentials(of: caller.name) { [self] result in
            let finding: Sandbox.Finding =
                switch result {
                case .success(let credentials): Sandbox.find(credentials)
                case .failure(let error) where error.name == .nameHasNoOwner: .gone
                case .failure(let error): .unknown("the bus doesn't say who it is: \(error.message)")
                }
            switch finding {
            case .none: identified(caller, session, app: nil)
            case .app(let app):
                sandboxes.meet()
                identified(caller, session, app: app)
            case .gone where !sandboxes.mayExist: caller.identified(as: .user(session, app: nil))
            case .gone:
                refuse(caller, "it had gone before that was looked for, and applications in sandboxes run in this session")
            case .unknown(let reason): refuse(caller, reason)
            }
        }
    }

    private func identified(_ caller: Caller, _ session: UserSession, app: DomainName?) {
        identities.insert(caller.name, app)
        caller.identified(as: .user(session, app: app))
    }

    private func refuse(_ caller: Caller, _ reason: String) {
        caller.identified(
            as: .refused(
                ModelError(.accessDenied, "It can't be told whether \(caller.name) is in an application's sandbox: \(reason).")))
    }
}
