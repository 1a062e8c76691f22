import DBusTypes
import Synchronization

/// One who wants to see what a key's value is, and each change of it.
protocol Watcher: AnyObject, Sendable {
    var key: MirrorKey { get }
    /// Takes what is seen now; the same as before is no news.
    func tell(_ reading: RawReading)
    /// Nothing more will come.
    func finish()
}

/// A write that was refused after it had been returned from.
public struct WriteFailure: Sendable, Hashable {
    /// The preferences that it was to change.
    public let keys: [String]
    /// Why it was refused; they have the values again that they had before.
    public let error: DefaultsError
}

/// Those who watch one domain.
///
/// Every element is told on the runtime's thread, with no lock held; watchers leave from any thread.
final class Watchers: Sendable {
    private struct State {
        var watchers: [ObjectIdentifier: any Watcher] = [:]
        var failures: [Int: AsyncStream<WriteFailure>.Continuation] = [:]
        var count = 0
    }

    private let state = Mutex(State())

    var isEmpty: Bool { state.withLock { $0.watchers.isEmpty } }

    func add(_ watcher: any Watcher) { state.withLock { $0.watchers[ObjectIdentifier(watcher)] = watcher } }

    func remove(_ watcher: any Watcher) { state.withLock { $0.watchers[ObjectIdentifier(watcher)] = nil } }

    /// Tells each what `reading` gives for its key, but for those where it gives nothing.
    func tell(_ reading: (MirrorKey) -> RawReading?) {
        let watchers = state.withLock { Array($0.watchers.values) }
        for watcher in watchers {
            if let reading = reading(watcher.key) { watcher.tell(reading) }
        }
    }

    // MARK: Failed writes

    /// Each refused write from now on; the newest 16 where no one takes them.
    func failures() -> AsyncStream<WriteFailure> {
        AsyncStream(bufferingPolicy: .bufferingNewest(16)) { continuation in
            let number = state.withLock { state in
                state.count += 1
                state.failures[state.count] = continuation
                return state.count
            }
            continuation.onTermination = { [weak self] _ in
                self?.state.withLock { _ = $0.failures.removeValue(forKey: number) }
            }
        }
    }

    func tell(_ failure: WriteFailure) {
        let continuations = state.withLock { Array($0.failures.values) }
        for continuation in continuations { continuation.yield(failure) }
    }

    func finish() {
        let (watchers, continuations) = state.withLock { (Array($0.watchers.values), Array($0.failures.values)) }
        for watcher in watchers { watcher.finish() }
        for continuation in continuations { continuation.finish() }
    }
}
