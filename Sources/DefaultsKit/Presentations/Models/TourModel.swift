public import Observation

/// A tour for a UI to bind to: properties that change as the tour does, on the main actor.
///
/// Letting go of it gives the tour back.
@MainActor @Observable
public final class TourModel {
    /// Where the tour is.
    public private(set) var state: TourRun.State
    /// Why the last thing that was asked for wasn't done; nil where it was.
    public private(set) var failure: DefaultsError?

    @ObservationIgnored private let run: TourRun
    @ObservationIgnored private let following: FollowingTask

    /// Follows a tour.
    public init(_ run: TourRun) {
        self.run = run
        state = run.state
        following = FollowingTask()
        following.task = Task { [weak self, states = run.makeAsyncIterator()] in
            while let state = await states.next(isolation: #isolation) { self?.state = state }
        }
    }

    /// Goes on from the step that is shown; twice before it changed is once (T2).
    public func next() {
        let shown = state
        act { run async throws(DefaultsError) in try await run.next(after: shown) }
    }

    /// Goes back one step.
    public func back() { act { run async throws(DefaultsError) in try await run.back() } }

    /// Goes to a step by its id.
    public func goTo(step: String) { act { run async throws(DefaultsError) in try await run.goTo(step: step) } }

    /// Says that the step can't be shown.
    public func stepUnavailable() {
        let shown = state
        act { run async throws(DefaultsError) in try await run.stepUnavailable(shown) }
    }

    /// Ends it.
    public func finish(_ ending: RunEnding) { act { run async throws(DefaultsError) in try await run.finish(ending) } }

    private func act(_ body: @escaping @Sendable (TourRun) async throws(DefaultsError) -> TourRun.State) {
        let run = run
        Task { [weak self] in
            do throws(DefaultsError) {
                _ = try await body(run)
                self?.failure = nil
            } catch {
                self?.failure = error
            }
        }
    }
}
