import DBusTypes
import DefaultsModel

/// Who asked for the signals of which domain (dbus-api: signals go to those who watch, no one else).
final class Watchers {
    private let userID: UInt32
    private var watchers: [DomainName: [Caller]] = [:]
    /// How many calls of `Watch` are on their way, by domain.
    private var coming: [DomainName: Int] = [:]

    /// Keeps the watchers of a user's data.
    init(of userID: UInt32) { self.userID = userID }

    /// The connections that get a domain's signals, in the order in which they asked.
    func watching(_ domain: DomainName) -> [Caller] { watchers[domain] ?? [] }

    /// Whether no one watches anything, nor is about to.
    var isUnused: Bool { watchers.isEmpty && coming.isEmpty }

    /// The domains that someone watches, sorted.
    var domains: [DomainName] { watchers.keys.sorted() }

    /// Adds a watcher; again is no change.
    func add(_ caller: Caller, to domain: DomainName) {
        guard caller.watchedDomains[userID, default: []].insert(domain).inserted else { return }
        watchers[domain, default: []].append(caller)
    }

    /// Removes a watcher, if it is one.
    func remove(_ caller: Caller, from domain: DomainName) {
        guard caller.watchedDomains[userID]?.remove(domain) != nil, var list = watchers.removeValue(forKey: domain) else {
            return
        }
        list.removeAll { $0 === caller }
        if !list.isEmpty { watchers[domain] = list }
    }

    /// Counts a `Watch` that will be answered; until ``settle(_:)`` the domain is watched, so that no change falls in between.
    func expect(_ domain: DomainName) { coming[domain, default: 0] += 1 }

    /// Ends what ``expect(_:)`` began.
    func settle(_ domain: DomainName) {
        let left = (coming[domain] ?? 0) - 1
        coming[domain] = left > 0 ? left : nil
    }

    /// Whether anyone watches a domain, or is about to.
    func isWatched(_ domain: DomainName) -> Bool { watchers[domain] != nil || coming[domain] != nil }
}
