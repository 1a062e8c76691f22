import DBusTypes
import DefaultsModel

/// One connection that calls the daemon: who it is, what it waits for, and what it must not exceed.
///
/// Its requests take effect in the order sent (P6): a job that needs something not in memory yet holds up the caller's later
/// jobs, and no one else's.
final class Caller {
    /// Something to do once the domains it needs are in memory.
    struct Job {
        let domains: [DomainName]
        let run: (UserSession) -> Void
        let fail: (ModelError) -> Void
    }

    /// Whose data a caller's requests are about.
    enum Identity {
        case asking
        case user(UserSession)
        case refused(ModelError)
    }

    let id: CallerID
    let name: BusName
    var identity: Identity
    /// Requests accepted and not answered.
    var unanswered = 0
    /// The domains whose signals this caller gets.
    var watchedDomains: Set<DomainName> = []
    /// Whether the daemon keeps something for this caller until it leaves.
    var isTracked = false
    /// Whether its connection has ended; what it had sent before is still done.
    var isGone = false

    private var jobs: [Job] = []
    private var isWaiting = false

    init(id: CallerID, name: BusName, identity: Identity) {
        self.id = id
        self.name = name
        self.identity = identity
    }

    /// Whether nothing is left that needs this object.
    var isIdle: Bool { unanswered == 0 && jobs.isEmpty && (!isTracked || isGone) }

    /// Whether jobs wait for something that isn't in memory yet.
    var hasWaitingJobs: Bool { !jobs.isEmpty }

    /// Runs a job now if nothing is ahead of it and all it needs is there, otherwise in its turn.
    func perform(_ job: Job) {
        jobs.append(job)
        if !isWaiting { runJobs() }
    }

    /// Has what comes wait until `resume`, for a job that must be decided on before the next one begins.
    func hold() { isWaiting = true }

    /// Runs a job before all that wait: for a job that has found out what it needs only in its turn.
    func performNext(_ job: Job) {
        jobs.insert(job, at: 0)
        if !isWaiting { runJobs() }
    }

    /// Goes on after `identity` was found or a domain was loaded.
    func resume() {
        isWaiting = false
        runJobs()
    }

    private func runJobs() {
        while !isWaiting, let job = jobs.first {
            switch identity {
            case .asking:
                isWaiting = true
            case .refused(let error):
                jobs.removeFirst()
                job.fail(error)
            case .user(let session):
                isWaiting = true
                // Called at once where nothing has to be loaded; then the loop goes on here.
                var isImmediate = true
                session.prepare(job.domains) { [self] result in
                    jobs.removeFirst()
                    isWaiting = false
                    switch result {
                    case .success: job.run(session)
                    case .failure(let error): job.fail(error)
                    }
                    if !isImmediate { runJobs() }
                }
                isImmediate = false
            }
        }
    }
}
