import DBusTypes
import DefaultsKit
import LibDBus

/// One client's connection to a daemon in memory.
///
/// On the client's thread, like the core. What the daemon sends comes in order, and never from within a call.
final class MemoryTransport: Transport, @unchecked Sendable {
    // Used on the client's thread alone.

    var onEvent: ((TransportEvent) -> Void)?
    private let core: MemoryCore
    private(set) var client: MemoryClient?
    private var isClosed = false

    init(_ core: MemoryCore) { self.core = core }

    func connect() {
        later { [self] in
            let client = core.join(self)
            self.client = client
            onEvent?(.connected(client.name))
            onEvent?(.owner(core.ownerName))
        }
    }

    func call(
        _ path: ObjectPath, _ interface: InterfaceName, _ member: MemberName, _ arguments: [Value], timeout milliseconds: Int,
        completion: @escaping (Result<[Value], DBusError>) -> Void
    ) {
        let answer = Answer(completion)
        later { [self] in
            guard let client else { return }
            core.handle(MemoryCall(client: client, path: path, interface: interface, member: member, arguments: arguments)) {
                result in
                self.later { answer.give(result) }
            }
        }
    }

    /// Sends an event behind all that was sent before.
    func send(_ event: TransportEvent) {
        let event = Sent(event: event)
        later { [self] in onEvent?(event.event) }
    }

    func close() {
        isClosed = true
        onEvent = nil
        if let client { core.leave(client) }
    }

    private func later(_ job: @escaping @Sendable () -> Void) {
        core.runtime.run { [self] in if !isClosed { job() } }
    }

    /// A completion on its way to where it came from: the client's thread.
    private struct Answer: @unchecked Sendable {
        let give: (Result<[Value], DBusError>) -> Void
        init(_ give: @escaping (Result<[Value], DBusError>) -> Void) { self.give = give }
    }

    /// An event on its way within one thread.
    private struct Sent: @unchecked Sendable {
        let event: TransportEvent
    }
}

/// One client as the daemon in memory knows it.
final class MemoryClient {
    let name: BusName
    let number: UInt64
    weak var transport: MemoryTransport?
    var watched: Set<String> = []

    init(_ name: BusName, _ number: UInt64, _ transport: MemoryTransport) {
        self.name = name
        self.number = number
        self.transport = transport
    }
}

/// One call of one client.
struct MemoryCall {
    let client: MemoryClient
    let path: ObjectPath
    let interface: InterfaceName
    let member: MemberName
    let arguments: [Value]
}
