import Synchronization

/// A write that this process sees already and that is on its way to the disk.
///
///     defaults.set(.dark, for: .theme)                     // goes on at once
///     try await defaults.set(.dark, for: .theme).onDisk()  // goes on when it can't be lost any more
public final class PendingWrite: Sendable {
    private struct State {
        var result: Result<Void, DefaultsError>?
        /// There was no daemon for a while.
        var isHopeless = false
        var waiting: [CheckedContinuation<Result<Void, DefaultsError>, Never>] = []
    }

    private let state = Mutex(State())

    init() {}

    /// A write that was refused before it began.
    init(failure: DefaultsError) { finish(.failure(failure)) }

    /// Returns when the write is on disk: no crash or power cut takes it back (P7).
    ///
    /// - Throws: what the daemon refused it with (`locked`, `storageFull`, `typeMismatch` …); the write is then undone here too. `unreachable`
    ///   where there has been no daemon for 500 ms: the write stays in line, and reaches the daemon if it comes back in this process's
    ///   life.
    public func onDisk() async throws(DefaultsError) {
        let result = await withCheckedContinuation { continuation in
            let known: Result<Void, DefaultsError>? = state.withLock { state in
                if let result = state.result { return result }
                if state.isHopeless { return .failure(.unreachable) }
                state.waiting.append(continuation)
                return nil
            }
            if let known { continuation.resume(returning: known) }
        }
        try result.get()
    }

    func finish(_ result: Result<Void, DefaultsError>) {
        let waiting = state.withLock { state in
            state.result = state.result ?? result
            defer { state.waiting = [] }
            return state.waiting
        }
        for continuation in waiting { continuation.resume(returning: result) }
    }

    func losePatience() {
        let waiting = state.withLock { state in
            state.isHopeless = true
            defer { state.waiting = [] }
            return state.waiting
        }
        for continuation in waiting { continuation.resume(returning: .failure(.unreachable)) }
    }
}
