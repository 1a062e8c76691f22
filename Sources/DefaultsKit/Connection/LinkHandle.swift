import Synchronization

/// Keeps a link for as long as anyone uses it.
final class LinkHandle: Sendable {
    private struct Entry {
        weak var handle: LinkHandle?
    }

    private static let handles = Mutex<[Endpoint.Identity: Entry]>([:])

    let link: Link
    private let identity: Endpoint.Identity

    private init(_ endpoint: Endpoint) {
        identity = endpoint.identity
        link = Link(endpoint.makeTransport)
    }

    /// The one handle of an endpoint.
    static func handle(of endpoint: Endpoint) -> LinkHandle {
        handles.withLock { handles in
            if let handle = handles[endpoint.identity]?.handle { return handle }
            let handle = LinkHandle(endpoint)
            handles[endpoint.identity] = Entry(handle: handle)
            return handle
        }
    }

    deinit {
        Self.handles.withLock { [identity] handles in
            if let entry = handles[identity], entry.handle == nil { handles[identity] = nil }
        }
        let link = link
        link.runtime.run { link.release() }
    }
}
