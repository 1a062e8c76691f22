public import Observation

/// A guide for a UI to bind to: properties that change as the guide does, on the main actor.
///
///     let model = GuideModel(presentation)
///     // in a view: model.state.current.title; in a button: model.advance()
///
/// Letting go of it gives the guide back.
@MainActor @Observable
public final class GuideModel {
    /// Where the guide is.
    public private(set) var state: Presentation.State
    /// The countdown that runs with it; nil where it has none.
    public let countdown: CountdownModel?
    /// Why the last thing that was asked for wasn't done; nil where it was.
    public private(set) var failure: DefaultsError?

    @ObservationIgnored private let presentation: Presentation
    @ObservationIgnored private let following: FollowingTask

    /// Follows a presentation.
    public init(_ presentation: Presentation) {
        self.presentation = presentation
        state = presentation.state
        countdown = presentation.countdown.map { CountdownModel($0) }
        following = FollowingTask()
        following.task = Task { [weak self, states = presentation.makeAsyncIterator()] in
            while let state = await states.next(isolation: #isolation) { self?.state = state }
        }
    }

    /// Turns pages.
    public func advance(by pages: Int = 1) {
        act { presentation async throws(DefaultsError) in try await presentation.advance(by: pages) }
    }

    /// Goes to a page, counted from 0.
    public func goTo(page: Int) { act { presentation async throws(DefaultsError) in try await presentation.goTo(page: page) } }

    /// Ends it.
    public func finish(_ ending: RunEnding) {
        act { presentation async throws(DefaultsError) in try await presentation.finish(ending) }
    }

    private func act(_ body: @escaping @Sendable (Presentation) async throws(DefaultsError) -> Presentation.State) {
        let presentation = presentation
        Task { [weak self] in
            do throws(DefaultsError) {
                _ = try await body(presentation)
                self?.failure = nil
            } catch {
                self?.failure = error
            }
        }
    }
}

/// Cancels a model's task with the model.
final class FollowingTask: @unchecked Sendable {
    // Set once, in the model's initializer.
    var task: Task<Void, Never>?
    deinit { task?.cancel() }
}
