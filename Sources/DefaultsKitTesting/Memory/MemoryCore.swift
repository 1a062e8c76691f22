import DBusTypes
import DefaultsInterface
import DefaultsKit
import DefaultsModel
import LibDBus

/// The state of a daemon in memory.
final class MemoryCore: @unchecked Sendable {
    // Used on the client's thread alone: `onThread` is how others come to it.

    typealias Completion = (Result<[Value], DBusError>) -> Void

    /// The one user that there is.
    static let user: UInt32 = 1_000
    static let busGUID = "memory"

    let runtime = Runtime.shared
    let ledger = Ledger(StoreSummary())
    var board = CountdownBoard(bootID: "memory", busGUID: MemoryCore.busGUID)
    var sticky = StickyAnswers()
    private(set) var now: Instant
    private(set) var clients: [BusName: MemoryClient] = [:]
    private let givesPage: Bool
    private var page: MemoryPage?
    private(set) var instance: UInt64 = 0
    private var slots: [DomainName: Int] = [:]
    private var count: UInt64 = 0
    /// The daemon's unique name; nil while it is stopped.
    private(set) var ownerName: BusName?
    private var files = FileLayers()
    var watchers: [CountdownID: Set<BusName>] = [:]
    var activity = RunActivity()
    /// The record keys of countdowns that have ended, whose guides are to end with them.
    var endedCountdowns: [(key: String, reason: CountdownReason)] = []
    /// How the tips of watched applications were when they were last looked at.
    var outlooks: [DomainName: TipOutlook] = [:]
    private var isWriting = false

    init(time: Int64, givesPage: Bool) {
        self.givesPage = givesPage
        // Any time but 0, which a rule might take for none.
        now = Instant(boottime: 1_000_000_000_000, monotonic: 1_000_000_000_000, wall: time)
        ledger.onAdvance = { [unowned self] advance in bump(advance) }
        start()
    }

    /// Does something on the client's thread, and waits until it is done.
    func onThread(_ body: @escaping @Sendable (MemoryCore) -> Void) {
        if runtime.isCurrent { return body(self) }
        let done: Void? = runtime.wait(milliseconds: 10_000) { [self] done in
            body(self)
            done(())
        }
        precondition(done != nil, "the client's thread does what a test asks for")
    }

    // MARK: Runs of the daemon

    func start() {
        guard ownerName == nil else { return }
        count += 1
        instance = count
        page = givesPage ? MemoryPage(instance: instance) : nil
        ownerName = Self.name(count)
        cleanPresentations()
        send(board.advance(to: now))
        tellOwner()
    }

    func stop() {
        guard ownerName != nil else { return }
        page?.retire()
        page = nil
        ownerName = nil
        sticky = StickyAnswers()
        watchers = [:]
        outlooks = [:]
        ledger.watchedDomains = []
        for client in clients.values { client.watched = [] }
        tellOwner()
    }

    private func tellOwner() { for client in clients.values { client.transport?.send(.owner(ownerName)) } }

    private static func name(_ number: UInt64) -> BusName {
        guard let name = BusName(":1.\(number)") else { preconditionFailure("a number makes a unique name") }
        return name
    }

    // MARK: Clients

    func join(_ transport: MemoryTransport) -> MemoryClient {
        count += 1
        let client = MemoryClient(Self.name(count), count, transport)
        clients[client.name] = client
        return client
    }

    func leave(_ client: MemoryClient) {
        clients[client.name] = nil
        sticky.forget(caller: client.name)
        updateWatched()
        send(board.ownerLost(client.name, at: now))
        if ownerName != nil { cleanPresentations() }
    }

    func handle(_ call: MemoryCall, _ completion: @escaping Completion) {
        guard ownerName != nil else {
            return completion(.failure(DBusError(.serviceUnknown, "The daemon in memory is stopped.")))
        }
        if let handler = handler(of: call) { return handler.handle(call, completion) }
        completion(.failure(DBusError(.unknownMethod, "The daemon in memory has no \(call.interface).\(call.member).")))
    }

    private func handler(of call: MemoryCall) -> (any MemoryHandler)? {
        switch call.interface {
        case PreferencesInterface.name: MemoryPreferences(core: self)
        case LaunchesInterface.name: MemoryLaunches(core: self)
        case CountdownsInterface.name, CountdownInterface.name: MemoryCountdowns(core: self)
        case GuidesInterface.name, ToursInterface.name, TipsInterface.name: MemoryPresentations(core: self)
        default: nil
        }
    }

    // MARK: Reading and writing

    /// Computes, commits and answers a write, then announces what it changed.
    func write(_ client: MemoryClient?, _ body: @escaping Operation.Body, _ completion: @escaping Completion) {
        let caller = client.map { CallerID($0.number) } ?? .daemon
        ledger.submit(
            Operation(caller: caller, writer: client?.name.text ?? "", body: body) { [unowned self] result, announcements in
                completion(result.mapError(DBusError.init))
                for announcement in announcements { announce(announcement) }
            })
        // One that an answer causes is stored with those before it.
        guard !isWriting else { return }
        isWriting = true
        // The disk is memory: what is handed out is stored.
        while ledger.takeBatch() != nil { ledger.batchCommitted() }
        isWriting = false
        endRunsOfEndedCountdowns()
        lookAtTips()
    }

    private func announce(_ announcement: Announcement) {
        switch announcement {
        case .preferencesChanged(let change):
            signal(
                change.domain, PreferencesInterface.name, PreferencesInterface.changed,
                [
                    .string(change.domain.text), .vardict(change.changed.map { ($0.key.text, $0.stored.value) }),
                    .array(change.removed.map(\.text)), .uint64(change.revision), .string(change.writer),
                ])
        case .locksChanged(let domain, let keys):
            signal(
                domain, PreferencesInterface.name, PreferencesInterface.locksChanged,
                [.string(domain.text), .array(keys.map(\.text))])
        case .presentation(let signal): announce(signal)
        case .countdownBegins(let start):
            if let reply = try? board.start(start) { send(reply.beforeReply + reply.afterReply) }
        case .countdownEnds(let key, let reason):
            guard let id = board.id(recordKey: key), let reply = try? board.finish(id, reason: reason, at: now) else { return }
            send(reply.beforeReply + reply.afterReply)
        case .launchRecorded(let app, let launch):
            signal(app, LaunchesInterface.name, LaunchesInterface.recorded, [.string(app.text), launch])
        }
    }

    func signal(_ domain: DomainName, _ interface: InterfaceName, _ member: MemberName, _ arguments: [Value]) {
        for client in clients.values where client.watched.contains(domain.text) {
            client.transport?.send(
                .signal(path: WellKnown.rootPath, interface: interface, member: member, arguments: arguments))
        }
    }

    func setMandatory(_ domain: DomainName, _ key: PreferenceKey, _ value: Value?) {
        files.mandatory[domain, default: [:]][key] = value
        let (files, now) = (files, now)
        write(nil, { view throws(ModelError) in Ledger.taking(files, in: view, at: now) }, { _ in })
    }

    // MARK: Mirrors

    func watch(_ domain: DomainName, by client: MemoryClient) {
        client.watched.insert(domain.text)
        updateWatched()
        lookAtTips()
    }

    func unwatch(_ domain: DomainName, by client: MemoryClient) {
        client.watched.remove(domain.text)
        updateWatched()
    }

    private func updateWatched() {
        ledger.watchedDomains = Set(clients.values.flatMap(\.watched).compactMap { DomainName($0) })
    }

    /// The page of this run; nil where there is none.
    var pageDescriptor: UnixFD? { page?.descriptor }

    func slot(of domain: DomainName) -> UInt32 {
        guard page != nil else { return 0 }
        let slot = slots[domain] ?? GenerationLayout.slot(ofDomain: slots.count)
        slots[domain] = slot
        return UInt32(slot)
    }

    private func bump(_ advance: Advance) {
        switch advance {
        case .domains(let domains) where !domains.contains(.global):
            for domain in domains { if let slot = slots[domain] { page?.increment(slot) } }
        case .domains, .everything:
            for slot in Set(slots.values) { page?.increment(slot) }
        }
    }

    // MARK: Time

    func advance(by duration: Duration) {
        let end = now.boottime + duration.nanoseconds
        while let due = nextDue, due <= end {
            move(by: max(due - now.boottime, 0))
            send(board.advance(to: now))
            presentationTimePassed()
        }
        move(by: end - now.boottime)
    }

    /// When something falls due, on CLOCK_BOOTTIME if the machine doesn't sleep; never while the daemon is stopped.
    private var nextDue: Int64? {
        guard ownerName != nil else { return nil }
        let next = board.nextDeadline
        let monotonic = next.monotonic.map { $0 - now.monotonic + now.boottime }
        return [next.boottime, monotonic, nextPresentationDeadline].compactMap { $0 }.min()
    }

    func suspend(for duration: Duration) {
        now.boottime += duration.nanoseconds
        now.wall += duration.nanoseconds / 1_000
        if ownerName != nil { send(board.advance(to: now)) }
    }

    func setWall(_ microseconds: Int64) { now.wall = microseconds }

    private func move(by nanoseconds: Int64) {
        now.boottime += nanoseconds
        now.monotonic += nanoseconds
        now.wall += nanoseconds / 1_000
    }

    // MARK: Countdowns

    /// Sends signals of countdowns to their owners and to those who watch them.
    func send(_ actions: [CountdownAction]) {
        for action in actions {
            let (member, arguments): (MemberName, [Value]) =
                switch action.event {
                case .tick(let ticks, let remaining, let missed):
                    (CountdownInterface.tickSignal, [.uint32(ticks), .uint64(remaining), .uint32(missed)])
                case .skipAvailable: (CountdownInterface.skipAvailable, [])
                case .finished(let reason, let late): (CountdownInterface.finished, [.string(reason.rawValue), .uint64(late)])
                }
            for name in watchers[action.id, default: []].union([action.owner.name]) {
                clients[name]?.transport?.send(
                    .signal(path: action.id.path, interface: CountdownInterface.name, member: member, arguments: arguments))
            }
            guard case .finished(let reason, _) = action.event else { continue }
            watchers[action.id] = nil
            if reason == .elapsed || reason == .skipped { endedCountdowns.append((action.id.recordKey, reason)) }
        }
        if !isWriting { endRunsOfEndedCountdowns() }
    }
}

extension Duration {
    fileprivate var nanoseconds: Int64 { components.seconds * 1_000_000_000 + components.attoseconds / 1_000_000_000 }
}

/// What serves the calls of an interface.
protocol MemoryHandler {
    func handle(_ call: MemoryCall, _ completion: @escaping MemoryCore.Completion)
}
