import CLinux
import DBusTypes
import DefaultsInterface
import Glibc
import LibDBus

/// The daemon on a bus, over a connection of this process's own.
final class BusTransport: Transport, @unchecked Sendable {
    // Used on the runtime's thread; the connecting thread only carries a new connection there.

    /// Which bus.
    enum Target: Hashable, Sendable {
        case session
        case system
        case address(String)
    }

    /// A connection on its way from the thread that made it, which keeps nothing of it.
    private struct Carried: @unchecked Sendable {
        let result: Result<BusConnection, DBusError>
    }

    var onEvent: ((TransportEvent) -> Void)?
    private let target: Target
    private let runtime: Runtime
    private var connection: BusConnection?
    private var isClosed = false

    init(_ target: Target, runtime: Runtime) {
        self.target = target
        self.runtime = runtime
    }

    /// Connects on a thread of its own: a bus that hangs must not hold up other buses, nor local countdowns.
    func connect() {
        let job = Unmanaged.passRetained(self)
        var thread = pthread_t()
        let failure = pthread_create(
            &thread, nil,
            { context in
                if let context { Unmanaged<BusTransport>.fromOpaque(context).takeRetainedValue().open() }
                return nil
            }, job.toOpaque())
        guard failure == 0 else {
            job.release()
            runtime.run { [self] in onEvent?(.disconnected) }
            return
        }
        pthread_detach(thread)
    }

    private func open() {
        clinux_name_thread("defaultskit-bus")
        let result = Result { () throws(DBusError) in
            switch target {
            case .session: try BusConnection(bus: .session)
            case .system: try BusConnection(bus: .system)
            case .address(let address): try BusConnection(address: address)
            }
        }
        let carried = Carried(result: result)
        runtime.run { [self] in take(carried.result) }
    }

    private func take(_ result: Result<BusConnection, DBusError>) {
        guard case .success(let connection) = result else {
            if !isClosed { onEvent?(.disconnected) }
            return
        }
        guard !isClosed else { return connection.close() }
        self.connection = connection
        connection.onDisconnect = { [weak self] in self?.lost() }
        connection.attach(to: runtime.loop)
        subscribe(connection)
    }

    private func subscribe(_ connection: BusConnection) {
        var missing = 3
        var owner: BusName?
        // What came before the first answer to "who is it" is told with it.
        let done = { [weak self] (isDone: Bool) in
            guard let self, self.connection === connection else { return }
            guard isDone else { return self.lost() }
            missing -= 1
            guard missing == 0 else { return }
            onEvent?(.connected(connection.uniqueName))
            onEvent?(.owner(owner))
        }
        let owners = MatchRule(
            sender: .bus, path: .bus, interface: .bus, member: "NameOwnerChanged", arguments: [0: WellKnown.busName.text])
        connection.subscribe(owners) { [weak self] signal in
            guard case .string(let text)? = signal.arguments.last else { return }
            owner = BusName(text)
            if missing == 0 { self?.onEvent?(.owner(owner)) }
        } completion: {
            done((try? $0.get()) != nil)
        }
        // All of the daemon's signals come to this connection alone; the binding checks that their sender is the name's owner.
        connection.subscribe(MatchRule(sender: WellKnown.busName)) { [weak self] signal in
            guard missing == 0 else { return }
            self?.onEvent?(
                .signal(path: signal.path, interface: signal.interface, member: signal.member, arguments: signal.arguments))
        } completion: {
            done((try? $0.get()) != nil)
        }
        connection.send(.bus, .bus, .bus, "GetNameOwner", [.string(WellKnown.busName.text)]) { result in
            switch result {
            case .success(let answer):
                if case .string(let text)? = answer.first { owner = BusName(text) }
                done(true)
            case .failure(let error):
                done(error.name == .nameHasNoOwner)
            }
        }
    }

    func call(
        _ path: ObjectPath, _ interface: InterfaceName, _ member: MemberName, _ arguments: [Value], timeout milliseconds: Int,
        completion: @escaping (Result<[Value], DBusError>) -> Void
    ) {
        guard let connection else {
            _ = runtime.loop.addBeforeWait {
                completion(.failure(DBusError(.disconnected, "The connection to the bus is lost.")))
            }
            return
        }
        connection.send(WellKnown.busName, path, interface, member, arguments, timeout: milliseconds, completion: completion)
    }

    private func lost() {
        guard connection != nil else { return }
        let event = onEvent
        close()
        event?(.disconnected)
    }

    func close() {
        isClosed = true
        onEvent = nil
        guard let connection else { return }
        self.connection = nil
        // This may be one of its handlers.
        _ = runtime.loop.addBeforeWait { connection.close() }
    }
}
