import DBusTypes
import DefaultsModel

/// Who asked for the signals of which domain (dbus-api: signals go to those who watch, no one else).
final class Watchers {
    private var watchers: [DomainName: [Caller]] = [:]

    /// The connections that get a domain's signals, in the order in which they asked.
    func watching(_ domain: DomainName) -> [Caller] { watchers[domain] ?? [] }

    /// Adds a watcher; again is no change.
    func add(_ caller: Caller, to domain: DomainName) {
        guard caller.watchedDomains.insert(domain).inserted else { return }
        watchers[domain, default: []].append(caller)
    }

    /// Removes a watcher; true where it was the domain's last.
    func remove(_ caller: Caller, from domain: DomainName) -> Bool {
        guard caller.watchedDomains.remove(domain) != nil, var list = watchers.removeValue(forKey: domain) else { return false }
        list.removeAll { $0 === caller }
        if list.isEmpty { return true }
        watchers[domain] = list
        return false
    }
}
