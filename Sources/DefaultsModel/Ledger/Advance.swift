import DBusTypes

/// What moved with one change, for those who keep copies of it.
public enum Advance: Hashable, Sendable {
    /// The revision of these domains, and perhaps their values; with `global` among them, those of every domain.
    case domains(Set<DomainName>)
    /// Whatever there is: another store has taken the place of a damaged one (P9).
    case everything

    /// The domains whose preferences or revision rows touch.
    static func domains(of changes: [RecordChange]) -> Set<DomainName> {
        var domains: Set<DomainName> = []
        for change in changes {
            switch change {
            case .domain(let domain, _), .preference(let domain, _, _, _): domains.insert(domain)
            case .revision, .onboarding, .countdown: break
            }
        }
        return domains
    }
}
