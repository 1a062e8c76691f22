import DefaultsInterface

/// What `systemctl status` shows of the daemon in its line Status.
enum StatusLine {
    /// How many users are named whose stores aren't healthy.
    private static let namedUsers = 3

    /// The state of the one user's store, or which of everyone's aren't healthy, and how many faults the configuration has.
    static func text(_ users: Users, configurationErrors: Int) -> String {
        var parts: [String] = []
        if let only = users.only {
            parts.append("store \(only.storeState?.rawValue ?? "not open")")
        } else {
            let damaged = users.all.filter { ($0.storeState ?? .healthy) != .healthy }
            parts += damaged.prefix(namedUsers).map { "store of user \($0.userID) \($0.storeState?.rawValue ?? "")" }
            if damaged.count > namedUsers { parts.append("\(damaged.count - namedUsers) more stores not healthy") }
            if damaged.isEmpty { parts.append("every store opened is healthy") }
        }
        if configurationErrors > 0 {
            parts.append("\(configurationErrors) \(configurationErrors == 1 ? "fault" : "faults") in the configuration")
        }
        return "Serving \(WellKnown.busName); " + parts.joined(separator: "; ")
    }
}
