import DBusTypes
import DefaultsInterface
import LibDBus
import Synchronization

/// The way to one daemon: connects, notices when daemon or bus have gone and come back, and brings everything up to date then.
final class Link: @unchecked Sendable {
    // Used on the runtime's thread alone, but for what is constant, and the table of domains, which has a lock.

    private enum State {
        case idle
        case connecting
        case connected
        /// No one uses it any more.
        case closed
    }

    /// How long anything that a caller waits for may take.
    static let deadline = 500
    /// How long until the bus is tried again: at first, and at most, in milliseconds.
    private static let retries = (first: 50, last: 2_000)

    let runtime: Runtime
    private let makeTransport: @Sendable () -> any Transport
    private var state = State.idle
    private var transport: (any Transport)?
    /// This process's unique name on the bus.
    private(set) var name: BusName?
    /// How many connections there were: which one this is.
    private(set) var connection = 0
    /// The daemon's unique name; nil where there is none.
    private(set) var owner: BusName?
    private var isOwnerKnown = false
    /// From any thread.
    let domains = Mutex<[String: Domain]>([:])
    private(set) var countdowns: [CountdownRun] = []
    private(set) var runs: [any FollowedRun] = []
    private(set) var tips: [String: TipFollower] = [:]
    /// The steps of tours that this process has defined, by application and id, to go on where the daemon is away.
    var steps: [String: [TourStep]] = [:]
    /// Countdowns that the daemon is to give up when it is back; another name on the bus has none.
    private var orphans: [ObjectPath] = []
    private(set) lazy var writes = WriteQueue(self)
    private var waiting: [Waiting] = []
    private var retryDelay = Link.retries.first
    private var retryTimer: (any TimerSource)?
    /// The generation page of the daemon that runs, where it was asked for.
    var page: GenerationMap?
    /// Whether the daemon that runs gives this process no page: a sandbox's reads all call (P15).
    var isPageRefused = false
    var waitingForPage: [(GenerationMap?) -> Void] = []
    /// How many calls are not answered.
    private var calls = 0
    private var isUnused = false

    /// A call that waits for the connection.
    private final class Waiting {
        let proceed: (DBusError?) -> Void
        var timer: (any TimerSource)?

        init(_ proceed: @escaping (DBusError?) -> Void) { self.proceed = proceed }
    }

    init(_ makeTransport: @escaping @Sendable () -> any Transport, runtime: Runtime = .shared) {
        self.makeTransport = makeTransport
        self.runtime = runtime
    }

    // MARK: Calls

    /// Whether calls can be sent now.
    var isConnected: Bool { if case .connected = state { true } else { false } }

    /// Calls the daemon; where the connection is only being made, once it stands, and within the same time.
    func call(
        _ interface: InterfaceName, _ member: MemberName, _ arguments: [Value], at path: ObjectPath = WellKnown.rootPath,
        timeout milliseconds: Int = Link.deadline, completion: @escaping (Result<[Value], DefaultsError>) -> Void
    ) {
        calls += 1
        whenConnected(within: milliseconds) { [self] error in
            guard error == nil, let transport else { return answered(.failure(.unreachable), completion) }
            transport.call(path, interface, member, arguments, timeout: milliseconds) { [self] in
                answered($0.mapError(DefaultsError.init), completion)
            }
        }
    }

    private func answered(
        _ result: Result<[Value], DefaultsError>, _ completion: (Result<[Value], DefaultsError>) -> Void
    ) {
        completion(result)
        calls -= 1
        closeIfUnused()
    }

    /// Gives this process's unique name once it has one; nil where it gets none in time.
    func withName(_ proceed: @escaping (BusName?) -> Void) {
        whenConnected(within: Self.deadline) { [self] error in proceed(error == nil ? name : nil) }
    }

    private func whenConnected(within milliseconds: Int, _ proceed: @escaping (DBusError?) -> Void) {
        switch state {
        case .connected: return proceed(nil)
        case .closed: return proceed(DBusError(.disconnected, "The connection is closed."))
        case .idle where retryTimer != nil: return proceed(DBusError(.disconnected, "There is no bus."))
        case .idle: connect()
        case .connecting: break
        }
        let waiting = Waiting(proceed)
        waiting.timer = runtime.after(milliseconds: milliseconds) { [weak self, weak waiting] in
            guard let self, let waiting else { return }
            self.waiting.removeAll { $0 === waiting }
            finish(waiting, DBusError(.noReply, "The bus had not answered in \(milliseconds) ms."))
        }
        self.waiting.append(waiting)
    }

    private func finish(_ waiting: Waiting, _ error: DBusError?) {
        let proceed = waiting.proceed
        waiting.timer?.cancel()
        proceed(error)
    }

    private func finishWaiting(_ error: DBusError?) {
        let due = waiting
        waiting = []
        for call in due { finish(call, error) }
    }

    // MARK: The connection

    /// Connects where that hasn't begun.
    func connect() {
        guard case .idle = state else { return }
        retryTimer?.cancel()
        retryTimer = nil
        state = .connecting
        let transport = makeTransport()
        self.transport = transport
        transport.onEvent = { [weak self] event in self?.take(event) }
        transport.connect()
    }

    private func take(_ event: TransportEvent) {
        switch event {
        case .connected(let name):
            state = .connected
            self.name = name
            connection += 1
            retryDelay = Self.retries.first
            isOwnerKnown = false
            // What was written first is sent first.
            writes.resume()
            finishWaiting(nil)
        case .owner(let new): ownerChanged(new)
        case .signal(let path, let interface, let member, let arguments): take(path, interface, member, arguments)
        case .disconnected: disconnected()
        }
    }

    private func ownerChanged(_ new: BusName?) {
        guard new != owner || !isOwnerKnown else { return }
        owner = new
        isPageRefused = false
        // On a bus just joined also where there is none: the calls start it.
        if new != nil || !isOwnerKnown {
            isOwnerKnown = true
            synchronizeAll()
        } else {
            daemonLeft()
        }
    }

    private func daemonLeft() {
        for countdown in countdowns { countdown.daemonLeft() }
        for run in runs { run.daemonLeft() }
        for follower in tips.values { follower.daemonLeft() }
    }

    /// Sends what waits, and brings every domain and countdown up to date.
    private func synchronizeAll() {
        writes.resume()
        for domain in allDomains { domain.resynchronize() }
        for countdown in countdowns { countdown.daemonCame() }
        for run in runs { run.daemonCame() }
        for follower in tips.values { follower.daemonCame() }
        let orphans = orphans
        self.orphans = []
        for path in orphans { cancelCountdown(at: path) }
    }

    private func disconnected() {
        transport = nil
        name = nil
        owner = nil
        orphans = []
        if case .closed = state { return }
        state = .idle
        writes.interrupted()
        daemonLeft()
        let waitingForPage = waitingForPage
        self.waitingForPage = []
        for proceed in waitingForPage { proceed(nil) }
        finishWaiting(DBusError(.disconnected, "There is no bus."))
        guard !closeIfUnused() else { return }
        retryTimer = runtime.after(milliseconds: retryDelay) { [weak self] in
            guard let self else { return }
            retryTimer?.cancel()
            retryTimer = nil
            connect()
        }
        retryDelay = min(retryDelay * 2, Self.retries.last)
    }

    // MARK: Domains, countdowns and runs

    /// The mirror of a domain, the same each time; from any thread.
    func domain(_ name: String) -> Domain {
        domains.withLock { domains in
            if let domain = domains[name] { return domain }
            let domain = Domain(name, self)
            domains[name] = domain
            return domain
        }
    }

    private var allDomains: [Domain] { domains.withLock { Array($0.values) } }

    /// Passes a countdown's signals on to it, and tells it who keeps it.
    func add(_ countdown: CountdownRun) { countdowns.append(countdown) }

    /// Ends that.
    func remove(_ countdown: CountdownRun) {
        countdowns.removeAll { $0 === countdown }
        _ = closeIfUnused()
    }

    /// Passes a run's signals on to it, and tells it of the daemon's coming and going.
    func add(_ run: any FollowedRun) { runs.append(run) }

    /// Ends that.
    func remove(_ run: any FollowedRun) {
        runs.removeAll { $0 === run }
        _ = closeIfUnused()
    }

    /// What follows an application's tips, the same each time.
    func tips(of domain: Domain) -> TipFollower {
        if let follower = tips[domain.name] { return follower }
        let follower = TipFollower(domain)
        tips[domain.name] = follower
        return follower
    }

    /// Has the daemon give up a countdown: now, or when it is back.
    func cancelCountdown(at path: ObjectPath) {
        call(CountdownInterface.name, CountdownInterface.cancel, [], at: path) { [weak self] result in
            guard let self, case .failure(let error) = result, error.code == .unreachable, isConnected else { return }
            orphans.append(path)
        }
    }

    // MARK: The end

    /// Closes the connection once all that was written has reached the daemon or can't; no one uses the link any more.
    func release() {
        isUnused = true
        _ = closeIfUnused()
    }

    /// What is called where the last reason to stay may have gone.
    @discardableResult
    func closeIfUnused() -> Bool {
        guard isUnused, calls == 0, countdowns.isEmpty, runs.allSatisfy({ $0.isEnded }) else { return false }
        switch state {
        case .connecting where !writes.isEmpty, .connected where !writes.isEmpty: return false
        case .closed: return true
        case .idle, .connecting, .connected: break
        }
        state = .closed
        transport?.close()
        transport = nil
        retryTimer?.cancel()
        writes.abandon()
        finishWaiting(DBusError(.disconnected, "The connection is closed."))
        for domain in allDomains { domain.abandon() }
        domains.withLock { $0 = [:] }
        runs = []
        tips = [:]
        return true
    }
}
