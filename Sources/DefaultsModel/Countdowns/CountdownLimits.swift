/// How many countdowns may live at once (C8).
public struct CountdownLimits: Hashable, Sendable {
    /// Those whose owner is one connection.
    public let perConnection: Int
    /// Those of one user.
    public let perUser: Int
    /// All of them.
    public let total: Int

    /// Names limits.
    public init(perConnection: Int, perUser: Int, total: Int) {
        self.perConnection = perConnection
        self.perUser = perUser
        self.total = total
    }

    /// 16, 256 and 10,000.
    public static let standard = CountdownLimits(perConnection: 16, perUser: 256, total: 10_000)
    /// As many as there is memory for, for measuring.
    public static let none = CountdownLimits(perConnection: .max, perUser: .max, total: .max)
}
