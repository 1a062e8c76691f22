import DBusTypes

/// The options of `Guides.Present`, checked.
public struct GuideOptions: Hashable, Sendable {
    /// What becomes of a run when its presenter leaves the bus.
    public enum OwnerLostPolicy: String, Hashable, Sendable, CaseIterable {
        /// It ends.
        case release
        /// It goes on until Finish, or an hour without a call.
        case keep
    }

    /// Whether it is a rehearsal, of which nothing is recorded (G9).
    public var isReplay: Bool
    /// The token of the guide's countdown; empty for `guide_RUN`.
    public var countdownToken: String
    /// What becomes of the run when its presenter leaves the bus.
    public var onOwnerLost: OwnerLostPolicy

    /// The options as they are by default, or as given.
    public init(isReplay: Bool = false, countdownToken: String = "", onOwnerLost: OwnerLostPolicy = .release) {
        self.isReplay = isReplay
        self.countdownToken = countdownToken
        self.onOwnerLost = onOwnerLost
    }

    /// Reads and checks an `a{sv}`; throws `InvalidArgument` naming an unknown entry or one of the wrong type.
    ///
    /// Whether the token is one is checked when it is known whose it is.
    public init(_ options: DictionaryValue) throws(ModelError) {
        let reader = try OptionReader(
            options, argument: "options", known: ["replay", "countdown_token", "on_owner_lost"])
        isReplay = try reader.boolean("replay")
        countdownToken = try reader.string("countdown_token")
        onOwnerLost = try reader.choice("on_owner_lost", default: .release)
    }
}
