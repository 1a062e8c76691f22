import DBusTypes
import DefaultsInterface
public import LibDBus

/// Preferences of the daemon, kept in this process so that reading one needs no call.
///
/// It has a connection of its own, so that a read may fetch wherever the program is, also inside a handler. Everything belongs to the
/// thread of the loop; the loop need not run for reads to be right, only for changes to be told.
///
///     let mirror = try PreferencesMirror(bus: .session, loop: loop)
///     let editor = try mirror.watch("org.example.Editor")
///     let size = editor.read("font-size").value?.integer(as: Int.self)
///
/// Over a restart of the daemon nothing is lost: values are stale until they were fetched from the new instance, and what changed in
/// between is told as one change. When the bus is lost they stay stale for good; make another mirror on another bus.
public final class PreferencesMirror {
    /// How long a read waits for the daemon at most.
    private static let deadline = Duration.milliseconds(500)
    /// How long reads return stale values without asking again once the daemon could not be asked.
    private static let pause = Duration.milliseconds(100)
    /// A fetch is tried again when the daemon was restarted meanwhile, or a slot has only now become known.
    private static let attempts = 5
    /// So many changes wait to be told separately; where the loop doesn't run, the rest are merged into the last.
    private static let waitingLimit = 1_024

    private let connection: BusConnection
    private let loop: any Loop
    private var page: GenerationMap?
    private var domains: [String: MirroredDomain] = [:]
    private var pausedUntil: ContinuousClock.Instant?
    private var waiting: [(domain: MirroredDomain, change: MirroredChange)] = []
    private var isDeliveryScheduled = false

    /// Connects to the daemon of a well-known bus.
    ///
    /// - Throws: what the connection throws.
    public convenience init(bus: BusConnection.Bus, loop: any Loop) throws(DBusError) {
        try self.init(try BusConnection(bus: bus), loop)
    }

    /// Connects to the daemon of the bus at an address.
    ///
    /// - Throws: what the connection throws.
    public convenience init(address: String, loop: any Loop) throws(DBusError) {
        try self.init(try BusConnection(address: address), loop)
    }

    private init(_ connection: BusConnection, _ loop: any Loop) throws(DBusError) {
        self.connection = connection
        self.loop = loop
        connection.attach(to: loop)
        let changes = MatchRule(
            sender: WellKnown.busName, path: WellKnown.rootPath, interface: PreferencesInterface.name,
            member: PreferencesInterface.changed)
        try connection.subscribe(changes) { [unowned self] signal in
            guard let change = ChangedSignal(signal.arguments) else { return }
            domains[change.domain]?.take(change)
        }
        let owners = MatchRule(
            sender: .bus, path: .bus, interface: .bus, member: "NameOwnerChanged", arguments: [0: WellKnown.busName.text])
        try connection.subscribe(owners) { [unowned self] signal in
            if case .string(let owner)? = signal.arguments.last, !owner.isEmpty { daemonStarted() }
        }
    }

    deinit { connection.close() }

    /// Mirrors a domain from now on; the same object each time.
    ///
    /// Waits 500 ms at most.
    ///
    /// - Throws: the daemon's error (`InvalidName`, `Unavailable`, `LimitExceeded`), or the bus's where there is no daemon.
    public func watch(_ name: String) throws(DBusError) -> MirroredDomain {
        if let domain = domains[name] { return domain }
        let domain = MirroredDomain(name, self)
        try fetch(domain)
        domains[name] = domain
        return domain
    }

    // MARK: Fetching

    /// Brings a domain up to date; false where that can't be done now.
    func refresh(_ domain: MirroredDomain) -> Bool {
        if let pausedUntil, pausedUntil > .now { return false }
        do throws(DBusError) {
            try fetch(domain)
            pausedUntil = nil
            return true
        } catch {
            // A daemon that hangs must not cost its deadline on every read.
            pausedUntil = .now + Self.pause
            return false
        }
    }

    private func fetch(_ domain: MirroredDomain) throws(DBusError) {
        let deadline = ContinuousClock.now + Self.deadline
        for _ in 0..<Self.attempts {
            if page?.isLive != true { takePage(try? call(PreferencesInterface.generations, [], until: deadline)) }
            let start = domain.startFetch(with: page)
            let reply = try WatchReply(try call(PreferencesInterface.watch, [.string(domain.name)], until: deadline))
            if domain.take(reply, start) { return }
            if reply.instance != page?.instance { page = nil }
        }
    }

    private func call(
        _ member: MemberName, _ arguments: [Value], until deadline: ContinuousClock.Instant
    ) throws(DBusError) -> [Value] {
        let (seconds, attoseconds) = (deadline - .now).components
        let left = seconds * 1_000 + attoseconds / 1_000_000_000_000_000
        guard left > 0 else { throw DBusError(.noReply, "The daemon was not done in \(Self.deadline).") }
        return try connection.call(
            WellKnown.busName, WellKnown.rootPath, PreferencesInterface.name, member, arguments, timeout: Int(left))
    }

    /// Goes over to the page in an answer of `Generations`; where there is none, every read will fetch.
    private func takePage(_ reply: [Value]?) {
        guard case .unixFD(let descriptor)? = reply?.first, let new = GenerationMap(descriptor) else {
            page = nil
            return
        }
        // Asked for twice at once, it is the same page: domains go by the first mapping.
        if let page, page.isLive, page.instance == new.instance { return }
        page = new
    }

    // MARK: Another instance

    /// Subscribes again: the instance before took its subscriptions with it.
    private func daemonStarted() {
        pausedUntil = nil
        connection.send(WellKnown.busName, WellKnown.rootPath, PreferencesInterface.name, PreferencesInterface.generations) {
            [weak self] result in
            guard let self else { return }
            if page?.isLive != true { takePage(try? result.get()) }
            for domain in domains.values { resynchronize(domain, attempts: Self.attempts) }
        }
    }

    private func resynchronize(_ domain: MirroredDomain, attempts: Int) {
        guard attempts > 0, !domain.isCurrent else { return }
        let start = domain.startFetch(with: page)
        connection.send(
            WellKnown.busName, WellKnown.rootPath, PreferencesInterface.name, PreferencesInterface.watch,
            [.string(domain.name)]
        ) { [weak self] result in
            // Where it fails, the instance is gone again and the next one will be noticed; else the next read asks.
            guard let self, case .success(let values) = result, !domain.isNewer(than: start) else { return }
            do throws(DBusError) {
                // A read that fetched meanwhile waited for its own answer, and was given it before this one.
                let reply = try WatchReply(values)
                if domain.isNewer(than: reply) { return }
                if !domain.take(reply, start) { resynchronize(domain, attempts: attempts - 1) }
            } catch {
                // Not what the daemon says; the next read finds out.
            }
        }
    }

    // MARK: Telling

    /// Has the loop tell a change: a read or a handler of the connection is no place for the program's own code.
    func announce(_ change: MirroredChange, of domain: MirroredDomain) {
        if waiting.count >= Self.waitingLimit, let last = waiting.lastIndex(where: { $0.domain === domain }) {
            waiting[last].change.merge(change)
        } else {
            waiting.append((domain, change))
        }
        guard !isDeliveryScheduled else { return }
        isDeliveryScheduled = true
        _ = loop.addBeforeWait { [weak self] in self?.deliver() }
    }

    private func deliver() {
        isDeliveryScheduled = false
        let due = waiting
        waiting = []
        for (domain, change) in due { domain.onChange?(change) }
    }
}

extension MirroredChange {
    /// Adds a later change, so that both are told as one.
    fileprivate mutating func merge(_ later: MirroredChange) {
        for key in later.removed {
            changed[key] = nil
            removed.insert(key)
        }
        for (key, value) in later.changed {
            changed[key] = value
            removed.remove(key)
        }
        revision = later.revision
        writer = later.writer == writer ? writer : ""
    }
}
