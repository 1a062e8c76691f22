import DBusTypes
import DefaultsInterface
import DefaultsModel

/// One connection that calls the daemon: who it is, what it waits for, and what it must not exceed.
///
/// Its requests take effect in the order sent (P6): a job that needs something not in memory yet holds up the caller's later
/// jobs, and no one else's.
final class Caller {
    /// Something to do once the domains it needs are in memory.
    struct Job {
        let session: UserSession
        let domains: [DomainName]
        let run: (UserSession) -> Void
        let fail: (ModelError) -> Void
    }

    /// Who a caller is.
    enum Identity {
        case asking
        /// A user, and the application in whose sandbox it is; nil outside any (P15).
        case user(UserSession, app: DomainName?)
        case refused(ModelError)
    }

    let id: CallerID
    let name: BusName
    private(set) var identity = Identity.asking
    /// Requests accepted and not answered.
    var unanswered = 0
    /// The domains whose signals this caller gets, by whose they are.
    var watchedDomains: [UInt32: Set<DomainName>] = [:]
    /// Other users whose data this caller has asked for.
    private(set) var otherSessions: [UserSession] = []
    /// How often this caller got the generation page.
    var pagesGiven = 0
    /// Whether the daemon keeps something for this caller until it leaves.
    var isTracked = false
    /// Whether its connection has ended; what it had sent before is still done.
    var isGone = false

    private var arrivals: [() -> Void] = []
    private var jobs: [Job] = []
    private var isWaiting = false

    init(id: CallerID, name: BusName) {
        self.id = id
        self.name = name
    }

    /// Whether nothing is left that needs this object.
    var isIdle: Bool { unanswered == 0 && arrivals.isEmpty && jobs.isEmpty && (!isTracked || isGone) }

    /// How many calls of this caller are not answered, those included that wait until it is known who it is.
    var pendingCalls: Int { unanswered + arrivals.count }

    /// How many domains it watches, over all users.
    var watchCount: Int { watchedDomains.values.reduce(0) { $0 + $1.count } }

    /// Whether jobs wait for something of a user's that isn't in memory yet.
    func waits(for session: UserSession) -> Bool { jobs.contains { $0.session === session } }

    // MARK: Who it is

    /// Whether it is known who this is, be it one to be refused.
    var isIdentified: Bool {
        if case .asking = identity { false } else { true }
    }

    /// Runs `body` once it is known who this is: at once, or when the bus has answered, in the order of the calls.
    func whenIdentified(_ body: @escaping () -> Void) {
        if isIdentified { body() } else { arrivals.append(body) }
    }

    /// Takes note of who this is, and goes on with what has waited for it.
    func identified(as identity: Identity) {
        self.identity = identity
        let waiting = arrivals
        arrivals = []
        for body in waiting { body() }
    }

    /// The application in whose sandbox it is; nil outside any.
    var app: DomainName? {
        if case .user(_, let app) = identity { app } else { nil }
    }

    /// The caller's own data; nil where it isn't known who it is.
    var session: UserSession? {
        if case .user(let session, _) = identity { session } else { nil }
    }

    /// All users whose data it has asked for.
    var sessions: [UserSession] { otherSessions + (session.map { [$0] } ?? []) }

    /// Whose data a call of an object is about: the caller's own, or below `/org/defaultsd1/user` another user's, for root alone.
    func session(at path: ObjectPath, of users: Users) -> Result<UserSession, ModelError> {
        switch identity {
        case .asking: preconditionFailure("a caller is identified before it is asked whose data it wants")
        case .refused(let error): return .failure(error)
        case .user(let own, _):
            guard let userID = WellKnown.user(in: path) else { return .success(own) }
            guard own.userID == 0 else {
                return .failure(
                    ModelError(
                        .accessDenied, "\(path) is for root alone; user \(own.userID) has its own data at \(WellKnown.rootPath).")
                )
            }
            let session = users.session(of: userID)
            if session !== own, !otherSessions.contains(where: { $0 === session }) { otherSessions.append(session) }
            return .success(session)
        }
    }

    // MARK: Its requests

    /// Whether nothing is ahead of a job that needs these domains, and they are in memory: it can run at once, without being queued.
    func isFree(for session: UserSession, _ domains: [DomainName]) -> Bool {
        !isWaiting && jobs.isEmpty && session.has(domains)
    }

    /// Runs a job now if nothing is ahead of it and all it needs is there, otherwise in its turn.
    func perform(_ job: Job) {
        jobs.append(job)
        if !isWaiting { runJobs() }
    }

    /// Has what comes wait until `resume`, for a job that must be decided on before the next one begins.
    func hold() { isWaiting = true }

    /// Has what comes wait until `resume`, unless it waits for something already; says whether.
    func holdIfFree() -> Bool {
        guard !isWaiting else { return false }
        isWaiting = true
        return true
    }

    /// Runs a job before all that wait: for a job that has found out what it needs only in its turn.
    func performNext(_ job: Job) {
        jobs.insert(job, at: 0)
        if !isWaiting { runJobs() }
    }

    /// Goes on after `hold`.
    func resume() {
        isWaiting = false
        runJobs()
    }

    private func runJobs() {
        while !isWaiting, let job = jobs.first {
            isWaiting = true
            // Called at once where nothing has to be loaded; then the loop goes on here.
            var isImmediate = true
            job.session.prepare(job.domains) { [self] result in
                jobs.removeFirst()
                isWaiting = false
                switch result {
                case .success: job.run(job.session)
                case .failure(let error): job.fail(error)
                }
                if !isImmediate { runJobs() }
            }
            isImmediate = false
        }
    }
}
