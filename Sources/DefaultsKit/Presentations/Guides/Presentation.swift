import DBusTypes

/// A guide on the screen: this program shows the page, and reports what the user does.
///
///     guard case .show(let presentation) = await defaults.present(guide: "welcome") else { return }
///     nextButton.onClick { Task { try? await presentation.advance() } }
///     for await state in presentation {
///         show(state.current, dots: state.count, selected: state.page)
///         nextButton.isVisible = state.isButtonVisible
///     }
///     close()
///
/// The loop's first element is the current state, its last the one with the outcome. Cancelling a task that loops over it gives the guide
/// back, and so does letting go of it. While the daemon is away it goes on here, and the daemon is told when it is back.
public final class Presentation: AsyncSequence, Sendable {
    private let run: HeldRun<LocalGuide>
    /// The countdown that runs with it; nil where it has none.
    public let countdown: Countdown?

    init(_ follower: RunFollower<LocalGuide>, _ countdown: CountdownRun?, _ handle: LinkHandle, _ initial: State) {
        run = HeldRun(follower, handle, initial)
        self.countdown = countdown.map { Countdown($0, handle) }
    }

    /// Where it is now.
    public var state: State { run.state }

    /// How it ended; nil while it is presented.
    public var outcome: Outcome? { state.outcome }

    /// The state now and each newest one after it.
    public func makeAsyncIterator() -> Iterator { Iterator(presentation: self, buffer: run.makeBuffer()) }

    /// One loop's place in the states.
    public struct Iterator: AsyncIteratorProtocol {
        fileprivate let presentation: Presentation
        fileprivate let buffer: StateBuffer<State>

        /// The newest state not seen yet, as soon as there is one; nil after the end.
        ///
        /// Where the task is cancelled, the guide is given back.
        public func next() async -> State? { await next(isolation: nil) }

        /// The newest state not seen yet, as soon as there is one; nil after the end.
        ///
        /// Where the task is cancelled, the guide is given back.
        public func next(isolation actor: isolated (any Actor)?) async -> State? {
            await presentation.run.next(buffer)
        }
    }

    /// Turns pages, back where `pages` is negative; one on from the last page completes a guide that is swiped.
    ///
    /// Returns where it is then. One that has ended stays as it is.
    ///
    /// - Throws: what the daemon answers.
    @discardableResult
    public func advance(by pages: Int = 1) async throws(DefaultsError) -> State { try await run.act(.advance(pages)) }

    /// Goes to a page, counted from 0; returns where it is then.
    ///
    /// - Throws: `notFound` where there is no such page.
    @discardableResult
    public func goTo(page: Int) async throws(DefaultsError) -> State { try await run.act(.goTo(page)) }

    /// Ends it and its countdown; the first outcome wins, and is in what this returns (G8).
    @discardableResult
    public func finish(_ ending: RunEnding) async throws(DefaultsError) -> State { try await run.act(.finish(ending)) }
}

/// Whether to show a guide now.
public enum GuideDecision: Sendable {
    /// Show it: this program is its presenter.
    case show(Presentation)
    /// Show nothing.
    case skip(SkipReason)
}
