import DBusTypes
import Synchronization

/// The values of one preference as they change, beginning with the current one; it ends with the task that loops over it.
public struct Watch<Value: DefaultsValue, Element: Sendable>: AsyncSequence, Sendable {
    private let defaults: Defaults
    private let key: MirrorKey
    private let tellsUnknown: Bool
    private let transform: @Sendable (RawReading) -> Element

    init(
        _ defaults: Defaults, _ key: Key<Value>, tellsUnknown: Bool, _ transform: @escaping @Sendable (RawReading) -> Element
    ) {
        self.defaults = defaults
        self.key = key.hashed.key
        self.tellsUnknown = tellsUnknown
        self.transform = transform
    }

    /// Begins to watch.
    public func makeAsyncIterator() -> Iterator {
        let buffer = WatchBuffer(key, tellsUnknown: tellsUnknown)
        defaults.domain.watch(buffer)
        return Iterator(watching: Watching(buffer, defaults), transform: transform)
    }

    /// One loop's place in the sequence.
    public struct Iterator: AsyncIteratorProtocol {
        fileprivate let watching: Watching
        fileprivate let transform: @Sendable (RawReading) -> Element

        /// The newest value not seen yet, as soon as there is one; nil once the task is cancelled.
        public func next() async -> Element? { await watching.buffer.next().map(transform) }

        /// The newest value not seen yet, as soon as there is one; nil once the task is cancelled.
        public func next(isolation actor: isolated (any Actor)?) async -> Element? {
            await watching.buffer.next().map(transform)
        }
    }
}

/// Ends the watching when the last who does it goes.
private final class Watching: Sendable {
    let buffer: WatchBuffer
    private let defaults: Defaults

    init(_ buffer: WatchBuffer, _ defaults: Defaults) {
        self.buffer = buffer
        self.defaults = defaults
    }

    deinit { defaults.domain.watchers.remove(buffer) }
}

/// The newest value that one watcher hasn't taken.
final class WatchBuffer: Watcher {
    private struct State {
        var newest: RawReading?
        /// What was put into `newest` last.
        var last: RawReading?
        var waiting: CheckedContinuation<RawReading?, Never>?
        var isFinished = false
    }

    let key: MirrorKey
    /// Whether it is news that an absent value is now known to be absent.
    private let tellsUnknown: Bool
    private let state = Mutex(State())

    init(_ key: MirrorKey, tellsUnknown: Bool) {
        self.key = key
        self.tellsUnknown = tellsUnknown
    }

    func tell(_ reading: RawReading) {
        let waiting = state.withLock { state -> CheckedContinuation<RawReading?, Never>? in
            if let last = state.last, last.value == reading.value, last.isKnown == reading.isKnown || !tellsUnknown { return nil }
            state.last = reading
            guard let waiting = state.waiting else {
                state.newest = reading
                return nil
            }
            state.waiting = nil
            return waiting
        }
        waiting?.resume(returning: reading)
    }

    func finish() {
        let waiting = state.withLock { state in
            state.isFinished = true
            defer { state.waiting = nil }
            return state.waiting
        }
        waiting?.resume(returning: nil)
    }

    func next() async -> RawReading? {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let known: RawReading?? = state.withLock { state in
                    if let newest = state.newest {
                        state.newest = nil
                        return .some(newest)
                    }
                    if state.isFinished || Task.isCancelled { return .some(nil) }
                    state.waiting = continuation
                    return nil
                }
                if let known { continuation.resume(returning: known) }
            }
        } onCancel: {
            finish()
        }
    }
}
