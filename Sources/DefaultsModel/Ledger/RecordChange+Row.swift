extension RecordChange {
    /// The row that a change writes or removes.
    enum Row: Hashable {
        case revision
        case domain(DomainName)
        case preference(PendingChanges.PreferenceID)
        case onboarding(PendingChanges.RecordID)
        case countdown(String)
    }

    var row: Row {
        switch self {
        case .revision: .revision
        case .domain(let domain, _): .domain(domain)
        case .preference(let domain, let layer, let key, _): .preference(.init(domain: domain, layer: layer, key: key))
        case .onboarding(let domain, let id, _): .onboarding(.init(domain: domain, id: id))
        case .countdown(let token, _): .countdown(token)
        }
    }
}

extension [RecordChange] {
    /// Without what a later change of the same row makes void; rows of one transaction need no order.
    var lastOfEachRow: [RecordChange] {
        var seen = Set<RecordChange.Row>(minimumCapacity: count)
        var hasRevision = false
        return reversed().filter { change in
            guard case .revision = change else { return seen.insert(change.row).inserted }
            // Every write has one: looked up, they would be a third of all.
            defer { hasRevision = true }
            return !hasRevision
        }.reversed()
    }
}
