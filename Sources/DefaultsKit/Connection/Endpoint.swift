import Synchronization

/// Where the daemon is that a ``Defaults`` talks to.
///
///     let mine = Defaults(app: "org.example.Editor")
///     let machine = Defaults(app: "org.example.Editor", at: .system)
public struct Endpoint: Sendable {
    /// Tells one from another; equal ones share a connection.
    enum Identity: Hashable, Sendable {
        case bus(BusTransport.Target, connection: Int)
        case other(Int)
    }

    let identity: Identity
    let makeTransport: @Sendable () -> any Transport

    /// The daemon of the user's session.
    public static let session = Endpoint(.session)
    /// The machine's daemon, on the system bus.
    public static let system = Endpoint(.system)

    /// The daemon of the bus at an address, such as `unix:path=/run/user/1000/bus`.
    public static func address(_ address: String) -> Endpoint { Endpoint(.address(address)) }

    /// The same daemon over a connection of its own: another client, as the daemon sees it.
    public func separate() -> Endpoint {
        let number = Self.next()
        return switch identity {
        case .bus(let target, _): Endpoint(target, connection: number)
        case .other: Endpoint(.other(number), makeTransport)
        }
    }

    private init(_ target: BusTransport.Target, connection: Int = 0) {
        self.init(.bus(target, connection: connection)) { BusTransport(target, runtime: .shared) }
    }

    /// A daemon that is reached in another way than over a bus.
    public init(_ makeTransport: @escaping @Sendable () -> any Transport) {
        self.init(.other(Self.next()), makeTransport)
    }

    private init(_ identity: Identity, _ makeTransport: @escaping @Sendable () -> any Transport) {
        self.identity = identity
        self.makeTransport = makeTransport
    }

    private static let numbers = Atomic<Int>(0)

    private static func next() -> Int { numbers.add(1, ordering: .relaxed).newValue }
}
