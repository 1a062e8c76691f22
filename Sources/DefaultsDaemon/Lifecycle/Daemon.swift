import CLinux
import DBusTypes
import DefaultsInterface
import DefaultsModel
import DefaultsStore
import EventLoop
import Glibc
import LibDBus

/// The daemon from its start to its end: connect, open the store, export, own the name, say READY, serve, stop.
final class Daemon {
    private let options: DaemonOptions
    private let loop: EventLoop
    private let connection: BusConnection
    private let busLoop: BusLoop
    private let store: StoreService
    private let storeDirectory: String
    private let holder: StoreHolder
    private let clock: any TimeSource
    private let configuration: Configuration
    private let shortWaits: ShortWaits
    private let instance = UInt64.random(in: 1...UInt64.max)
    private var users: Users?
    private var service: Service?
    private var isStopping = false
    private var isReady = false
    private var toldStatus = ""
    /// How long the end waits for a bus that takes no answers, in milliseconds: an end may take a second in all.
    private static let flushTime = 500
    /// How long after the start it is over for good, in nanoseconds.
    private static let settlingTime: Int64 = 2_000_000_000

    /// Connects to the bus; the store is opened by `start`.
    init(_ options: DaemonOptions, storeDirectory: String) throws(StartError) {
        self.options = options
        self.storeDirectory = storeDirectory
        // First: without a bus there is nothing to keep a store's thread for. A bus that never answers keeps this waiting, and
        // the signals that end the daemon must end it then too.
        connection = try Self.connect(options)
        do throws(EventLoopError) {
            try EventLoop.blockSignals([SIGTERM, SIGINT, SIGHUP])
            loop = try EventLoop()
            clock = options.usesTestClock ? TestClock(startingAt: SystemTimeSource.read()) : try SystemTimeSource(loop)
            configuration = try Configuration(folders: options.configuration, on: loop)
            shortWaits = try ShortWaits(loop)
            // The thread of the store wakes the loop, which then takes over what it has done.
            let box = DeliveryBox()
            let wakeUp = try loop.addWakeUp { box.service?.deliver() }.wakeUp
            store = StoreService(wake: { wakeUp.signal() })
            box.service = store
        } catch {
            throw StartError(ExitStatus.software, "The event loop can't be made: \(error).")
        }
        holder = StoreHolder(
            bus: options.address.map { "the bus at \($0)" } ?? (options.mode == .system ? "the system bus" : "the session bus"))
        busLoop = BusLoop(loop) { [loop] error in
            Log.write(.error, "The bus connection can't be watched: \(error).")
            loop.exit(ExitStatus.software)
        }
    }

    private static func connect(_ options: DaemonOptions) throws(StartError) -> BusConnection {
        do throws(DBusError) {
            guard let address = options.address else {
                return try BusConnection(bus: options.mode == .system ? .system : .session)
            }
            let connection = try BusConnection(address: address)
            if options.mode == .system { connection.messageLimit = BusConnection.systemMessageLimit }
            return connection
        } catch {
            throw StartError(ExitStatus.noBus, "There is no bus to serve on: \(error.message)")
        }
    }

    /// Serves until it is stopped; returns the exit status.
    func run() throws(StartError) -> Int32 {
        // However the loop ends: what was accepted is finished, and the store's thread is not left behind.
        defer { store.shutdown() }
        do throws(EventLoopError) {
            for number in [SIGTERM, SIGINT] {
                _ = try loop.addSignal(number) { [unowned self] _ in stop(ExitStatus.success, nil) }
            }
            _ = try loop.addSignal(SIGHUP) { [unowned self] _ in reload() }
            _ = try loop.enableWatchdog()
        } catch {
            throw StartError(ExitStatus.software, "The event loop can't be set up: \(error).")
        }
        connection.onDisconnect = { [unowned self] in stop(ExitStatus.noBus, "The bus went away.") }
        connection.onNameLost = { [unowned self] name in stop(ExitStatus.inUse, "The name \(name) was lost to another program.") }
        loop.defer { [unowned self] in openStore() }
        do throws(EventLoopError) {
            return try loop.run()
        } catch {
            throw StartError(ExitStatus.software, "The event loop failed: \(error).")
        }
    }

    // MARK: Start

    private func openStore() {
        guard options.mode == .session else {
            let users = Users(in: storeDirectory, make: makeSession)
            makeService(users)
            return serve(users)
        }
        let session = makeSession(getuid())
        let users = Users(only: session)
        session.open { [unowned self] result in
            switch result {
            case .success: serve(users)
            case .failure(let error): stop(exitStatus(error), error.message)
            }
        }
        // Meanwhile: what the store's thread has to say comes with a later round of the loop.
        makeService(users)
    }

    private func makeService(_ users: Users) {
        do throws(DBusError) {
            service = try Service(
                connection: connection, loop: busLoop, users: users, clock: clock, instance: instance,
                hasLimits: options.hasLimits, configuration: configuration,
                callersBus: options.mode == .system ? .system : .session)
        } catch {
            stop(ExitStatus.noBus, "The bus refuses the daemon: \(error.message)")
        }
    }

    private func exitStatus(_ error: StoreError) -> Int32 {
        switch error.code {
        case .inUse: ExitStatus.inUse
        case .notADirectory: options.store == nil ? ExitStatus.storeFailed : ExitStatus.cannotCreate
        case .failed where options.store != nil && [ENOENT, ENAMETOOLONG, ENOTDIR].contains(error.systemError):
            ExitStatus.cannotCreate
        case .full, .readOnly, .failed, .damaged, .newerSchema, .closed: ExitStatus.storeFailed
        }
    }

    private func makeSession(_ userID: UInt32) -> UserSession {
        let session = UserSession(
            userID: userID, instance: instance, service: store,
            directory: options.mode == .session ? storeDirectory : Users.folder(of: userID, in: storeDirectory),
            isMadeByWrites: options.mode == .system, holder: holder,
            configuration: configuration, now: { [clock] in clock.now },
            runBeforeWait: { [unowned self] body in runBeforeWait(body) },
            runAfter: { [shortWaits] delay, body in shortWaits.wait(delay, body) })
        session.onStoreState = { [unowned self] in tellStatus() }
        return session
    }

    /// While stopping, the loop waits no more: what would run before it does runs at once.
    private func runBeforeWait(_ body: @escaping () -> Void) {
        if isStopping { body() } else { loop.defer(body) }
    }

    /// Exports first, owns the name second: whoever called the name into being must find its objects.
    private func serve(_ users: Users) {
        guard !isStopping else { return }
        self.users = users
        do throws(DBusError) {
            connection.attach(to: busLoop)
            guard try connection.requestName(WellKnown.busName) == .owned else {
                return stop(ExitStatus.inUse, "The name \(WellKnown.busName) is owned by \(nameOwner()) on this bus.")
            }
        } catch {
            return stop(ExitStatus.noBus, "The bus refuses the daemon: \(error.message)")
        }
        takeUp(users)
    }

    /// Has the countdowns that an earlier run has left go on; only then is the start over (C9).
    ///
    /// On the system bus these are those of the users who have a store; what isn't opened now, or can't be, is when its user calls.
    private func takeUp(_ users: Users) {
        let sessions: [UserSession]
        if let only = users.only {
            sessions = [only]
        } else {
            sessions = UserFolders.list(in: storeDirectory).prefix(Users.openedAtStart).map(users.session)
        }
        var left = sessions.count
        guard left > 0 else { return announceReady(users) }
        for session in sessions {
            session.prepare([]) { [unowned self] result in
                if case .failure(let error) = result {
                    Log.write(.warning, "The store of user \(session.userID) isn't open: \(error.message)")
                }
                left -= 1
                if left == 0 { announceReady(users) }
            }
        }
    }

    private func announceReady(_ users: Users) {
        guard !isStopping else { return }
        let place = users.only?.storePath ?? storeDirectory
        let state = users.only?.storeState?.rawValue ?? "per user"
        Log.write(
            .info, "Serving \(WellKnown.busName) on \(holder.bus), version \(WellKnown.version), store \(place) (\(state)).")
        isReady = true
        configuration.onRead = { [unowned self] in tellStatus() }
        tellStatus()
        notify(.ready)
        settleDown()
    }

    /// Gives back what of the program's files is in memory for the start alone: two thirds of all that is resident.
    ///
    /// Not at once: the call that activated the daemon comes first. What is used again comes from the page cache, at the price of one minor fault for
    /// each 64 KiB. After a backup the store's thread does the same, but not every start is followed by one.
    private func settleDown() {
        do throws(EventLoopError) {
            let timer = try loop.addTimer(on: .monotonic) { clinux_release_file_pages() }
            timer.arm(at: SystemTime.monotonic + Self.settlingTime)
        } catch {
            Log.write(.warning, "What the start has read stays in memory: \(error).")
        }
    }

    /// Tells the service manager in one line how things stand, when that has changed.
    private func tellStatus() {
        guard isReady, !isStopping, let users else { return }
        let status = StatusLine.text(users, configurationErrors: configuration.errors.count)
        guard status != toldStatus else { return }
        toldStatus = status
        notify(.status(status))
    }

    private func nameOwner() -> String {
        let name: Value = .string(WellKnown.busName.text)
        let reply = try? connection.call(
            "org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus", "GetConnectionUnixProcessID", [name],
            timeout: 1_000)
        guard let process = reply?.first?.get(as: UInt32.self) else { return "another program" }
        return "process \(process)"
    }

    // MARK: Stop

    private func reload() {
        notify(.reloading)
        configuration.reload { [self] in notify(.ready) }
    }

    /// Finishes what was accepted, answers it, and ends the loop.
    ///
    /// A reason is logged as an error.
    private func stop(_ status: Int32, _ reason: String?) {
        guard !isStopping else { return }
        isStopping = true
        notify(.stopping)
        connection.isReadingPaused = true
        for session in users?.all ?? [] {
            service?.forgetEndedCountdowns(of: session)
            session.commitNow()
            // The store is free for another daemon before this process ends, and no mirror may go by this one then.
            session.generations.retire()
        }
        store.shutdown()
        if !connection.flush(within: Self.flushTime) {
            Log.write(.warning, "The bus doesn't take the last answers; what they are about is on disk.")
        }
        connection.close()
        if let reason { Log.write(.error, reason) } else { Log.write(.info, "Stopped; all that was accepted is on disk.") }
        loop.exit(status)
    }

    private func notify(_ state: EventLoop.Notification) {
        do throws(EventLoopError) {
            _ = try EventLoop.notify(state)
        } catch {
            Log.write(.warning, "The service manager can't be told of the daemon's state: \(error).")
        }
    }
}

/// Why the daemon can't start.
struct StartError: Error {
    let status: Int32
    let message: String

    init(_ status: Int32, _ message: String) {
        self.status = status
        self.message = message
    }
}

/// Ties the store to the wake-up that must exist before it.
private final class DeliveryBox {
    var service: StoreService?
}
