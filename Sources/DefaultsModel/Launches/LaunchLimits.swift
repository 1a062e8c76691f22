/// How much of launches and flags a client can make the store hold (P12).
public enum LaunchLimits {
    /// Flags of one application: more than any has pages and tips.
    public static let flags = 1_024
    /// Domains of one user, whatever is stored of them: more than a machine has applications.
    public static let domains = 10_000
}

extension StateView {
    /// Checks that one more flag of an application may be stored.
    public func checkRoom(forFlagOf app: DomainName) throws(ModelError) {
        try checkRoom(for: app)
        let count = onboardingIDs(app, .flag).count
        guard count < LaunchLimits.flags else {
            throw ModelError(
                .limitExceeded, "\"\(app)\" has \(count) flags already; at most \(LaunchLimits.flags) are allowed.")
        }
    }

    /// Checks that something may be stored of a domain: nothing is in the way of one that has something already.
    public func checkRoom(for domain: DomainName) throws(ModelError) {
        guard !knows(domain) else { return }
        let count = knownDomainCount
        guard count < LaunchLimits.domains else {
            throw ModelError(
                .limitExceeded, "This user has \(count) domains already; at most \(LaunchLimits.domains) are allowed.")
        }
    }
}
