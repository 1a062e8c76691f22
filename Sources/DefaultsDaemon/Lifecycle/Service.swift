import DBusTypes
import DefaultsInterface
import DefaultsModel
import DefaultsStore
import Glibc
import LibDBus

/// All that the daemon serves on a bus, wired together: objects, callers, signals.
final class Service {
    private let connection: BusConnection
    private let users: Users
    private let callers: Callers
    private let pressure: BackPressure
    private let server: ObjectServer
    private let countdowns: CountdownService

    /// Exports every object on `connection`; nothing is dispatched before the loop runs.
    init(
        connection: BusConnection, loop: any Loop, users: Users, clock: any TimeSource, instance: UInt64, hasLimits: Bool,
        configuration: Configuration, callersBus: MachineAuthority.CallersBus
    ) throws(DBusError) {
        self.connection = connection
        self.users = users
        pressure = BackPressure(connection, loop: loop)
        callers = Callers(connection: connection, users: users, pressure: pressure)
        server = ObjectServer(connection)
        let busGUID = try connection.busID()
        let board = CountdownBoard(
            bootID: Self.bootID, busGUID: busGUID, limits: hasLimits ? .standard : .none)
        countdowns = CountdownService(board: board, clock: clock, users: users) {
            [connection, pressure] name, path, member, arguments in
            Self.emit(connection, pressure, path, CountdownInterface.name, member, arguments, to: name)
        }
        let router = RequestRouter(callers: callers, clock: clock, hasLimits: hasLimits)
        var handlers: [any InterfaceHandler] = [
            PreferencesHandler(router: router, instance: instance), LaunchesHandler(router: router, busGUID: busGUID),
            CountdownsHandler(router: router, service: countdowns),
            AdminHandler(router: router, configuration: configuration, instance: instance),
            MachineHandler(
                router: router, authority: MachineAuthority(connection: connection, loop: loop, callersBus: callersBus),
                configuration: configuration),
        ]
        if let clock = clock as? TestClock { handlers.append(TestClockHandler(clock)) }
        server.tooLarge = { member, limit in
            DBusError(
                ErrorNames.limitExceeded, "The answer of \(member) is too large for one message of at most \(limit) bytes.")
        }
        server.export(WellKnown.rootPath, handlers)
        server.exportSubtree(below: WellKnown.countdownsPath, node: CountdownObjects(router: router, service: countdowns))
        configuration.onChange = { [users] completion in users.takeFiles(completion: completion) }
        callers.onGone = { [unowned self] caller in forget(caller) }
        users.onMake = { [unowned self] session in
            session.announce = { [unowned self] session, announcement in announce(announcement, in: session) }
        }
    }

    /// Takes up the countdowns of the users whose stores are open; call it once the name is owned, since they send signals.
    func restoreCountdowns() {
        for session in users.all {
            let owners = countdowns.restore(session.takeCountdowns(), of: session) { [connection] name in
                let reply = try? connection.call(
                    "org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus", "NameHasOwner",
                    [.string(name.text)], timeout: 5_000)
                return reply?.first?.get(as: Bool.self) ?? false
            }
            for owner in owners { callers.track(callers.caller(owner.name)) }
        }
    }

    // MARK: Signals

    private func announce(_ announcement: Announcement, in session: UserSession) {
        switch announcement {
        case .preferencesChanged(let change):
            let watchers = session.watchers.watching(change.domain)
            guard !watchers.isEmpty else { return }
            let arguments: [Value] = [
                .string(change.domain.text), .vardict(change.changed.map { ($0.key.text, $0.value) }),
                .array(change.removed.map(\.text)), .uint64(change.revision), .string(change.writer),
            ]
            for caller in watchers { emit(PreferencesInterface.name, PreferencesInterface.changed, arguments, to: caller) }
        case .locksChanged(let domain, let keys):
            let arguments: [Value] = [.string(domain.text), .array(keys.map(\.text))]
            for caller in session.watchers.watching(domain) {
                emit(PreferencesInterface.name, PreferencesInterface.locksChanged, arguments, to: caller)
            }
        case .launchRecorded(let app, let launch):
            for caller in session.watchers.watching(app) {
                emit(LaunchesInterface.name, LaunchesInterface.recorded, [.string(app.text), launch], to: caller)
            }
        }
    }

    private func emit(_ interface: InterfaceName, _ member: MemberName, _ arguments: [Value], to caller: Caller) {
        Self.emit(connection, pressure, WellKnown.rootPath, interface, member, arguments, to: caller.name)
    }

    /// Sends a signal to one connection.
    ///
    /// One that can't be sent is dropped: it was a hint, the revision tells the truth.
    private static func emit(
        _ connection: BusConnection, _ pressure: BackPressure, _ path: ObjectPath, _ interface: InterfaceName,
        _ member: MemberName, _ arguments: [Value], to name: BusName
    ) {
        guard pressure.allowsSignals else { return }
        do throws(DBusError) {
            try connection.emit(path, interface, member, arguments, to: name)
        } catch {
            if !error.isDisconnected { Log.write(.warning, "Signal \(member) can't be sent to \(name): \(error.message)") }
        }
    }

    // MARK: Callers that leave

    private func forget(_ caller: Caller) {
        if case .user(let session) = caller.identity {
            for domain in caller.watchedDomains { session.unwatch(domain, by: caller) }
            session.sticky.forget(caller: caller.name)
        }
        countdowns.connectionEnded(caller.name)
    }

    /// The kernel's id of this boot: a deadline on CLOCK_BOOTTIME means nothing in another.
    private static var bootID: String {
        guard let file = fopen("/proc/sys/kernel/random/boot_id", "re") else { return "" }
        defer { fclose(file) }
        var buffer = [CChar](repeating: 0, count: 64)
        guard fgets(&buffer, Int32(buffer.count), file) != nil else { return "" }
        let bytes = buffer.prefix { $0 != 0 && $0 != 10 }.map { UInt8(bitPattern: $0) }
        return String(decoding: bytes, as: UTF8.self)
    }
}
