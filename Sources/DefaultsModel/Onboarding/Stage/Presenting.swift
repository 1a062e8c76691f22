/// What a call about presentations rests on beside the state: when it came, and from whom.
public struct Presenting: Sendable {
    /// When the call was handled.
    public let now: Instant
    /// Who called.
    public let caller: ConnectionName
    /// When each run was last called about.
    public let activity: RunActivity
    /// Whether the store lost data and the user hasn't acknowledged it: absent records prove nothing then (P9).
    public let storeLostData: Bool
    /// The application in whose sandbox the caller is; nil outside any (P15).
    public let sandbox: DomainName?

    /// Describes a call.
    public init(
        now: Instant, caller: ConnectionName, activity: RunActivity = RunActivity(), storeLostData: Bool = false,
        sandbox: DomainName? = nil
    ) {
        self.now = now
        self.caller = caller
        self.activity = activity
        self.storeLostData = storeLostData
        self.sandbox = sandbox
    }
}
