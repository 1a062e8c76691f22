import DBusTypes

/// What moved with one change, for those who keep copies of it.
public enum Advance: Hashable, Sendable {
    /// The revision of these domains, and perhaps their values; with `global` among them, those of every domain.
    case domains(Set<DomainName>)
    /// Whatever there is: other configuration files, or another store in the place of a damaged one (P9).
    case everything

    /// What an outcome moves; nil where that is nothing that readers see.
    init?(_ outcome: Outcome) {
        var domains: Set<DomainName> = []
        var last: DomainName?
        for change in outcome.changes {
            switch change {
            case .domain(let domain, _), .preference(let domain, _, _, _):
                if domain != last { domains.insert(domain) }
                last = domain
            case .revision, .onboarding, .countdown: break
            }
        }
        if outcome.files != nil {
            self = .everything
        } else if domains.isEmpty {
            return nil
        } else {
            self = .domains(domains)
        }
    }
}
