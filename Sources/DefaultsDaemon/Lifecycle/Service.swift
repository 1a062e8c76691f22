import DBusTypes
import DefaultsInterface
import DefaultsModel
import DefaultsStore
import Glibc
import LibDBus

/// All that the daemon serves on a bus, wired together: objects, callers, signals.
final class Service {
    /// What may wait for the bus, in bytes, before requests are left unread and signals dropped (P12).
    private static let outgoingLimit = 16 << 20

    private let connection: BusConnection
    private let users: Users
    private let callers: Callers
    private let server: ObjectServer
    private let countdowns: CountdownService
    private let presentations: PresentationService
    private let alarms: Alarms
    private let lazyWrites: LazyWrites
    private let tipStatuses: TipStatuses

    /// Exports every object on `connection`; nothing is dispatched before the loop runs.
    init(
        connection: BusConnection, loop: any Loop, users: Users, clock: any TimeSource, instance: UInt64, hasLimits: Bool,
        configuration: Configuration, callersBus: MachineAuthority.CallersBus
    ) throws(DBusError) {
        self.connection = connection
        self.users = users
        connection.outgoingLimit = Self.outgoingLimit
        callers = Callers(connection: connection, users: users)
        server = ObjectServer(connection)
        let busGUID = try connection.busID()
        let board = CountdownBoard(
            bootID: Self.bootID, busGUID: busGUID, limits: hasLimits ? .standard : .none)
        alarms = Alarms(clock)
        // A test's clock tells all that is due at its moment before it goes on.
        let whenRoom: ((@escaping () -> Void) -> Void)? = clock is TestClock ? nil : { connection.whenRoomToSend($0) }
        countdowns = CountdownService(board: board, clock: clock, alarms: alarms, users: users, whenRoom: whenRoom) {
            [connection] name, path, member, arguments in
            Self.emit(connection, path, CountdownInterface.name, member, arguments, to: name)
        }
        let router = RequestRouter(callers: callers, clock: clock, busGUID: busGUID, hasLimits: hasLimits)
        presentations = PresentationService(router: router, users: users, alarms: alarms)
        router.onBegin = { [presentations] session in presentations.rearm(session) }
        lazyWrites = LazyWrites(clock: clock, alarms: alarms)
        tipStatuses = TipStatuses(
            clock: clock, alarms: alarms, caller: ConnectionName(bus: busGUID, name: connection.uniqueName))
        let admission = Admission(callers: callers, hasLimits: hasLimits)
        // What is about one user's data, and so what root finds at every user's object.
        let personal: [any InterfaceHandler] = [
            PreferencesHandler(router: router, instance: instance), LaunchesHandler(router: router),
            CountdownsHandler(router: router, service: countdowns),
            GuidesHandler(router: router, countdowns: countdowns),
            ToursHandler(router: router), TipsHandler(router: router),
            AdminHandler(router: router, configuration: configuration, instance: instance),
        ].map(admission.guarding)
        var common: [any InterfaceHandler] = [
            MachineHandler(
                router: router, authority: MachineAuthority(connection: connection, loop: loop, callersBus: callersBus),
                configuration: configuration)
        ]
        if let clock = clock as? TestClock { common.append(TestClockHandler(clock)) }
        server.tooLarge = { member, limit in
            DBusError(
                ErrorNames.limitExceeded, "The answer of \(member) is too large for one message of at most \(limit) bytes.")
        }
        // A value of 1 MiB holds at most 524,288 others (an array of empty signatures); normal calls stay far below.
        server.valueLimit = hasLimits ? 600_000 : .max
        server.tooManyValues = { member, limit in
            DBusError(
                ErrorNames.limitExceeded, "The call of \(member) holds more than \(limit) values, those in containers counted.")
        }
        server.export(WellKnown.rootPath, personal + common.map(admission.guarding))
        server.exportSubtree(
            below: WellKnown.countdownsPath, node: CountdownObjects(router: router, service: countdowns, admission: admission))
        if callersBus == .system {
            server.exportSubtree(below: WellKnown.usersPath, node: UserObjects(callers: callers, handlers: personal))
        }
        configuration.onChange = { [users] completion in users.takeFiles(completion: completion) }
        countdowns.onFinish = { [unowned self] id, owner, reason in
            presentations.countdownEnded(id.recordKey, reason, in: users.session(of: owner.user))
        }
        tipStatuses.onChange = { [unowned self] session, app, status in announce(status, of: app, in: session) }
        callers.onGone = { [unowned self] caller in forget(caller) }
        users.onMake = { [unowned self] session in
            session.announce = { [unowned self] session, announcement in announce(announcement, in: session) }
            session.onOpen = { [unowned self] in self.users.closeUnused() }
            session.isNeeded = { [unowned self, unowned session] in countdowns.board.hasLive(user: session.userID) }
            session.takeUp = { [unowned self] session, countdowns, completion in
                takeUp(countdowns, of: session, completion: completion)
            }
            session.onLazyRows = { [lazyWrites] session in lazyWrites.begin(session) }
            session.onSettled = { [tipStatuses] session, outcome in tipStatuses.settled(outcome, in: session) }
            session.onWatchChange = { [tipStatuses] session, domain in tipStatuses.watchChanged(domain, in: session) }
            session.onReplace = { [tipStatuses] session, domain in tipStatuses.replaced(domain, in: session) }
        }
    }

    /// Takes up the countdowns that an earlier run has left in a user's store (C9).
    ///
    /// It sends signals, so the name must be owned. Where the bus doesn't say who is on it, they stay on disk for the next start.
    private func takeUp(_ countdowns: [String: Value], of session: UserSession, completion: @escaping () -> Void) {
        connection.send("org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus", "ListNames") { [self] result in
            switch result.map({ $0.first?.get(as: [String].self) }) {
            case .success(let names?):
                let connected = Set(names)
                let owners = self.countdowns.restore(countdowns, of: session) { connected.contains($0.text) }
                for owner in owners { callers.track(callers.caller(owner.name)) }
                return presentations.restore(session, connected: connected, completion: completion)
            case .success(nil):
                Log.write(.warning, "Countdowns of user \(session.userID) wait for a restart: the bus has listed no names.")
            case .failure(let error):
                Log.write(.warning, "Countdowns of user \(session.userID) wait for a restart: \(error.message)")
            }
            completion()
        }
    }

    /// Has the records removed that the countdowns of a user have left for the next write: there will be none.
    func forgetEndedCountdowns(of session: UserSession) { countdowns.forgetEnded(of: session) }

    // MARK: Signals

    private func announce(_ announcement: Announcement, in session: UserSession) {
        switch announcement {
        case .preferencesChanged(let change):
            let watchers = session.watchers.watching(change.domain)
            guard !watchers.isEmpty else { return }
            let arguments: [Value] = [
                .string(change.domain.text), .vardict(change.changed.map { ($0.key.text, $0.stored.value) }),
                .array(change.removed.map(\.text)), .uint64(change.revision), .string(change.writer),
            ]
            for caller in watchers {
                emit(PreferencesInterface.name, PreferencesInterface.changed, arguments, to: caller, in: session)
            }
        case .locksChanged(let domain, let keys):
            let arguments: [Value] = [.string(domain.text), .array(keys.map(\.text))]
            for caller in session.watchers.watching(domain) {
                emit(PreferencesInterface.name, PreferencesInterface.locksChanged, arguments, to: caller, in: session)
            }
        case .launchRecorded(let app, let launch):
            for caller in session.watchers.watching(app) {
                emit(LaunchesInterface.name, LaunchesInterface.recorded, [.string(app.text), launch], to: caller, in: session)
            }
        case .presentation(let signal):
            announce(signal, in: session)
        case .countdownBegins(let start):
            countdowns.begin(start)
        case .countdownEnds(let recordKey, let reason):
            countdowns.end(recordKey, reason, in: session)
        }
    }

    /// Tells those who watch the application, and the presenter, once each.
    private func announce(_ signal: PresentationSignal, in session: UserSession) {
        let message = signal.message
        let watchers = session.watchers.watching(signal.app)
        for caller in watchers { emit(message.interface, message.member, message.arguments, to: caller, in: session) }
        let presenter = signal.presenter.name
        if !watchers.contains(where: { $0.name == presenter }) {
            let path = path(of: session, for: callers.find(presenter))
            Self.emit(connection, path, message.interface, message.member, message.arguments, to: presenter)
        }
        presentations.rearm(session)
    }

    /// Tells those who watch the application how one of its tips is now.
    private func announce(_ status: TipStatus, of app: DomainName, in session: UserSession) {
        let arguments: [Value] = [
            .string(app.text), .string(status.tip.text), .boolean(status.isAvailable), .string(status.reason),
        ]
        for caller in session.watchers.watching(app) {
            emit(TipsInterface.name, TipsInterface.statusChanged, arguments, to: caller, in: session)
        }
    }

    /// Sends a signal from the object with the user's data: the root object, or another user's for root.
    private func emit(
        _ interface: InterfaceName, _ member: MemberName, _ arguments: [Value], to caller: Caller, in session: UserSession
    ) {
        Self.emit(connection, path(of: session, for: caller), interface, member, arguments, to: caller.name)
    }

    private func path(of session: UserSession, for caller: Caller?) -> ObjectPath {
        guard let own = caller?.session, own !== session else { return WellKnown.rootPath }
        return WellKnown.userPath(session.userID)
    }

    /// Sends a signal to one connection.
    ///
    /// One that can't be sent is dropped: it was a hint, the revision tells the truth.
    private static func emit(
        _ connection: BusConnection, _ path: ObjectPath, _ interface: InterfaceName, _ member: MemberName, _ arguments: [Value],
        to name: BusName
    ) {
        guard !connection.isCongested else { return }
        do throws(DBusError) {
            try connection.emit(path, interface, member, arguments, to: name)
        } catch {
            if !error.isDisconnected { Log.write(.warning, "Signal \(member) can't be sent to \(name): \(error.message)") }
        }
    }

    // MARK: Callers that leave

    private func forget(_ caller: Caller) {
        for session in caller.sessions {
            for domain in caller.watchedDomains[session.userID] ?? [] { session.unwatch(domain, by: caller) }
            session.sticky.forget(caller: caller.name)
        }
        countdowns.connectionEnded(caller.name)
        presentations.connectionEnded(caller)
    }

    /// The kernel's id of this boot: a deadline on CLOCK_BOOTTIME means nothing in another.
    private static var bootID: String {
        // Where a sandbox hides it, each run is a boot of its own: a countdown is rather forgotten than taken up after a reboot.
        let unknown = "unknown-\(UInt64.random(in: .min ... .max))"
        guard let file = fopen("/proc/sys/kernel/random/boot_id", "re") else { return unknown }
        defer { fclose(file) }
        var buffer = [CChar](repeating: 0, count: 64)
        guard fgets(&buffer, Int32(buffer.count), file) != nil else { return unknown }
        let bytes = buffer.prefix { $0 != 0 && $0 != 10 }.map { UInt8(bitPattern: $0) }
        return String(decoding: bytes, as: UTF8.self)
    }
}
