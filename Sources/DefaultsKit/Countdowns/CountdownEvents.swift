import Synchronization

/// What one countdown has told so far, and the buffers of those who loop over it.
final class CountdownEvents: Sendable {
    private struct State {
        var tick: Countdown.Tick?
        var isSkipAvailable = false
        var reason: Countdown.Reason?
        var failure: DefaultsError?
        var buffers: [Weak] = []
    }

    private struct Weak {
        weak var buffer: CountdownBuffer?
    }

    private let state = Mutex(State())

    var tick: Countdown.Tick? { state.withLock { $0.tick } }
    var reason: Countdown.Reason? { state.withLock { $0.reason } }
    var failure: DefaultsError? { state.withLock { $0.failure } }

    /// A buffer that begins with where the countdown is.
    func makeBuffer() -> CountdownBuffer {
        state.withLock { state in
            let buffer = CountdownBuffer(state.tick, state.isSkipAvailable, state.reason)
            state.buffers.removeAll { $0.buffer == nil }
            state.buffers.append(Weak(buffer: buffer))
            return buffer
        }
    }

    /// Tells an event to all; nothing after the end.
    func tell(_ event: Countdown.Event, failure: DefaultsError? = nil) {
        let buffers: [CountdownBuffer] = state.withLock { state in
            guard state.reason == nil else { return [] }
            switch event {
            case .tick(let tick): state.tick = tick
            case .skipAvailable: state.isSkipAvailable = true
            case .finished(let reason):
                state.reason = reason
                state.failure = failure
            }
            return state.buffers.compactMap(\.buffer)
        }
        for buffer in buffers { buffer.put(event) }
    }
}

/// What one loop hasn't taken: the newest tick, and what comes once.
final class CountdownBuffer: Sendable {
    private struct State {
        var tick: Countdown.Tick?
        var isSkipAvailable: Bool
        var reason: Countdown.Reason?
        var isStopped = false
        var waiting: CheckedContinuation<Countdown.Event?, Never>?

        /// What is due: a tick, then that it can be skipped, then the end.
        mutating func take() -> Countdown.Event? {
            if let tick {
                self.tick = nil
                return .tick(tick)
            }
            if isSkipAvailable {
                isSkipAvailable = false
                return .skipAvailable
            }
            guard let reason else { return nil }
            self.reason = nil
            isStopped = true
            return .finished(reason)
        }
    }

    private let state: Mutex<State>

    init(_ tick: Countdown.Tick?, _ isSkipAvailable: Bool, _ reason: Countdown.Reason?) {
        state = Mutex(State(tick: tick, isSkipAvailable: isSkipAvailable, reason: reason))
    }

    func put(_ event: Countdown.Event) {
        let (waiting, due) = state.withLock { state -> (CheckedContinuation<Countdown.Event?, Never>?, Countdown.Event?) in
            switch event {
            case .tick(let new):
                // One that was never taken counts as missed, with those that it stood for.
                let skipped = state.tick.map { $0.missed + 1 } ?? 0
                state.tick = Countdown.Tick(
                    remainingTicks: new.remainingTicks, remaining: new.remaining, missed: new.missed + skipped)
            case .skipAvailable: state.isSkipAvailable = true
            case .finished(let reason): state.reason = reason
            }
            guard let waiting = state.waiting else { return (nil, nil) }
            state.waiting = nil
            return (waiting, state.take())
        }
        waiting?.resume(returning: due)
    }

    /// Ends the loop: its task was cancelled.
    func stop() {
        let waiting = state.withLock { state in
            state.isStopped = true
            defer { state.waiting = nil }
            return state.waiting
        }
        waiting?.resume(returning: nil)
    }

    func next() async -> Countdown.Event? {
        await withCheckedContinuation { continuation in
            let known: Countdown.Event?? = state.withLock { state in
                if state.isStopped { return .some(nil) }
                if let event = state.take() { return .some(event) }
                state.waiting = continuation
                return nil
            }
            if let known { continuation.resume(returning: known) }
        }
    }
}
