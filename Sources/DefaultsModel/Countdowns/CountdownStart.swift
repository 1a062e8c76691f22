import DBusTypes

/// A countdown that begins with something else, and is on disk in the same transaction.
public struct CountdownStart: Hashable, Sendable {
    /// Which one it will be.
    public let id: CountdownID
    /// What was asked of it.
    public let spec: CountdownSpec
    /// How the user stretches it (C10).
    public let scale: CountdownScale
    /// Whose it is.
    public let owner: CountdownOwner
    /// Its t0 (C1): when the daemon handled what it begins with.
    public let now: Instant

    /// Plans a start; throws `InvalidName` for a token that breaks the rule.
    public init(
        token: String, spec: CountdownSpec, scale: CountdownScale, owner: CountdownOwner, at now: Instant
    ) throws(ModelError) {
        id = try CountdownID(owner: owner.name, token: token)
        self.spec = spec
        self.scale = scale
        self.owner = owner
        self.now = now
    }
}

extension CountdownBoard {
    /// Checks whether a planned start would be taken now, as `start` checks it, and changes nothing.
    ///
    /// Throws `AlreadyExists` and `LimitExceeded` as `start` does.
    public func check(_ start: CountdownStart) throws(ModelError) {
        _ = try checkStart(start.id, spec: start.spec, owner: start.owner, at: start.now)
    }

    /// The record that a planned start will have, for the transaction that it belongs to; nil for one that is over at once.
    public func record(of start: CountdownStart) throws(ModelError) -> Value? {
        var empty = CountdownBoard(bootID: bootID, busGUID: busGUID, limits: .none)
        return try empty.start(start).record
    }

    /// The countdown that lives under the key of a record; nil where none does.
    public func id(recordKey: String) -> CountdownID? {
        CountdownID(recordKey: recordKey).flatMap { isLive($0) ? $0 : nil }
    }

    /// Carries out a planned start.
    public mutating func start(_ start: CountdownStart) throws(ModelError) -> CountdownReply {
        try self.start(token: start.id.token, spec: start.spec, scale: start.scale, owner: start.owner, at: start.now)
    }
}
