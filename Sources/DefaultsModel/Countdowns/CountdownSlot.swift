import DBusTypes

/// What of a countdown never changes and the board's machinery doesn't look into.
///
/// Shared by reference: a tick's signal needs it, and thousands of ticks a second would each copy four texts.
final class CountdownIdentity: Hashable, Sendable {
    let id: CountdownID
    let owner: CountdownOwner
    /// What it is for.
    let purpose: String

    init(id: CountdownID, owner: CountdownOwner, purpose: String) {
        self.id = id
        self.owner = owner
        self.purpose = purpose
    }

    /// Two are equal when all their parts are.
    static func == (left: CountdownIdentity, right: CountdownIdentity) -> Bool {
        left === right || left.id == right.id && left.owner == right.owner && left.purpose == right.purpose
    }

    /// Hashes what tells countdowns apart.
    func hash(into hasher: inout Hasher) {
        hasher.combine(id)
        hasher.combine(owner)
    }
}

/// A countdown that lives, with its place on the board.
struct CountdownSlot: Sendable {
    let identity: CountdownIdentity
    /// The place among all ever started.
    let order: UInt64
    var countdown: Countdown
    /// Whether the store has, or is about to have, a record of it.
    var isRecorded: Bool
    /// How many replies are awaited before it may emit anything.
    var holds = 0
    /// The neighbours in its owner's list.
    var previous: Int?
    var next: Int?

    init(identity: CountdownIdentity, order: UInt64, countdown: Countdown, isRecorded: Bool) {
        self.identity = identity
        self.order = order
        self.countdown = countdown
        self.isRecorded = isRecorded
    }

    var id: CountdownID { identity.id }
    var owner: CountdownOwner { identity.owner }

    func action(_ event: CountdownEvent) -> CountdownAction {
        CountdownAction(identity, event, forgets: isRecorded && event.isEnd)
    }

    func actions(_ events: [CountdownEvent]) -> [CountdownAction] { events.map(action) }

    func state(at now: Instant) -> CountdownState { countdown.state(of: identity, at: now) }
}
