import DBusTypes

/// A tour on the screen, step by step.
///
///     guard case .show(let tour) = await defaults.start(tour: "toolbar") else { return }
///     for await state in tour {
///         guard let widget = find(state.step.target) else {
///             try await tour.stepUnavailable(state)
///             continue
///         }
///         bubble.show(state.step.content, at: widget) { Task { try? await tour.next(after: state) } }
///     }
///     bubble.close()
///
/// The loop's first element is the current step, its last the one with the outcome. Cancelling a task that loops over it gives the tour
/// back, and so does letting go of it. While the daemon is away it goes on here as far as the steps are known, which they are where this
/// process has defined the tour, and the daemon is told when it is back.
public final class TourRun: AsyncSequence, Sendable {
    private let run: HeldRun<LocalTour>

    init(_ follower: RunFollower<LocalTour>, _ handle: LinkHandle, _ initial: State) {
        run = HeldRun(follower, handle, initial)
    }

    /// Where it is now.
    public var state: State { run.state }

    /// How it ended; nil while it is presented.
    public var outcome: Outcome? { state.outcome }

    /// The state now and each newest one after it.
    public func makeAsyncIterator() -> Iterator { Iterator(tour: self, buffer: run.makeBuffer()) }

    /// One loop's place in the states.
    public struct Iterator: AsyncIteratorProtocol {
        fileprivate let tour: TourRun
        fileprivate let buffer: StateBuffer<State>

        /// The newest state not seen yet, as soon as there is one; nil after the end.
        ///
        /// Where the task is cancelled, the tour is given back.
        public func next() async -> State? { await next(isolation: nil) }

        /// The newest state not seen yet, as soon as there is one; nil after the end.
        ///
        /// Where the task is cancelled, the tour is given back.
        public func next(isolation actor: isolated (any Actor)?) async -> State? {
            await tour.run.next(buffer)
        }
    }

    /// Goes on from the step that was shown, to the end from the last; a second time for the same state changes nothing (T2).
    ///
    /// - Throws: `unreachable` where the daemon is away and the next step isn't known here; what the daemon answers.
    @discardableResult
    public func next(after shown: State) async throws(DefaultsError) -> State {
        try await run.act(.next(step: shown.step.id, sequence: shown.sequence))
    }

    /// Goes back one step; on the first nothing changes (T3).
    ///
    /// - Throws: as ``next(after:)``.
    @discardableResult
    public func back() async throws(DefaultsError) -> State { try await run.act(.back) }

    /// Goes to a step by its id.
    ///
    /// - Throws: `notFound` where there is no such step, else as ``next(after:)``.
    @discardableResult
    public func goTo(step: String) async throws(DefaultsError) -> State { try await run.act(.goTo(step)) }

    /// Says that a step can't be shown, because its target isn't there: on in the direction of travel (T5).
    ///
    /// - Throws: as ``next(after:)``.
    @discardableResult
    public func stepUnavailable(_ shown: State) async throws(DefaultsError) -> State {
        try await run.act(.stepUnavailable(shown.step.id))
    }

    /// Ends it; the first outcome wins, and is in what this returns (G8).
    @discardableResult
    public func finish(_ ending: RunEnding) async throws(DefaultsError) -> State { try await run.act(.finish(ending)) }
}

/// Whether to show a tour now.
public enum TourDecision: Sendable {
    /// Show it: this program is its presenter.
    case show(TourRun)
    /// Show nothing.
    case skip(SkipReason)
}
