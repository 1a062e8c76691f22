public import Observation

/// A countdown for a UI to bind to: properties that change as it ticks, on the main actor.
///
/// Letting go of it cancels the countdown.
@MainActor @Observable
public final class CountdownModel {
    /// The newest tick; nil before the first.
    public private(set) var tick: Countdown.Tick?
    /// Whether it said that it can be skipped from now on; only one with `skippableAfter` says so.
    public private(set) var isSkipAvailable = false
    /// Why it ended; nil while it lives.
    public private(set) var reason: Countdown.Reason?
    /// Why the last skip was refused; nil where it wasn't.
    public private(set) var failure: DefaultsError?

    @ObservationIgnored private let countdown: Countdown
    @ObservationIgnored private let following: FollowingTask

    /// Follows a countdown.
    public init(_ countdown: Countdown) {
        self.countdown = countdown
        reason = countdown.reason
        following = FollowingTask()
        following.task = Task { [weak self, events = countdown.makeAsyncIterator()] in
            while let event = await events.next(isolation: #isolation) { self?.take(event) }
        }
    }

    private func take(_ event: Countdown.Event) {
        switch event {
        case .tick(let tick): self.tick = tick
        case .skipAvailable: isSkipAvailable = true
        case .finished(let reason): self.reason = reason
        }
    }

    /// Ends it as skipped.
    public func skip() {
        let countdown = countdown
        Task { [weak self] in
            do throws(DefaultsError) {
                try await countdown.skip()
                self?.failure = nil
            } catch {
                self?.failure = error
            }
        }
    }
}
