import DBusTypes

/// Why a countdown ended; the raw value is the one on the bus.
public enum CountdownReason: String, Hashable, Sendable, CaseIterable {
    /// Its time ran out.
    case elapsed
    /// Skip.
    case skipped
    /// Cancel, or replaced by a new one with the same token.
    case cancelled
    /// Its owner's connection ended.
    case ownerLost = "owner_lost"
    /// A policy forbids what it was for.
    case policy
}

/// What a countdown has to tell: one signal each.
public enum CountdownEvent: Hashable, Sendable {
    /// The newest count; `missed` are the ticks that it stands for besides its own (C3).
    case tick(remainingTicks: UInt32, remainingMilliseconds: UInt64, missed: UInt32)
    /// From now on it can be skipped; once.
    case skipAvailable
    /// It ended, `lateMilliseconds` after its deadline; the last event, once.
    case finished(CountdownReason, lateMilliseconds: UInt64)

    /// Whether it is the last.
    var isEnd: Bool {
        switch self {
        case .finished: true
        case .tick, .skipAvailable: false
        }
    }
}

/// A signal to send for one countdown of a board.
public struct CountdownAction: Hashable, Sendable {
    let identity: CountdownIdentity
    /// The signal.
    public let event: CountdownEvent
    /// Whether the record `id.recordKey` is to be removed from the store of the owner's user, after the signal was sent (C4).
    public let forgets: Bool

    init(_ identity: CountdownIdentity, _ event: CountdownEvent, forgets: Bool) {
        self.identity = identity
        self.event = event
        self.forgets = forgets
    }

    /// The countdown, also where it is gone by now.
    public var id: CountdownID { identity.id }
    /// Its owner, who gets the signal.
    public var owner: CountdownOwner { identity.owner }
}

/// What a call did to a countdown, and what to send in which order.
public struct CountdownReply: Hashable, Sendable {
    /// The countdown.
    public let id: CountdownID
    /// Its state after the call.
    public let state: CountdownState
    /// What to send before the reply: what fell due before the call, and the end of a replaced countdown (C7).
    public let beforeReply: [CountdownAction]
    /// What to send after the reply.
    public let afterReply: [CountdownAction]
    /// What to write under `id.recordKey` before the reply; nil where there is nothing to write.
    public let record: Value?

}
