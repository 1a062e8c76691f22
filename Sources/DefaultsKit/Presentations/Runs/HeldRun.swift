import DBusTypes

/// A run that a program holds: its link stays open meanwhile, and letting go gives the run back.
final class HeldRun<Local: LocalRun>: Sendable {
    private let follower: RunFollower<Local>
    private let handle: LinkHandle
    private let initial: Local.State

    init(_ follower: RunFollower<Local>, _ handle: LinkHandle, _ initial: Local.State) {
        self.follower = follower
        self.handle = handle
        self.initial = initial
    }

    deinit { Self.giveBack(follower) }

    /// Where it is now.
    var state: Local.State { follower.board.state ?? initial }

    /// A buffer for one more loop over the states.
    func makeBuffer() -> StateBuffer<Local.State> { follower.board.makeBuffer() }

    /// The newest state that a loop hasn't seen, as soon as there is one; nil after the end.
    ///
    /// Where the task is cancelled, the run is given back.
    func next(_ buffer: StateBuffer<Local.State>) async -> Local.State? {
        await buffer.next { [follower] in Self.giveBack(follower) }
    }

    /// Acts, and returns where the run is then.
    func act(_ action: Local.Action) async throws(DefaultsError) -> Local.State {
        let result = await withCheckedContinuation { continuation in
            follower.link.runtime.run { [follower] in follower.act(action) { continuation.resume(returning: $0) } }
        }
        return try result.get()
    }

    private static func giveBack(_ follower: RunFollower<Local>) { follower.link.runtime.run { follower.abandon() } }
}
