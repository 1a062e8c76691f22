import DBusTypes
import DefaultsModel

/// In whose sandbox connections are that have called lately, so that not every call of one asks the bus.
///
/// No match rule tells of their end, which would cost more than asking again: unique names are never used again on a bus, so an entry stays true, and what
/// hasn't been used for long goes when there are many.
struct IdentityCache {
    /// How many are known at least; twice as many at most.
    static let capacity = 512

    private var recent: [BusName: DomainName?] = [:]
    private var older: [BusName: DomainName?] = [:]

    /// The application in whose sandbox a connection is, nil inside for none; nil where it isn't known.
    mutating func find(_ name: BusName) -> DomainName?? {
        if let app = recent[name] { return app }
        guard let app = older[name] else { return nil }
        insert(name, app)
        return app
    }

    /// Remembers a connection.
    mutating func insert(_ name: BusName, _ app: DomainName?) {
        if recent.count >= Self.capacity {
            older = recent
            recent = [:]
        }
        recent[name] = .some(app)
    }
}
