import DBusTypes
import DefaultsInterface

/// Presents one guide, tour or tip of an application.
///
/// One thread only.
struct Presenter {
    /// A run that has begun.
    struct Run {
        /// Its number.
        let run: UInt64
        /// What the daemon said of it.
        let entries: DictionaryValue
        /// What is to be shown.
        let state: PlayerState
    }

    /// Whose it is.
    let daemon: Daemon
    /// What it is.
    let kind: PresentationKind
    /// The application.
    let app: String
    /// The guide, tour or tip.
    let id: String
    /// Whether nothing of it is to be recorded.
    let isReplay: Bool

    /// Begins a run; a failure with the reason where it isn't to be shown.
    func begin(countdownToken: String? = nil, isReplay: Bool? = nil) throws(Failure) -> Run {
        var options: [(String, Value)] = []
        if isReplay ?? self.isReplay { options.append((PresentationOptions.replay.name, .boolean(true))) }
        if let countdownToken, kind == .guide {
            options.append((PresentationOptions.countdownToken.name, .string(countdownToken)))
        }
        let reply = try daemon.call(kind.interface, kind.begin, [.string(app), .string(id), .vardict(options)])
        guard try reply.get(0, as: Bool.self) else { throw NotShown.failure(self, reason: try reply.get(1)) }
        let entries = try reply.dictionary(3)
        return Run(run: try reply.get(2), entries: entries, state: try PlayerState(kind, entries))
    }

    /// Ends a run.
    func finish(_ run: UInt64, _ outcome: String) throws(Failure) {
        _ = try daemon.call(kind.interface, kind.finish, [.uint64(run), .string(outcome)])
    }

    /// The method and its arguments that ask for what a session wants.
    func message(_ call: PlayerCall, run: UInt64) -> (MemberName, [Value]) {
        switch (kind, call) {
        case (_, .finish(let outcome)): (kind.finish, [.uint64(run), .string(outcome)])
        case (.tour, .forward(let state)): (ToursInterface.next, [.uint64(run), .string(state.step), .uint64(state.sequence)])
        case (.tour, .back): (ToursInterface.back, [.uint64(run)])
        // A sequence that no step has changes nothing, and the answer is the present step (T2).
        case (.tour, .look(let state)): (ToursInterface.next, [.uint64(run), .string(state.step), .uint64(.max)])
        case (.guide, .forward): (GuidesInterface.advance, [.uint64(run), .int32(1)])
        case (.guide, .back): (GuidesInterface.advance, [.uint64(run), .int32(-1)])
        case (.guide, .look): (GuidesInterface.advance, [.uint64(run), .int32(0)])
        case (.tip, .forward), (.tip, .back), (.tip, .look), (_, .skipCountdown):
            preconditionFailure("\(call) is nothing that a \(kind.rawValue) is asked for")
        }
    }
}
