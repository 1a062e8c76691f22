import Synchronization

/// Where something is that moves on, and how it ended once it has.
protocol FollowedState: Equatable, Sendable {
    /// Whether nothing comes after it.
    var isFinal: Bool { get }
}

/// The newest state of something, and the buffers of those who loop over it.
final class StateBoard<State: FollowedState>: Sendable {
    private struct Contents {
        var state: State?
        var buffers: [Weak] = []
    }

    private struct Weak {
        weak var buffer: StateBuffer<State>?
    }

    private let contents: Mutex<Contents>

    init(_ state: State?) { contents = Mutex(Contents(state: state)) }

    /// The newest state; nil before the first is known.
    var state: State? { contents.withLock { $0.state } }

    /// A buffer that begins with the newest state.
    func makeBuffer() -> StateBuffer<State> {
        contents.withLock { contents in
            let buffer = StateBuffer(contents.state)
            contents.buffers.removeAll { $0.buffer == nil }
            contents.buffers.append(Weak(buffer: buffer))
            return buffer
        }
    }

    /// Tells a new state to all; nothing where it is the same, or after the end.
    func tell(_ state: State) {
        let buffers: [StateBuffer<State>] = contents.withLock { contents in
            guard contents.state != state, contents.state?.isFinal != true else { return [] }
            contents.state = state
            return contents.buffers.compactMap(\.buffer)
        }
        for buffer in buffers { buffer.put(state) }
    }
}

/// The newest state that one loop hasn't taken.
final class StateBuffer<State: FollowedState>: Sendable {
    private struct Contents {
        var newest: State?
        var isStopped = false
        var waiting: CheckedContinuation<State?, Never>?
    }

    private let contents: Mutex<Contents>

    init(_ state: State?) { contents = Mutex(Contents(newest: state)) }

    func put(_ state: State) {
        let waiting = contents.withLock { contents -> CheckedContinuation<State?, Never>? in
            guard !contents.isStopped else { return nil }
            guard let waiting = contents.waiting else {
                contents.newest = state
                return nil
            }
            contents.waiting = nil
            contents.isStopped = state.isFinal
            return waiting
        }
        waiting?.resume(returning: state)
    }

    /// Ends the loop: its task was cancelled.
    func stop() {
        let waiting = contents.withLock { contents in
            contents.isStopped = true
            contents.newest = nil
            defer { contents.waiting = nil }
            return contents.waiting
        }
        waiting?.resume(returning: nil)
    }

    /// The newest state, as soon as there is one; nil after the end.
    ///
    /// Where the task is cancelled, the loop ends and `onCancel` is called.
    func next(onCancel: @escaping @Sendable () -> Void) async -> State? {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let known: State?? = contents.withLock { contents in
                    if let newest = contents.newest {
                        contents.newest = nil
                        contents.isStopped = newest.isFinal
                        return .some(newest)
                    }
                    if contents.isStopped { return .some(nil) }
                    contents.waiting = continuation
                    return nil
                }
                if let known { continuation.resume(returning: known) }
            }
        } onCancel: {
            stop()
            onCancel()
        }
    }
}
