import DBusTypes

/// Someone who has nothing new shown, until it says otherwise or leaves.
public struct Inhibitor: Hashable, Sendable {
    /// How many one connection may hold at once.
    public static let limit = 16
    /// How many a user may have at once, over all connections: each is looked at wherever something may be shown.
    public static let userLimit = 256
    /// The longest reason in bytes: a line for people.
    public static let maximumReasonLength = 1_024

    /// What it is taken back with; never used again.
    public let cookie: UInt64
    /// Who holds it.
    public let owner: ConnectionName
    /// Why, as the holder says.
    public let reason: String

    /// The id of its record, which `global` has.
    var record: OnboardingID { OnboardingID(.inhibitor, "\(cookie)") }

    var stored: Value { .vardict([("reason", .string(reason))] + owner.stored) }

    init(cookie: UInt64, owner: ConnectionName, reason: String) {
        self.cookie = cookie
        self.owner = owner
        self.reason = reason
    }

    /// Reads the record of `cookie`; nil where it is damaged.
    init?(cookie: UInt64, stored: Value) {
        guard let entries = stored.dictionary, let reason = entries["reason"]?.get(as: String.self),
            let owner = ConnectionName(stored: entries)
        else { return nil }
        self.init(cookie: cookie, owner: owner, reason: reason)
    }
}

extension StateView {
    /// Those who have nothing new shown, in the order in which they came.
    public var inhibitors: [Inhibitor] {
        numbered(.inhibitor).compactMap { cookie, value in Inhibitor(cookie: cookie, stored: value) }
    }

    /// The outcome of `Admin.Inhibit`: replies with the cookie.
    ///
    /// Throws `InvalidArgument` for a reason over 1,024 bytes, `LimitExceeded` for a seventeenth of one connection.
    public func inhibiting(by owner: ConnectionName, reason: String) throws(ModelError) -> Outcome {
        guard reason.utf8.count <= Inhibitor.maximumReasonLength else {
            throw .invalidArgument(
                "reason has \(reason.utf8.count) bytes; it may have \(Inhibitor.maximumReasonLength)")
        }
        let all = inhibitors
        guard all.count < Inhibitor.userLimit else {
            throw .limitExceeded("this user has \(all.count) inhibitors already; at most \(Inhibitor.userLimit) are allowed")
        }
        let held = all.filter { $0.owner == owner }.count
        guard held < Inhibitor.limit else {
            throw .limitExceeded(
                "\(owner.name) holds \(held) inhibitors already; a connection may hold at most \(Inhibitor.limit)")
        }
        let (cookie, change) = nextNumber
        let inhibitor = Inhibitor(cookie: cookie, owner: owner, reason: reason)
        return Outcome(
            reply: [.uint64(cookie)], changes: [change, .onboarding(.global, inhibitor.record, inhibitor.stored)])
    }

    /// The outcome of `Admin.Uninhibit`; throws `NotFound` for a cookie that `owner` doesn't hold.
    public func uninhibiting(_ cookie: UInt64, by owner: ConnectionName) throws(ModelError) -> Outcome {
        guard let inhibitor = inhibitors.first(where: { $0.cookie == cookie && $0.owner == owner }) else {
            throw .notFound("\(owner.name) holds no inhibitor with cookie \(cookie); Admin.Inhibit gives one")
        }
        return Outcome(changes: [.onboarding(.global, inhibitor.record, nil)])
    }

    /// The changes that remove the inhibitors of connections that have left.
    public func removingInhibitors(where hasLeft: (ConnectionName) -> Bool) -> [RecordChange] {
        inhibitors.filter { hasLeft($0.owner) }.map { .onboarding(.global, $0.record, nil) }
    }
}
